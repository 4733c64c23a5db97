"""A rebuild dies, or the service dies beside it: a repeated one gives the dump of a calm run."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import psycopg
import pytest_asyncio
from cortex_local.services import MEMORY, service_command
from cortex_memory.faults import KILLED, Step
from polling import NotYet, eventually
from roxabi_contracts.event import RawEvent
from samples import PROJECT, note, notes
from stack import Stack

PEOPLE: Final = [f"person{number}@example.org" for number in range(5)]
SAID: Final[list[RawEvent]] = [
    event
    for email in PEOPLE
    for event in notes("I live in Paris.", "I use npm.", "I moved to Rome.", email=email)
]
DAMAGE: Final = (
    b'UPDATE fact SET value = \'{"value": "Nowhere"}\'',
    b"DELETE FROM assertion",
)
EXIT_BY_SIGKILL: Final = -9


def later(email: str) -> RawEvent:
    """What a person says while a rebuild runs."""
    return note("I moved to Oslo.", name="later", day=9, email=email)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> str:
    """The dump when all was said and nothing was damaged or killed."""
    await shared_stack.publish([*SAID, *map(later, PEOPLE)])
    await shared_stack.drained()
    dump = shared_stack.dump()
    shared_stack.stop()  # the tests take its place on the broker
    return dump


@pytest_asyncio.fixture
async def damaged(stack: Stack) -> Stack:
    """A stack on which every fact says something wrong."""
    await stack.publish(SAID)
    await stack.drained()
    with psycopg.connect(stack.endpoints.memory) as connection:
        for statement in DAMAGE:
            connection.execute(statement)
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


@contextmanager
def rebuilding(stack: Stack) -> Generator[subprocess.Popen[str]]:
    """The command that rebuilds, as a process that may be killed."""
    with subprocess.Popen(
        service_command(MEMORY, stack.memory.environment(), "rebuild", "--project", PROJECT),
        env=stack.memory.environment(),
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


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


async def rebuilt(stack: Stack) -> str:
    """The dump after everything arrived and a rebuild came to its end."""
    await stack.drained()
    stack.memory.run("rebuild", "--project", PROJECT)
    return stack.dump()


async def test_a_rebuild_that_is_killed_is_repeated(calm: str, damaged: Stack) -> None:
    people = await people_in_order(damaged)
    memory = await memory_of(damaged, people[2])
    with held_facts(damaged, memory), rebuilding(damaged) as process:
        await in_the_middle(damaged, process)
        process.kill()
        assert process.wait() == EXIT_BY_SIGKILL
        half = damaged.dump()
    assert "Nowhere" in half
    assert "Rome" in half
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
    assert "Nowhere" not in damaged.dump(), "the rebuild went on without the service"
    damaged.memory.start()
    await damaged.publish(map(later, people[1:]))
    assert await rebuilt(damaged) == calm
