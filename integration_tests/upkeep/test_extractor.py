"""A model is asked once per observation; one that is busy or away loses nothing."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from cortex_memory.extractor.claims import ClaimsExtractor
from cortex_memory.extractor.port import ProviderBusy, ProviderFailed
from cortex_memory.rebuild import rebuild
from cortex_memory.retain.extract import Extraction
from cortex_memory.store.jobs import kept_lease, lease_jobs
from memory.observing import claim, observe
from memory.warehouse import Warehouse
from roxabi_contracts.observation import MadeBy, Observation

SAID = [observe(claim("uses", f"tool {n}"), at=n, ref=f"r{n}") for n in range(6)]


@dataclass
class CountingModel(ClaimsExtractor):
    """Stands in for a model: finds what is claimed, and counts for what it was asked."""

    name = "counting"
    asked: Counter[str] = field(default_factory=Counter[str])
    busy_before: int | None = None
    """It answers so many observations of the next request, and is busy then."""
    retry_after: float | None = None
    is_away: bool = False

    async def extract(self, observations: Sequence[Observation]) -> list[Extraction]:
        if self.is_away:
            raise ProviderFailed("the model is away")
        if self.busy_before is not None:
            answering, self.busy_before = observations[: self.busy_before], None
            answered = await self.extract(answering)
            raise ProviderBusy("too many requests", self.retry_after, answered)
        self.asked.update(seen.id for seen in observations)
        return await super().extract(observations)


def everyone_once(model: CountingModel) -> bool:
    return model.asked == Counter(seen.id for seen in SAID)


def with_model(warehouse: Warehouse, model: CountingModel) -> Warehouse:
    return Warehouse(warehouse.pool, extractor=model)


async def jobs(warehouse: Warehouse) -> list[tuple[object, ...]]:
    """State, attempts, and whether it waits for more than a second."""
    return list(
        await warehouse.rows(
            b"SELECT state, attempts, due_at > now() + interval '1 second', count(*) "
            b"FROM job GROUP BY 1, 2, 3 ORDER BY 1, 2, 3"
        )
    )


async def due_now(warehouse: Warehouse) -> None:
    await warehouse.rows_without_answer(b"UPDATE job SET due_at = now()")


async def test_replays_new_readings_and_rebuilds_ask_for_nothing_again(
    warehouse: Warehouse,
) -> None:
    model = CountingModel()
    ours = with_model(warehouse, model)
    await ours.retain(SAID[:3], SAID[3:], workers=2)
    before = await ours.dump()

    newer = [each.model_copy(update={"made_by": MadeBy(parser=2)}) for each in SAID]
    for again in (SAID, reversed(SAID), newer):
        await ours.retain(again)
    for _ in range(2):
        await rebuild(ours.pool, None, ours.worker(), lambda done, total: None)

    assert everyone_once(model)
    assert await ours.dump() == before == await ours.reference()


async def test_a_batch_that_fails_asks_for_nothing_again(warehouse: Warehouse) -> None:
    model = CountingModel()
    ours = with_model(warehouse, model)
    await ours.inbox.store(SAID)
    await ours.rows_without_answer(
        b"ALTER TABLE episode ADD CONSTRAINT poison CHECK (source_ref <> 'r3')"
    )
    await ours.drain()
    assert await jobs(ours) == [("failed", 1, True, 1)]

    await ours.rows_without_answer(b"ALTER TABLE episode DROP CONSTRAINT poison")
    await due_now(ours)
    await ours.drain()

    assert everyone_once(model)
    assert await ours.dump() == await ours.reference()


async def test_a_busy_provider_stops_the_batch_and_is_left_alone_as_long_as_it_says(
    warehouse: Warehouse,
) -> None:
    model = CountingModel(busy_before=2, retry_after=60)
    ours = with_model(warehouse, model)
    await ours.inbox.store(SAID)

    await ours.drain(workers=2)

    assert sum(model.asked.values()) == 2
    assert await jobs(ours) == [("pending", 0, True, len(SAID))]
    await due_now(ours)
    await ours.drain(workers=2)
    assert sum(model.asked.values()) == 2, "the pause is not over"

    ours.parts.pause.until = 0
    await ours.drain()
    assert everyone_once(model)
    assert await ours.dump() == await ours.reference()


async def test_a_provider_that_does_not_say_how_long_is_left_alone_too(
    warehouse: Warehouse,
) -> None:
    ours = with_model(warehouse, CountingModel(busy_before=0))
    await ours.inbox.store(SAID)

    await ours.drain()

    assert await jobs(ours) == [("pending", 0, True, len(SAID))]


async def test_it_is_asked_again_as_soon_as_the_time_is_over(warehouse: Warehouse) -> None:
    model = CountingModel(busy_before=1, retry_after=0.3)
    ours = with_model(warehouse, model)
    await ours.inbox.store(SAID)
    await ours.drain()

    await asyncio.sleep(0.4)
    await ours.drain()

    assert everyone_once(model)
    assert await ours.rows(b"SELECT count(*) FROM job") == [(0,)]


async def test_a_provider_that_is_away_fails_the_jobs_and_loses_nothing(
    warehouse: Warehouse,
) -> None:
    model = CountingModel(is_away=True)
    ours = with_model(warehouse, model)
    await ours.inbox.store(SAID)
    for attempts in (1, 2):
        await due_now(ours)
        await ours.drain()
        assert await jobs(ours) == [("failed", attempts, True, len(SAID))]
    errors = await ours.rows(b"SELECT DISTINCT error FROM job")
    assert errors == [("ProviderFailed: the model is away",)]

    model.is_away = False
    await due_now(ours)
    await ours.drain()

    assert everyone_once(model)
    assert await ours.dump() == await ours.reference()


async def test_a_lease_lasts_as_long_as_the_model_takes(warehouse: Warehouse) -> None:
    await warehouse.inbox.store(SAID)
    lease = await lease_jobs(warehouse.pool, 100, 100)

    async with kept_lease(warehouse.pool, lease.token, seconds=0.6):
        await warehouse.rows_without_answer(b"UPDATE job SET due_at = now()")
        await asyncio.sleep(0.5)
        assert not (await lease_jobs(warehouse.pool, 100, 100)).jobs
    await asyncio.sleep(0.7)

    assert len((await lease_jobs(warehouse.pool, 100, 100)).jobs) == len(SAID)
