"""Broker or database die while something is forgotten: all is forgotten as in a calm run."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Final

import pytest
from cortex_insight.faults import STOPS_VARIABLE
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import Step as MemoryStep
from forget.operator import Operator
from forget.three_memories import CANARY, SAID_LATER, Forgotten, fill, outcome, requests
from mortal import BROKER, DATABASE, MortalServers
from roxabi_contracts.upkeep import ForgetReceipt, ForgetScope
from stack import Stack

Moments = Sequence[tuple[str, InsightStep | MemoryStep]]
MOMENTS: Final[Moments] = (
    (MEMORY, MemoryStep.BEFORE_FORGET_COMMIT),
    (MEMORY, MemoryStep.AFTER_FORGET_COMMIT),
    (INSIGHT, InsightStep.BEFORE_ERASE_COMMIT),
    (INSIGHT, InsightStep.AFTER_ERASE_COMMIT),
    (INSIGHT, InsightStep.AFTER_ERASE_SWEEP),
    (MEMORY, MemoryStep.AFTER_LAKE_FORGOT),
    (MEMORY, MemoryStep.AFTER_FORGET_SWEEP),
)
"""At which a service stops until the server is back, in the order in which it comes to them."""
IN_TRANSACTIONS: Final[Moments] = (MOMENTS[0], MOMENTS[2])
DEATHS: Final[Mapping[str, Mapping[ForgetScope, Moments]]] = {
    DATABASE: {
        ForgetScope.FACT: MOMENTS,
        ForgetScope.SOURCE: IN_TRANSACTIONS,
        ForgetScope.SUBJECT: IN_TRANSACTIONS,
    },
    BROKER: {ForgetScope.FACT: (), ForgetScope.SOURCE: (), ForgetScope.SUBJECT: MOMENTS},
}
"""The scopes differ inside a transaction alone."""


@pytest.mark.parametrize("server", DEATHS)
async def test_a_server_that_dies_at_every_step_of_forgetting_hinders_nothing(
    calm: Forgotten, mortal: Stack, mortal_servers: MortalServers, server: str
) -> None:
    await mortal.start()
    await fill(mortal)
    operator = Operator(mortal)
    assert mortal_servers.nats.files_with(CANARY)
    arriving = asyncio.create_task(mortal.publish(SAID_LATER))
    receipts: dict[ForgetScope, ForgetReceipt] = {}
    for scope, request in (await requests(operator)).items():
        moments = DEATHS[server][scope]
        await restart_with_stops(mortal, moments)
        forgetting = asyncio.create_task(operator.forget(request))
        for name, _ in moments:
            await mortal.service(name).stopped()
            await mortal_servers.replace(server)
            mortal.service(name).resume()
        receipts[scope] = await forgetting
    await arriving
    assert await outcome(mortal, receipts) == calm
    assert mortal_servers.nats.files_with(CANARY) == set()
    mortal.memory.run("rebuild")
    assert mortal.dump() == calm.dump


async def restart_with_stops(stack: Stack, moments: Moments) -> None:
    """Have each service stop at its moments; those that have none go on as they are."""
    for service in stack.services if moments else ():
        service.stop()
        stops = [step for name, step in moments if name == service.name]
        service.start(**{STOPS_VARIABLE: json.dumps(stops)})
    await stack.answering()
