"""Broker or database die while something is forgotten: all is forgotten as in a calm run."""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

import pytest
from cortex_insight.faults import STOPS_VARIABLE
from cortex_insight.faults import Step as InsightStep
from cortex_local.services import INSIGHT, MEMORY
from cortex_memory.faults import Step as MemoryStep
from forget.operator import SINCE_THEN, Operator
from forget.three_memories import CANARY, OWNERS, SAID_LATER, Forgotten, fill, outcome, requests
from mortal import BROKER, DATABASE, MortalServers
from roxabi_contracts.upkeep import ForgetMode, ForgetReceipt, ForgetRequest, ForgetScope
from samples import MESSAGE
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
    BROKER: {
        ForgetScope.FACT: (),
        ForgetScope.SOURCE: (),
        ForgetScope.SUBJECT: (MOMENTS[1], *MOMENTS[3:6]),
    },
}
"""The scopes differ inside a transaction alone, about which the broker knows nothing."""
HIDING: Final[Mapping[str, Moments]] = {DATABASE: MOMENTS[:1], BROKER: ()}


@dataclass(frozen=True)
class Deadly:
    """A stack of which one server dies again and again."""

    stack: Stack
    servers: MortalServers
    server: str

    async def forget(self, request: ForgetRequest, moments: Moments) -> ForgetReceipt:
        """Have it forgotten, while the server dies at each of these moments."""
        await self._restart_with_stops(moments)
        forgetting = asyncio.create_task(Operator(self.stack).forget(request))
        for name, _ in moments:
            await self.stack.service(name).stopped()
            await self.servers.replace(self.server)
            self.stack.service(name).resume()
        return await forgetting

    async def _restart_with_stops(self, moments: Moments) -> None:
        """Have the services stop at the moments; without any they go on as they are."""
        for service in self.stack.services if moments else ():
            service.stop()
            stops = [step for name, step in moments if name == service.name]
            service.start(**{STOPS_VARIABLE: json.dumps(stops)})
        await self.stack.answering()


@pytest.mark.parametrize("server", DEATHS)
async def test_a_server_that_dies_at_every_step_of_forgetting_hinders_nothing(
    calm: Forgotten, mortal: Stack, mortal_servers: MortalServers, server: str
) -> None:
    deadly = Deadly(mortal, mortal_servers, server)
    await mortal.start()
    await fill(mortal)
    assert mortal_servers.nats.files_with(CANARY)
    arriving = asyncio.create_task(mortal.publish(SAID_LATER))
    receipts = {
        scope: await deadly.forget(request, DEATHS[server][scope])
        for scope, request in (await requests(Operator(mortal))).items()
    }
    await arriving
    assert await outcome(mortal, receipts) == calm
    assert mortal_servers.nats.files_with(CANARY) == set()

    for mode, day in ((ForgetMode.DISABLE, 1), (ForgetMode.ENABLE, 2)):
        assert (mode is ForgetMode.DISABLE) is (mortal.dump() == calm.dump)
        request = Operator(mortal).request(
            ForgetScope.SOURCE,
            MESSAGE,
            mode,
            at=SINCE_THEN + timedelta(days=day),
            subject=OWNERS[ForgetScope.FACT],
        )
        await deadly.forget(request, HIDING[server])
    await mortal.drained()
    mortal.memory.run("rebuild")
    assert mortal.dump() == calm.dump
