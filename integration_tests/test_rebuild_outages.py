"""Broker or database die while memory is rebuilt: what was done is kept, the rest is repeated."""

import asyncio
import json
import signal

import pytest_asyncio
from cortex_memory.faults import Step
from mortal import BROKER, DATABASE, MortalServers
from process import until_stopped
from rebuilding import PEOPLE, SAID, WRONG, calm_dump, damage, later, rebuilding, rebuilt
from stack import Stack

IN_TRANSACTIONS = (Step.BEFORE_REBUILT_IDENTITIES_COMMIT, Step.BEFORE_REBUILT_MEMORY_COMMIT)
BETWEEN_THEM = (Step.AFTER_REBUILT_IDENTITIES_COMMIT, Step.AFTER_REBUILT_MEMORY_COMMIT)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> str:
    """The dump when nothing was damaged or killed."""
    return await calm_dump(shared_stack)


async def rebuild_with_deaths(
    stack: Stack, servers: MortalServers, server: str, *steps: Step
) -> tuple[int, str]:
    """Rebuild, replacing a server at each of these steps; the exit code, and what was said."""
    with rebuilding(stack, CORTEX_STOPS=json.dumps(steps)) as process:
        for _ in steps:
            await until_stopped(process, stack.memory.log)
            await servers.replace(server)
            process.send_signal(signal.SIGCONT)
        _, said = await asyncio.to_thread(process.communicate)
    return process.returncode, said


async def test_a_database_that_dies_during_a_rebuild_has_it_repeated(
    calm: str, mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    await mortal.publish(SAID)
    await mortal.drained()
    for step in IN_TRANSACTIONS:
        damage(mortal)
        code, said = await rebuild_with_deaths(mortal, mortal_servers, DATABASE, step)
        assert (code, "repeat" in said) == (1, True), said
        assert WRONG in mortal.dump()
    code, said = await rebuild_with_deaths(mortal, mortal_servers, DATABASE, *BETWEEN_THEM)
    assert code == 0, said
    assert WRONG not in mortal.dump()
    await mortal.publish(map(later, PEOPLE))
    assert await rebuilt(mortal) == calm
    assert all(service.is_running() for service in mortal.services)


async def test_a_broker_that_dies_during_a_rebuild_hinders_neither_it_nor_what_arrives(
    calm: str, mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    await mortal.publish(SAID)
    await mortal.drained()
    damage(mortal)
    arriving = asyncio.create_task(mortal.publish(map(later, PEOPLE)))
    steps = (*IN_TRANSACTIONS, *BETWEEN_THEM)
    code, said = await rebuild_with_deaths(mortal, mortal_servers, BROKER, *steps)
    assert code == 0, said
    await arriving
    await mortal.drained()
    assert mortal.dump() == calm
    assert all(service.is_running() for service in mortal.services)
