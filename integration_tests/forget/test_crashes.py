"""Either service dies while it forgets: after a restart all is forgotten as in a calm run."""

import asyncio
import json
from itertools import cycle

import psycopg
import pytest
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import KILLED
from cortex_memory.faults import Step as MemoryStep
from forget.operator import Operator
from forget.three_memories import CANARY, OWNERS, SAID_LATER, Forgotten, fill, outcome, requests
from roxabi_contracts.upkeep import ForgetScope
from samples import OWNER, PROJECT, note
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


async def test_what_was_asked_while_it_was_forgotten_is_forgotten_too(stack: Stack) -> None:
    """Its answer was found before the erasure was done, and its trace is stored after."""
    operator = Operator(stack)
    await stack.publish([note("I live in Bergen.")])
    await stack.drained()
    request = operator.request(ForgetScope.SUBJECT, None)
    stack.memory.stop()
    stack.memory.start(CORTEX_FAULT=MemoryStep.AFTER_FORGET_COMMIT)
    await stack.answering()
    forgetting = asyncio.create_task(operator.forget(request))
    assert await stack.memory.ended() == KILLED, stack.memory.log()
    forgetting.cancel()
    with psycopg.connect(stack.endpoints.memory, autocommit=True) as store:
        for number, subject in enumerate((OWNER, f"email:{OWNER.upper()}", "bob@example.org")):
            store.execute(
                "INSERT INTO trace (project, id, asked_at, request, status, warnings, candidates,"
                " facts_served, episodes_served)"
                " VALUES (%s, %s, now(), %s, 'ok', '[]', '[]', 1, 0)",
                (PROJECT, f"late {number}", json.dumps({"subjects": [subject]})),
            )
        stack.memory.start()
        receipt = await operator.forget(request)
        assert receipt.removed["traces"] == 2
        kept = store.execute("SELECT id FROM trace WHERE id LIKE 'late %'").fetchall()
        assert kept == [("late 2",)]
