"""A model that is busy, away, or answers nothing of use: nothing is lost, and little is paid."""

import asyncio

import pytest
from cortex_memory.ask_model import BUSY_SECONDS, MAX_ANSWERS
from memory.observing import BOB, observe
from model.asking import AskingWarehouse
from model.recorded_endpoint import RecordedEndpoint

MILLER = observe(at=1, ref="a", text="My name is Ann Miller.")
MARRIED = observe(at=2, ref="b", text="Since the wedding I am called Ann Berger, no longer Miller.")
FAILURE: tuple[int, dict[str, str]] = (500, {})


async def test_a_batch_that_fails_asks_for_nothing_again(
    warehouse: AskingWarehouse, endpoint: RecordedEndpoint
) -> None:
    await warehouse.rows_without_answer(
        b"ALTER TABLE episode ADD CONSTRAINT poison CHECK (source_ref <> 'b')"
    )
    await warehouse.inbox.store([MILLER, MARRIED])
    await warehouse.ask_and_drain()
    assert [failure[:2] for failure in await warehouse.failures()] == [("failed", 1)]

    await warehouse.rows_without_answer(b"ALTER TABLE episode DROP CONSTRAINT poison")
    await warehouse.make_due()
    await warehouse.ask_and_drain()

    assert endpoint.texts() == [MILLER.payload.text, MARRIED.payload.text]
    assert await warehouse.dump() == await warehouse.reference()


@pytest.mark.parametrize(("headers", "seconds"), [({"Retry-After": "7"}, 7.0), ({}, BUSY_SECONDS)])
async def test_a_busy_provider_stops_everybody_and_costs_no_attempt(
    warehouse: AskingWarehouse,
    endpoint: RecordedEndpoint,
    headers: dict[str, str],
    seconds: float,
) -> None:
    endpoint.failures = iter([(429, headers)])
    said = [MILLER, observe(at=1, ref="bob", text="Hello.", actors=[BOB])]
    await warehouse.inbox.store(said)

    assert await warehouse.asker().run_once() == seconds

    waiting = b"SELECT awaits_model, state, attempts FROM job ORDER BY 1"
    # The answer that came beside the refusal is kept.
    assert await warehouse.rows(waiting) == [(False, "pending", 0), (True, "pending", 0)]
    await warehouse.ask_and_drain()
    assert len(endpoint.documents) == 3
    assert await warehouse.facts() == [("family_name", "Miller", "active")]


async def test_it_is_asked_again_once_the_time_is_over(
    warehouse: AskingWarehouse, endpoint: RecordedEndpoint
) -> None:
    endpoint.failures = iter([(429, {"Retry-After": "1"})])
    await warehouse.inbox.store([MILLER])
    stopping = asyncio.Event()
    asking = asyncio.create_task(warehouse.asker().run(stopping))

    async with asyncio.timeout(30):
        while not await warehouse.facts():
            await asyncio.sleep(0.1)
            await warehouse.drain()

    stopping.set()
    await asking
    assert len(endpoint.documents) == 2


async def test_an_endpoint_that_fails_fails_the_job_and_nothing_is_lost(
    warehouse: AskingWarehouse, endpoint: RecordedEndpoint
) -> None:
    endpoint.failures = (FAILURE for _ in range(7))
    await warehouse.inbox.store([MILLER])
    for attempt in range(1, 8):
        await warehouse.ask_and_drain(rounds=1)
        assert await warehouse.failures() == [
            ("failed", attempt, "the endpoint answered with HTTP 500")
        ]
        await warehouse.make_due()

    await warehouse.ask_and_drain()
    assert await warehouse.facts() == [("family_name", "Miller", "active")]
    assert (await warehouse.usage()).requests == 1


async def test_answers_that_cannot_be_used_are_paid_for_a_few_times_only(
    warehouse: AskingWarehouse, endpoint: RecordedEndpoint
) -> None:
    endpoint.garbled = {MILLER.payload.text}
    await warehouse.inbox.store([MILLER, MARRIED])
    for _ in range(MAX_ANSWERS + 2):
        await warehouse.ask_and_drain()
        await warehouse.make_due()

    assert endpoint.texts().count(MILLER.payload.text) == MAX_ANSWERS
    assert (await warehouse.usage()).requests == MAX_ANSWERS + 1
    assert await warehouse.failures() == [("failed", MAX_ANSWERS, "the answer is malformed")]
    # Those that came later were not held up.
    assert await warehouse.facts() == [("family_name", "Berger", "active")]
