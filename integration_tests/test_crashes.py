"""Each process dies between any two steps: after a restart all is as in a calm run."""

import pytest
import pytest_asyncio
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import Step as MemoryStep
from stack import Stack
from workload import Outcome, outcome, send_everything

KILLED = 137
STEPS = [
    *((INSIGHT, step) for step in InsightStep if "erase" not in step),
    *((MEMORY, step) for step in MemoryStep if "forg" not in step and "rebuilt" not in step),
]
"""Those of forgetting and of a rebuild have tests of their own."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> Outcome:
    """What comes out when nothing dies."""
    await send_everything(shared_stack)
    found = await outcome(shared_stack)
    shared_stack.stop()
    return found


async def test_the_calm_run_keeps_and_refuses_what_it_should(calm: Outcome) -> None:
    for said in ("Paris", "Berlin", "npm", "Ada", "Grace", "Contoso"):
        assert said in calm.dump
    assert len(calm.refused_by_insight) == 1
    assert len(calm.refused_by_memory) == 1


@pytest.mark.parametrize(("name", "step"), STEPS)
async def test_a_process_that_dies_at_a_step_loses_and_doubles_nothing(
    calm: Outcome, idle_stack: Stack, name: str, step: str
) -> None:
    dying = idle_stack.service(name)
    for service in idle_stack.services:
        service.start(**({"CORTEX_FAULT": step} if service is dying else {}))
    await send_everything(idle_stack)
    assert await dying.ended() == KILLED, dying.log()
    dying.start()
    assert await outcome(idle_stack) == calm


async def test_both_services_killed_again_and_again_lose_and_double_nothing(
    calm: Outcome, idle_stack: Stack
) -> None:
    await send_everything(idle_stack)
    for _ in range(3):
        for service in idle_stack.services:
            service.start()
        await idle_stack.answering()
        for service in idle_stack.services:
            service.kill()
    for service in idle_stack.services:
        service.start()
    assert await outcome(idle_stack) == calm


async def test_a_service_stops_in_good_order_while_it_works(
    calm: Outcome, idle_stack: Stack
) -> None:
    await send_everything(idle_stack)
    for _ in range(2):
        for service in idle_stack.services:
            service.start()
        await idle_stack.answering()
        idle_stack.stop()
    for service in idle_stack.services:
        service.start()
    assert await outcome(idle_stack) == calm
