"""When a decision arrives changes nothing: before, among or after what it speaks of."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.rebuild import rebuild
from cortex_memory.refusal import Refused
from cortex_memory.store.db import connection, open_pool
from cortex_memory.store.decisions import JournaledDecision, decisions_of_project
from decisions.operator import deciding
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.observing import PROJECT, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.operations import DecisionAction
from roxabi_contracts.payloads import Claim, ClaimAction

OWNER = actor("ann@garden.org", role=ActorRole.OWNER)
AUTHORS = [
    actor("ann@garden.org"),
    actor("bob@garden.org"),
    actor("account:github:ann"),
    actor("ann@garden.org", "account:github:ann", name="Ann"),
]
ACTIONS = [DecisionAction.RESOLVE, DecisionAction.RESOLVE, DecisionAction.RELEASE, *DecisionAction]


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person will decide, of whichever facts there are by then."""

    action: DecisionAction
    at: int
    kept: int
    lost: int | None


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """A claim about the owner, in one of few slots."""
    return claim(
        draw(st.sampled_from(["name", "name", "stage_name", "lives_in", "pet"])),
        draw(st.sampled_from(["red", "green", "blue"])),
        action=draw(st.sampled_from([ClaimAction.CREATE, ClaimAction.CREATE, *ClaimAction])),
        about=1,
        begin=draw(st.sampled_from([None, None, None, 5])),
    )


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """A message, an edit or a re-parse of one, in Ann's memory."""
    deleted = draw(st.integers(0, 9)) == 0
    return observe(
        *([] if deleted else draw(st.lists(claims(), min_size=1, max_size=2))),
        at=draw(st.integers(1, 6)),
        ref=f"ref-{draw(st.integers(0, 4))}",
        actors=[draw(st.sampled_from(AUTHORS)), OWNER],
        subject=1,
        origin=draw(st.sampled_from([Origin.TRUSTED, Origin.THIRD_PARTY, Origin.UNTRUSTED])),
        revision=draw(st.integers(0, 2)),
        parser=draw(st.integers(1, 2)),
        deleted=deleted,
    )


choices = st.builds(
    Choice,
    action=st.sampled_from(ACTIONS),
    at=st.integers(1, 9),
    kept=st.integers(0, 9),
    lost=st.none() | st.integers(0, 9),
)


def obeyer(warehouse: Warehouse) -> DecisionObeyer:
    return DecisionObeyer(warehouse.pool, warehouse.clock, Catalogues())


FITTING = {
    DecisionAction.RESOLVE: b"SELECT id FROM fact WHERE conflict_id IS NOT NULL ORDER BY id",
    DecisionAction.RELEASE: b"SELECT id FROM fact WHERE status = 'quarantined' ORDER BY id",
}
"""Which facts an action fits; the others fit all."""


async def decide(warehouse: Warehouse, choice: Choice) -> None:
    """Decide about some of the facts that the action fits; what does not fit them is refused."""
    every = b"SELECT id FROM fact ORDER BY id"
    known = [str(found) for (found,) in await warehouse.rows(FITTING.get(choice.action, every))]
    if not known:
        return
    has_losers = choice.action is DecisionAction.RESOLVE and choice.lost is not None
    lose = [known[(choice.lost or 0) % len(known)]] if has_losers else []
    kept = known[choice.kept % len(known)]
    request = deciding(choice.action, kept, lose=lose, at=choice.at)
    try:
        await obeyer(warehouse).decide(request)
    except Refused:
        return


async def deliver(warehouse: Warehouse, item: Observation | JournaledDecision) -> None:
    if isinstance(item, Observation):
        await warehouse.inbox.store([item])
        return
    async with connection(warehouse.pool) as transaction:
        await obeyer(warehouse).record(transaction, item)


async def as_it_happened(
    database: str, said: Sequence[Observation], heard_first: int, chosen: Sequence[Choice]
) -> tuple[list[bytes], list[JournaledDecision]]:
    """Hear some, decide, hear the rest; the dump, which a rebuild has to make again."""
    async with open_pool(database, size=6) as pool:
        warehouse = Warehouse(pool)
        await warehouse.clear()
        await warehouse.retain(said[:heard_first])
        for choice in chosen:
            await decide(warehouse, choice)
        await warehouse.retain(said[heard_first:])
        dump = await warehouse.dump()
        assert dump == await warehouse.reference()
        await rebuild(warehouse.parts, None, lambda done, total: None)
        assert await warehouse.dump() == dump
        async with connection(pool) as transaction:
            return dump, await decisions_of_project(transaction, PROJECT)


async def in_another_order(
    database: str, items: Sequence[Observation | JournaledDecision], drained: set[int], workers: int
) -> list[bytes]:
    """Deliver in this order, draining the queue after some of them."""
    async with open_pool(database, size=6) as pool:
        warehouse = Warehouse(pool)
        await warehouse.clear()
        for number, item in enumerate(items):
            await deliver(warehouse, item)
            if number in drained:
                await warehouse.drain(workers)
        await warehouse.drain(workers)
        assert await warehouse.rows(b"SELECT observation_id, error FROM job") == []
        return await warehouse.dump()


def test_whenever_a_decision_arrives_the_dump_is_the_same(database: str) -> None:
    bitten = 0

    @settings(
        max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        nonlocal bitten
        said = data.draw(st.lists(observations(), min_size=2, max_size=9))
        chosen = data.draw(st.lists(choices, min_size=2, max_size=5))
        heard_first = data.draw(st.integers(1, len(said)))
        calm, decisions = asyncio.run(as_it_happened(database, said, heard_first, chosen))
        bitten += len(decisions)

        delivered: list[Observation | JournaledDecision] = [*said, *decisions, *decisions]
        items = data.draw(st.permutations(delivered))
        drained = data.draw(st.sets(st.integers(0, len(items) - 1), max_size=4))
        workers = data.draw(st.integers(1, 2))
        assert asyncio.run(in_another_order(database, items, drained, workers)) == calm

    property_holds()
    assert bitten > 20
