"""Either service dies while it forgets: after a restart all is forgotten as in a calm run."""

import asyncio
from itertools import cycle

import pytest
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import KILLED
from cortex_memory.faults import Step as MemoryStep
from forget.operator import Operator
from forget.three_memories import CANARY, OWNERS, SAID_LATER, Forgotten, fill, outcome, requests
from roxabi_contracts.upkeep import ForgetScope
from stack import Stack

STEPS = [
    *((INSIGHT, step) for step in InsightStep if "erase" in step),
    *((MEMORY, step) for step in MemoryStep if "forg" in step),
]
DEATHS = [(*step, scope) for step, scope in zip(STEPS, cycle(OWNERS), strict=False)]


@pytest.mark.parametrize(("name", "step", "scope"), DEATHS)
async def test_a_service_that_dies_while_it_forgets_forgets_after_a_restart(
    calm: Forgotten, stack: Stack, name: str, step: str, scope: ForgetScope
) -> None:
    await fill(stack)
    operator = Operator(stack)
    asked = await requests(operator)
    dying = stack.service(name)
    dying.stop()
    dying.start(CORTEX_FAULT=step)
    await stack.answering()
    forgetting = asyncio.create_task(operator.forget(asked[scope]))
    assert await dying.ended() == KILLED, dying.log()
    # Who waits for a dead service waits for nothing: ask again.
    forgetting.cancel()
    dying.start()
    receipts = {each: await operator.forget(request) for each, request in asked.items()}
    assert receipts[scope].known, "it had been asked for before the death"
    await stack.publish(SAID_LATER)
    assert await outcome(stack, receipts) == calm


async def test_memory_forgets_while_the_lake_is_down(calm: Forgotten, stack: Stack) -> None:
    await fill(stack)
    operator = Operator(stack)
    asked = await requests(operator)
    stack.insight.kill()
    for receipt in await asyncio.gather(*map(operator.ask, asked.values())):
        assert (receipt.known, receipt.finished) == (False, False)
        assert receipt.removed["facts"] >= 1
    assert CANARY not in stack.dump()
    stack.memory.kill()
    await stack.start()
    receipts = {scope: await operator.forget(request) for scope, request in asked.items()}
    await stack.publish(SAID_LATER)
    assert await outcome(stack, receipts) == calm
