"""When a verdict on names arrives changes nothing: before, among or after what is said."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from cortex_memory.judge_names import journal_verdicts
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.rebuild import rebuild
from cortex_memory.store.db import connection, open_pool
from cortex_memory.store.verdicts import JournaledVerdict
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.observing import ANN, BOB, PROJECT, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import Claim, ClaimAction

OWNER = actor("ann@garden.org", role=ActorRole.OWNER)
BOTH = actor("ann@garden.org", "account:github:ann", role=ActorRole.OWNER, name="Ann")
NAMES = ["yawl_count", "number_of_yawls", "fleet", "berth", "lives_in", "residence", "employer"]
"""The first two say the same words, the last three are the catalogue's."""
JUDGED = [
    *(("fleet", "yawl_count"), ("fleet", "number_of_yawls"), ("berth", "fleet")),
    *(("berth", "residence"), ("berth", "employer"), ("employer", "residence")),
]
BY_PERSONS = [*JUDGED, ("number_of_yawls", "yawl_count")]


def verdict(
    first: str, second: str, *, same: bool = True, at: int = 1, model: str | None = None
) -> JournaledVerdict:
    """A person's verdict, or a model's."""
    name = JournalId(f"{first}-{second}-{same}-{at}-{model}")
    said = PredicateVerdict(name, at, ProjectId(PROJECT), first, second, same, model)
    return JournaledVerdict(said, decided_by=None if model else "ann")


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """A claim about the author or the owner, under one of few names."""
    return claim(
        draw(st.sampled_from(NAMES)),
        draw(st.sampled_from(["red", "green", "blue"])),
        action=draw(st.sampled_from([ClaimAction.CREATE, *ClaimAction])),
        about=draw(st.integers(0, 1)),
        begin=draw(st.sampled_from([None, None, None, 5, 2_000_000])),
    )


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """A message, or an edit or a deletion of one, in one of two memories that may be one."""
    deleted = draw(st.integers(0, 9)) == 0
    return observe(
        *([] if deleted else draw(st.lists(claims(), min_size=1, max_size=2))),
        at=draw(st.integers(1, 6)),
        ref=f"ref-{draw(st.integers(0, 5))}",
        actors=[draw(st.sampled_from([ANN, BOB])), draw(st.sampled_from([OWNER, BOTH]))],
        subject=1,
        revision=draw(st.integers(0, 2)),
        deleted=deleted,
    )


@st.composite
def verdicts(draw: st.DrawFn) -> JournaledVerdict:
    """A person's verdict on any pair, or a model's on one that words say nothing of."""
    model = draw(st.sampled_from([None, "small@0123"]))
    first, second = draw(st.sampled_from(JUDGED if model else BY_PERSONS))
    same, at = draw(st.booleans()), draw(st.integers(1, 3))
    return verdict(first, second, same=same, at=at, model=model)


AnyItem = Observation | JournaledVerdict


async def deliver(warehouse: Warehouse, item: AnyItem) -> None:
    if isinstance(item, Observation):
        await warehouse.inbox.store([item])
        return
    async with connection(warehouse.pool) as transaction:
        await journal_verdicts(transaction, PROJECT, [item], Catalogues())


async def dumped(
    database: str, batches: Sequence[Sequence[AnyItem]], *, workers: int, large: int
) -> list[bytes]:
    """Deliver batch by batch, and see that the dump is the reference's and a rebuild's."""
    async with open_pool(database, size=8) as pool:
        warehouse = Warehouse(pool, folds=KeptFolds(large=large))
        await warehouse.clear()
        for batch in batches:
            for item in batch:
                await deliver(warehouse, item)
            await warehouse.drain(workers)
        assert await warehouse.rows(b"SELECT observation_id, error FROM job") == []
        dump = await warehouse.dump()
        assert dump == await warehouse.reference()
        await rebuild(warehouse.parts, None, lambda done, total: None)
        assert await warehouse.dump() == dump
        return dump


def test_any_order_of_words_and_verdicts_gives_one_dump(database: str) -> None:
    @settings(
        max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        said = data.draw(st.lists(observations(), min_size=1, max_size=10))
        judged = data.draw(st.lists(verdicts(), max_size=5))
        large = data.draw(st.sampled_from([1, 1_000]))
        calm = asyncio.run(dumped(database, [said, judged], workers=1, large=large))

        items: list[AnyItem] = [
            *said,
            *judged,
            *data.draw(st.lists(st.sampled_from(said), max_size=2)),
        ]
        order = data.draw(st.permutations(items))
        cuts = sorted(data.draw(st.lists(st.integers(0, len(order)), max_size=4)))
        batches = [order[start:end] for start, end in pairwise([0, *cuts, len(order)])]
        workers = data.draw(st.integers(1, 3))
        again = asyncio.run(dumped(database, batches, workers=workers, large=large))
        assert again == calm

    property_holds()


def test_a_revoked_verdict_leaves_no_trace(database: str) -> None:
    @settings(
        max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        said = data.draw(st.lists(observations(), min_size=1, max_size=8))
        pair = data.draw(st.sampled_from(JUDGED))
        model = data.draw(st.sampled_from([None, "small@0123"]))
        joined = verdict(*pair, at=1, model=model)
        revoked = verdict(*pair, same=False, at=2)
        heard = data.draw(st.integers(0, len(said)))

        never = asyncio.run(dumped(database, [said], workers=1, large=1_000))
        batches: list[Sequence[AnyItem]] = [said[:heard], [joined], said[heard:], [revoked]]
        assert asyncio.run(dumped(database, batches, workers=2, large=1)) == never

    property_holds()
