"""The accounts of requests: on their way, in the store, and when they are not kept."""

import asyncio

import pytest
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.refusal import Refused
from cortex_memory.store import traces as stored
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.traces import Account
from cortex_memory.trace_log import CAPACITY, TraceLog
from cortex_memory.waiting import pause
from recall.rows import DAY, PROJECT, Rows, now_ms
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.context import (
    ContextRequest,
    ContextTrace,
    Reason,
    Status,
    TracedCandidate,
    TraceDecision,
    TraceRequest,
)
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.operations import FactStatus, StatsRequest

REQUEST = ContextRequest(project=PROJECT, subjects=("alice@acme.com",), query="Where?")

ALL_OF_NOW = "9000000000000:9000000000000:"
"""A snapshot that shows all that there is."""


def account_of(trace: ContextTrace, snapshot: str | None) -> Account:
    is_of_now = snapshot is not None
    return Account(trace.project, trace.trace_id, lambda: trace, snapshot or ALL_OF_NOW, is_of_now)


async def present_snapshot(pool: Pool) -> str:
    async with connection(pool) as transaction:
        row = await (await transaction.execute("SELECT pg_current_snapshot()::text")).fetchone()
    assert row is not None
    return str(row[0])


async def test_what_was_asked_while_something_was_erased_leaves_no_trace(
    rows: Rows, pool: Pool, traces: TraceLog
) -> None:
    async def forget(id: str, state: str, project: str = PROJECT) -> None:
        async with connection(pool) as transaction:
            await transaction.execute(
                "INSERT INTO forgetting (project, id, subject, scope, mode, requested_by,"
                " requested_at, state) VALUES (%s, %s, 's', 'subject', 'erase', 'me', 1, %s)",
                (project, id, state),
            )

    async def kept(trace_id: str, snapshot: str) -> bool:
        trace = trace_of(trace_id).model_copy(update={"asked_at": from_epoch_ms(now_ms())})
        traces.note(account_of(trace, snapshot))
        assert await traces.store()
        return await traces.find(PROJECT, trace_id) is not None

    before = await present_snapshot(pool)
    assert await kept("t1", before)
    await forget("a", "asked")
    await forget("b", "erased", project="other")
    assert await kept("t2", before)
    await forget("c", "erased")
    assert not await kept("t3", before)
    assert await kept("t4", await present_snapshot(pool))


async def test_a_trace_that_cannot_be_stored_is_not_in_the_way_of_others(
    rows: Rows, traces: TraceLog
) -> None:
    broken = trace_of("t1").model_copy(update={"trace_id": "t1\0"})
    traces.note(account_of(broken, None))
    traces.note(account_of(trace_of("t2"), None))
    assert await traces.store()
    assert await rows.count(b"SELECT count(*) FROM trace") == 1


def trace_of(trace_id: str) -> ContextTrace:
    number = int(trace_id[1:])
    return ContextTrace.model_validate(
        {
            "trace_id": trace_id,
            "project": PROJECT,
            "asked_at": from_epoch_ms(now_ms() - 1_000_000 + number),
            "request": REQUEST,
            "candidates": (),
            "status": Status.OK,
        }
    )


