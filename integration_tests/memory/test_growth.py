"""Large groups go on from a fold that was kept: whoever else writes, the dump is the same."""

import asyncio
from collections.abc import Iterable

import pytest
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.rebuild import rebuild
from cortex_memory.retain.group_fold import GroupFold
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.db import Pool, open_pool
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from memory.observing import PROJECT, claim, observe
from memory.test_order import deliveries, observations
from memory.warehouse import Warehouse
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import ClaimAction


class CountingFolds(KeptFolds):
    """Keeps every group, and counts the folds that were gone on with."""

    def __init__(self) -> None:
        super().__init__(large=1)
        self.taken = 0

    def take(self, key: GroupKey, mark: str | None) -> GroupFold | None:
        fold = super().take(key, mark)
        self.taken += fold is not None
        return fold


def moves(towns: Iterable[str], begin: int = 1) -> list[Observation]:
    return [
        observe(claim("lives_in", town), at=at, ref=f"{town}-{at}")
        for at, town in enumerate(towns, begin)
    ]


def test_going_on_and_folding_anew_give_one_dump(database: str) -> None:
    async def dumps(batches: list[list[Observation]], folds: KeptFolds) -> list[list[bytes]]:
        async with open_pool(database, size=6) as pool:
            warehouse = Warehouse(pool, folds=folds)
            await warehouse.clear()
            await warehouse.retain(*batches)
            assert await warehouse.rows(b"SELECT observation_id, error FROM job") == []
            return [await warehouse.dump(), await warehouse.reference()]

    growing = CountingFolds()

    @settings(
        max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow], database=None
    )
    @given(st.data())
    def property_holds(data: st.DataObject) -> None:
        said = data.draw(st.lists(observations(), min_size=2, max_size=12))
        batches = data.draw(deliveries(said))
        anew = asyncio.run(dumps(batches, KeptFolds(large=1_000)))
        assert asyncio.run(dumps(batches, growing)) == anew
        assert anew[0] == anew[1]

    batches = [moves(["Rome", "Oslo"]), moves(["Bern"], begin=3)]
    assert asyncio.run(dumps(batches, growing)) == asyncio.run(dumps(batches, KeptFolds()))
    assert growing.taken, "nothing was gone on with"
    property_holds()


@pytest.mark.parametrize("workers", [2, 8])
async def test_many_workers_on_one_subject_lose_nothing(pool: Pool, workers: int) -> None:
    folds = CountingFolds()
    warehouse = Warehouse(pool, folds=folds)
    said = [
        observe(claim("uses" if at % 3 else "lives_in", f"V{at % 7}"), at=at, ref=f"{at}")
        for at in range(1, 121)
    ]
    for start in range(0, len(said), 30):
        await warehouse.inbox.store(said[start : start + 30])
        await asyncio.gather(warehouse.drain(workers), warehouse.drain(1))

    assert await warehouse.rows(b"SELECT count(*) FROM assertion") == [(120,)]
    assert (
        await warehouse.rows(
            b"SELECT slot FROM fact WHERE status = 'active' GROUP BY slot HAVING count(*) > 1"
        )
        == []
    )
    assert await warehouse.dump() == await warehouse.reference()
    assert folds.taken


async def test_a_fold_is_stale_once_another_process_has_written(pool: Pool) -> None:
    ours, theirs = (Warehouse(pool, folds=CountingFolds()) for _ in range(2))
    await ours.retain(moves(["Rome", "Oslo"]))
    await theirs.retain(moves(["Paris"], begin=3))

    await ours.retain(moves(["Bern"], begin=4))

    assert isinstance(ours.parts.folds, CountingFolds)
    assert not ours.parts.folds.taken
    assert await ours.dump() == await ours.reference()


async def test_a_fold_is_stale_after_a_rebuild(pool: Pool) -> None:
    warehouse = Warehouse(pool, folds=CountingFolds())
    await warehouse.retain(moves(["Rome", "Oslo"]))
    other = Warehouse(pool)
    await rebuild(other.parts, PROJECT, lambda done, total: None)

    await warehouse.retain(moves(["Bern"], begin=4))

    assert isinstance(warehouse.parts.folds, CountingFolds)
    assert not warehouse.parts.folds.taken
    assert await warehouse.dump() == await warehouse.reference()


async def test_what_a_late_saying_takes_from_a_fact_is_taken_from_its_row(pool: Pool) -> None:
    """A retract between two sayings of one value: the later of them is a fact of its own."""
    warehouse = Warehouse(pool, folds=CountingFolds())
    await warehouse.retain(moves(["Rome", "Rome", "Rome"]))
    gone = observe(claim("lives_in", "Rome", action=ClaimAction.RETRACT), at=2, ref="0-gone")

    await warehouse.retain([gone])

    assert isinstance(warehouse.parts.folds, CountingFolds)
    assert warehouse.parts.folds.taken
    assert await warehouse.dump() == await warehouse.reference()
