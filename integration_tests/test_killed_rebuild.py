"""A rebuild dies, or the service dies beside it: a repeated one gives the dump of a calm run."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import psycopg
import pytest_asyncio
from cortex_memory.faults import KILLED, Step
from polling import NotYet, eventually
from rebuilding import PEOPLE, SAID, WRONG, calm_dump, damage, later, rebuilding, rebuilt
from stack import Stack

EXIT_BY_SIGKILL: Final = -9


REBUILDING: Final = [step for step in Step if "rebuilt" in step]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> str:
    """The dump when nothing was damaged or killed."""
    return await calm_dump(shared_stack)


@pytest_asyncio.fixture
async def damaged(stack: Stack) -> Stack:
    """A stack on which every fact says something wrong."""
    await stack.publish(SAID)
    await stack.drained()
    damage(stack)
    return stack


async def people_in_order(stack: Stack) -> list[str]:
    """The people in the order in which a rebuild comes to their memories."""
    people = {await memory_of(stack, email): email for email in PEOPLE}
    return [people[memory] for memory in sorted(people)]


async def memory_of(stack: Stack, email: str) -> str:
    """The entity whose memory it is: people speak of nobody but themselves here."""
    (memory,) = {fact.about for fact in await stack.facts(subject=email)}
    return memory


@contextmanager
def held_facts(stack: Stack, memory: str) -> Generator[None]:
    """Let nobody change a fact of this memory: whoever has to, waits in its transaction."""
    with psycopg.connect(stack.endpoints.memory) as connection:
        holding = connection.execute(b"SELECT id FROM fact WHERE subject = %s FOR UPDATE", [memory])
        assert holding.fetchall()
        yield
        connection.rollback()


async def in_the_middle(stack: Stack, process: subprocess.Popen[str]) -> None:
    """Wait until the rebuild has told of a memory, and waits with another's changes uncommitted."""
    assert process.stderr is not None
    for done in (0, len(SAID) // len(PEOPLE)):
        line = process.stderr.readline()
        assert f"rebuilt {done} of" in line, line + process.stderr.read()

    async def look() -> None:
        with psycopg.connect(stack.endpoints.memory) as connection:
            waiting = connection.execute(
                b"SELECT query FROM pg_stat_activity WHERE datname = current_database() "
                b"AND wait_event_type = 'Lock'"
            ).fetchall()
        if not any("UPDATE fact" in query for (query,) in waiting):
            raise NotYet(f"{waiting} wait for a lock")

    await eventually("a rebuild that waits for the facts of a memory", look)


async def test_a_rebuild_that_is_killed_is_repeated(calm: str, damaged: Stack) -> None:
    people = await people_in_order(damaged)
    memory = await memory_of(damaged, people[2])
    with held_facts(damaged, memory), rebuilding(damaged) as process:
        await in_the_middle(damaged, process)
        process.kill()
        assert process.wait() == EXIT_BY_SIGKILL
        half = damaged.dump()
    assert WRONG in half
    assert "Rome" in half
    await damaged.publish(map(later, PEOPLE))
    assert await rebuilt(damaged) == calm


async def test_a_rebuild_that_dies_between_any_two_of_its_steps_is_repeated(
    calm: str, damaged: Stack
) -> None:
    for step in REBUILDING:
        damage(damaged)
        with rebuilding(damaged, CORTEX_FAULT=step) as process:
            assert process.wait() == KILLED, step
        assert WRONG in damaged.dump(), "it died after the last step"
    await damaged.publish(map(later, PEOPLE))
    assert await rebuilt(damaged) == calm


async def test_a_service_that_dies_during_a_rebuild_hinders_neither(
    calm: str, damaged: Stack
) -> None:
    people = await people_in_order(damaged)
    memory = await memory_of(damaged, people[2])
    damaged.memory.stop()
    damaged.memory.start(CORTEX_FAULT=Step.BEFORE_APPLY_COMMIT)
    await damaged.answering()
    with rebuilding(damaged) as process:
        with held_facts(damaged, memory):
            await in_the_middle(damaged, process)
            await damaged.publish([later(people[0])])
            assert await damaged.memory.ended() == KILLED, damaged.memory.log()
        assert process.wait() == 0
    assert WRONG not in damaged.dump(), "the rebuild went on without the service"
    damaged.memory.start()
    await damaged.publish(map(later, people[1:]))
    assert await rebuilt(damaged) == calm
