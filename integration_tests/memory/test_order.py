"""Any order, any duplication, any number of workers: one dump, and it is the reference's."""

import asyncio
from collections.abc import Sequence
from itertools import pairwise

from cortex_memory.store.db import open_pool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.observing import ANN, BOB, actor, claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.observation import Observation, Origin
from roxabi_contracts.payloads import Claim, ClaimAction

OWNER = actor("ann@garden.org", role=ActorRole.OWNER)
BOTH = actor("ann@garden.org", "account:github:ann", role=ActorRole.OWNER, name="Ann")
AUTHORS = [
    ANN,
    BOB,
    actor("account:github:ann"),
    actor("bob@garden.org", "slug:bob", name="Bob"),
    actor("slug:bob", "account:github:bob"),
    actor(name="Cat"),
]


@st.composite
def claims(draw: st.DrawFn) -> Claim:
    """A claim about the author or the owner, in one of few slots."""
    begin = draw(st.sampled_from([None, None, None, 900_000, 2_000_000]))
    return claim(
        draw(st.sampled_from(["lives_in", "employer", "works_at", "uses", "pet"])),
        draw(st.sampled_from(["red", "green", "blue"])),
        action=draw(st.sampled_from([ClaimAction.CREATE, *ClaimAction])),
        about=draw(st.integers(0, 1)),
        begin=begin,
    )


@st.composite
def observations(draw: st.DrawFn) -> Observation:
    """A message, or an edit or a deletion of one, in one of two memories."""
    owner = draw(st.sampled_from([OWNER, BOTH]))
    deleted = draw(st.integers(0, 9)) == 0
    return observe(
        *([] if deleted else draw(st.lists(claims(), min_size=1, max_size=2))),
        at=draw(st.integers(1, 6)),
        ref=f"ref-{draw(st.integers(0, 5))}",
        actors=[draw(st.sampled_from(AUTHORS)), owner],
        subject=1,
        origin=draw(st.sampled_from([Origin.TRUSTED, Origin.THIRD_PARTY])),
        revision=draw(st.integers(0, 2)),
        parser=draw(st.integers(1, 2)),
        deleted=deleted,
    )


@st.composite
def deliveries(draw: st.DrawFn, said: Sequence[Observation]) -> list[list[Observation]]:
    """Everything said, in some order, some of it twice, in batches."""
    again = draw(st.lists(st.sampled_from(said), max_size=3))
    order = draw(st.permutations([*said, *again]))
    cuts = sorted(draw(st.lists(st.integers(0, len(order)), max_size=3)))
    bounds = [0, *cuts, len(order)]
    return [order[start:end] for start, end in pairwise(bounds)]


async def _dumps(
    database: str, batches: list[list[Observation]], workers: int
) -> tuple[list[bytes], list[bytes]]:
    async with open_pool(database, size=6) as pool:
        warehouse = Warehouse(pool)
        await warehouse.clear()
        await warehouse.retain(*batches, workers=workers)
        assert await warehouse.rows(b"SELECT observation_id, error FROM job") == []
        return await warehouse.dump(), await warehouse.reference()


def test_any_order_and_duplication_gives_one_dump(database: str) -> None:
    @settings(
        max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        said = data.draw(st.lists(observations(), min_size=1, max_size=12))
        calm, reference = asyncio.run(_dumps(database, [said], 1))
        assert calm == reference

        shuffled = data.draw(deliveries(said))
        again, _ = asyncio.run(_dumps(database, shuffled, data.draw(st.integers(1, 3))))
        assert again == calm

    property_holds()
