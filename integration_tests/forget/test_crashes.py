"""Either service dies while it forgets: after a restart all is forgotten as in a calm run."""

from contextlib import suppress

import pytest
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import Step as MemoryStep
from forget.operator import Operator
from forget.scanning import places_of
from roxabi_contracts.errors import ContractError
from roxabi_contracts.upkeep import ForgetScope
from samples import MESSAGE, note
from stack import Stack

KILLED = 137
CANARY = "Zzyzxville"
SAID = [note("I live in Paris.", name="paris"), note(f"I moved to {CANARY}.", name="z", day=1)]
STEPS = [
    *((INSIGHT, step) for step in InsightStep if "erase" in step),
    *((MEMORY, step) for step in MemoryStep if "forg" in step),
]


@pytest.mark.parametrize(("name", "step"), STEPS)
async def test_a_service_that_dies_while_it_forgets_forgets_after_a_restart(
    stack: Stack, operator: Operator, name: str, step: str
) -> None:
    await stack.publish(SAID)
    await stack.drained()
    fact = await operator.fact(CANARY)
    dying = stack.service(name)
    dying.stop()
    dying.start(CORTEX_FAULT=step)
    await stack.answering()
    request = operator.request(ForgetScope.FACT, fact.id)
    with suppress(ContractError):  # memory dies before it answers
        await operator.ask(request)
    assert await dying.ended() == KILLED, dying.log()
    dying.start()
    receipt = await operator.forget(request)
    assert receipt.known
    assert receipt.removed["lake_raw_events"] == 1
    assert await places_of(stack, CANARY) == set()
    assert stack.dump() == stack.dump("personal", "--now", "2027-01-01T00:00:00Z")


async def test_memory_forgets_while_the_lake_is_down(stack: Stack, operator: Operator) -> None:
    await stack.publish(SAID)
    await stack.drained()
    stack.insight.kill()
    request = operator.request(ForgetScope.SOURCE, MESSAGE)
    receipt = await operator.ask(request)
    assert (receipt.known, receipt.finished) == (False, False)
    assert receipt.removed["observations"] == len(SAID)
    assert CANARY not in stack.dump()
    stack.memory.kill()
    await stack.start()
    assert (await operator.forget(request)).finished
    assert await places_of(stack, CANARY) == set()