async def test_a_trace_is_found_before_and_after_it_is_stored(
    rows: Rows, context: ContextAnswerer, queries: QueryAnswerer, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    packet = await context.answer(REQUEST.model_copy(update={"query": "lives in Lyon"}))
    assert packet.trace_id is not None
    asked = TraceRequest(project=PROJECT, trace_id=packet.trace_id)
    before = await queries.trace(asked)
    assert await traces.store()
    assert await queries.trace(asked) == before
    assert before.candidates[0].text == f"- Alice: lives in: Lyon (since {since(before)})"
    assert before.duration_ms is not None
    with pytest.raises(Refused) as refusal:
        await queries.trace(TraceRequest(project="other", trace_id=packet.trace_id))
    assert refusal.value.code is ErrorCode.NOT_FOUND


def since(trace: ContextTrace) -> str:
    text = trace.candidates[0].text
    assert text is not None
    return text.removesuffix(")").rsplit(" ", 1)[1]


async def test_traces_are_bounded_on_their_way_and_in_the_store(
    rows: Rows, pool: Pool, traces: TraceLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(CAPACITY + 3):
        traces.note(account_of(trace_of(f"t{number:04d}"), None))
    assert await traces.find(PROJECT, "t0000") is None
    assert await traces.find(PROJECT, "t0003") is not None
    monkeypatch.setattr(stored, "KEPT", 10)
    assert await traces.store()
    assert await rows.count(b"SELECT count(*) FROM trace") <= 11


async def test_a_trace_is_stored_soon_after_it_is_noted(rows: Rows, traces: TraceLog) -> None:
    stopping = asyncio.Event()
    running = asyncio.create_task(traces.run(stopping))
    for number in range(1, 3):
        await pause(stopping, 0.1)
        traces.note(account_of(trace_of(f"t{number}"), None))
        async with asyncio.timeout(30):
            while await rows.count(b"SELECT count(*) FROM trace") < number:
                await pause(stopping, 0.02)
    stopping.set()
    await running


async def test_a_trace_is_stored_even_where_somebody_else_took_the_notice_of_it(
    rows: Rows, pool: Pool, traces: TraceLog
) -> None:
    stopping = asyncio.Event()
    async with connection(pool) as transaction:
        await transaction.execute("LOCK TABLE trace")
        traces.note(account_of(trace_of("t1"), None))
        running = asyncio.create_task(traces.run(stopping))
        await pause(stopping, 0.3)  # it stores the first, and waits for the lock
        traces.note(account_of(trace_of("t2"), None))
        other = asyncio.create_task(traces.store())
        await pause(stopping, 0.3)
        other.cancel()
        await asyncio.gather(other, return_exceptions=True)
    async with asyncio.timeout(30):
        while await rows.count(b"SELECT count(*) FROM trace") < 2:
            await pause(stopping, 0.02)
    stopping.set()
    await running


async def test_a_fault_while_storing_traces_ends_nothing(
    rows: Rows, pool: Pool, traces: TraceLog
) -> None:
    traces.note(account_of(trace_of("t0"), None))
    async with connection(pool) as transaction:
        await transaction.execute("ALTER TABLE trace RENAME TO away")
    stopping = asyncio.Event()
    running = asyncio.create_task(traces.run(stopping))
    await asyncio.sleep(0.3)
    assert not running.done()
    async with connection(pool) as transaction:
        await transaction.execute("ALTER TABLE away RENAME TO trace")
    stopping.set()
    await running
    assert await rows.count(b"SELECT count(*) FROM trace") == 1


async def test_what_is_too_old_is_forgotten_even_where_nobody_asks_any_more(
    rows: Rows, pool: Pool, traces: TraceLog
) -> None:
    old = trace_of("t1").model_copy(update={"asked_at": from_epoch_ms(now_ms() - 31 * DAY)})
    traces.note(account_of(old, None))
    traces.note(account_of(trace_of("t2"), None))
    assert await traces.store()
    stopping = asyncio.Event()
    running = asyncio.create_task(traces.run(stopping))
    async with asyncio.timeout(30):
        while await rows.count(b"SELECT count(*) FROM trace") > 1:
            await pause(stopping, 0.02)
    stopping.set()
    await running
    assert await traces.find(PROJECT, "t2") is not None


RETIRED = sorted({*FactStatus} - {FactStatus.ACTIVE, FactStatus.CANDIDATE, FactStatus.SCHEDULED})


@pytest.mark.parametrize("status", RETIRED)
async def test_a_fact_served_after_it_was_retired_is_counted_as_leaked(
    rows: Rows, pool: Pool, queries: QueryAnswerer, traces: TraceLog, status: FactStatus
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    before = await rows.fact(alice, "lives_in", "Lyon")
    after = await rows.fact(alice, "drinks", "tea")
    active = await rows.fact(alice, "likes", "cats")

    async def retire(fact: str) -> None:
        async with connection(pool) as transaction:
            await transaction.execute("UPDATE fact SET status = %s WHERE id = %s", (status, fact))

    await retire(before)
    snapshot = await present_snapshot(pool)
    await retire(after)
    served = trace_of("t1").model_copy(
        update={"candidates": tuple(served_fact(fact) for fact in (before, after, active))}
    )
    unmeasured = served.model_copy(update={"trace_id": "t2"})
    traces.note(account_of(unmeasured, None))
    assert await traces.store()
    assert (await queries.stats(StatsRequest(project=PROJECT))).leakage is None
    traces.note(account_of(served, snapshot))
    assert await traces.store()
    assert (await queries.stats(StatsRequest(project=PROJECT))).leakage == 1


def served_fact(fact: str) -> TracedCandidate:
    return TracedCandidate(
        id=fact, kind="fact", decision=TraceDecision.INCLUDED, reason=Reason.SELECTED
    )
