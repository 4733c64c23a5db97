"""Facts and figures from a real store."""

import pytest
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.refusal import Refused
from cortex_memory.store.db import Pool, connection
from cortex_memory.trace_log import TraceLog
from recall.rows import DAY, PROJECT, Rows, now_ms
from roxabi_contracts.context import (
    ContextRequest,
)
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.operations import FactsRequest, FactStatus, StatsRequest

REQUEST = ContextRequest(project=PROJECT, subjects=("alice@acme.com",), query="Where?")


async def test_facts_are_listed_by_predicate_then_time(rows: Rows, queries: QueryAnswerer) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    late = await rows.fact(alice, "uses", "Python", valid_from=now_ms() - DAY)
    early = await rows.fact(alice, "uses", "Fortran", valid_from=now_ms() - 9 * DAY)
    first = await rows.fact(alice, "likes", "tea")
    await rows.fact(alice, "lives_in", "Lyon", status="superseded")
    reply = await queries.facts(FactsRequest(project=PROJECT, subject="alice@acme.com"))
    assert [fact.id for fact in reply.facts] == [first, early, late]
    assert (reply.subject, reply.truncated) == (alice, False)
    assert reply.facts[0].about_name == "Alice"
    assert reply.facts[0].sources == (f"o-{first[:8]}",)


async def test_history_shows_what_no_longer_holds(rows: Rows, queries: QueryAnswerer) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon", status="superseded")
    await rows.fact(alice, "lives_in", "Rome")
    asked = FactsRequest(project=PROJECT, subject=alice, history=True)
    reply = await queries.facts(asked)
    assert [fact.status for fact in reply.facts] == [FactStatus.SUPERSEDED, FactStatus.ACTIVE]


async def test_a_long_list_is_cut_and_says_so(rows: Rows, queries: QueryAnswerer) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    for city in ("Lyon", "Rome"):
        await rows.fact(alice, "lives_in", city)
    reply = await queries.facts(FactsRequest(project=PROJECT, subject=alice, limit=1))
    assert (len(reply.facts), reply.truncated) == (1, True)


async def test_nobodys_facts_are_refused(rows: Rows, queries: QueryAnswerer) -> None:
    with pytest.raises(Refused) as refusal:
        await queries.facts(FactsRequest(project=PROJECT, subject="nobody@acme.com"))
    assert refusal.value.code is ErrorCode.UNKNOWN_SUBJECT


async def test_every_queue_tells_how_much_waits_and_how_long_the_oldest_has(
    rows: Rows, pool: Pool, queries: QueryAnswerer
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    async with connection(pool) as transaction:
        await transaction.execute(
            "INSERT INTO change_outbox (project, id, message) VALUES (%s, 'c', '')", (PROJECT,)
        )
    stats = await queries.stats(StatsRequest(project=PROJECT))
    ages = {queue.name: (queue.waiting, queue.oldest_seconds) for queue in stats.queues}
    assert set(ages) == {
        *("jobs", "dead_letters", "embeddings", "texts", "changes", "forgettings", "refolds"),
    }
    for name in ("embeddings", "changes"):
        waiting, age = ages[name]
        assert (waiting, age is not None and age >= 0) == (1, True)
    assert ages["jobs"] == ages["forgettings"] == ages["texts"] == (0, None)
    async with connection(pool) as transaction:
        await transaction.execute("UPDATE fact SET terms = NULL")
    stats = await queries.stats(StatsRequest(project=PROJECT))
    (texts,) = [queue for queue in stats.queues if queue.name == "texts"]
    assert (texts.waiting, texts.oldest_seconds) == (1, None)


async def test_failures_and_the_age_of_conflicts_are_told(
    rows: Rows, pool: Pool, queries: QueryAnswerer
) -> None:
    async with connection(pool) as transaction:
        for number, state in enumerate(("pending", "failed", "failed")):
            await transaction.execute(
                "INSERT INTO job (project, observation_id, subject_identifier, said_at, state)"
                " VALUES (%s, %s, 's', 0, %s)",
                (PROJECT, f"o{number}", state),
            )
        for number, days in enumerate((3, 5, 1)):
            await transaction.execute(
                "INSERT INTO conflict_set (project, subject, about, predicate, slot, id, opened_at,"
                " closed_at, row_digest) VALUES (%s, 's', 's', 'p', %s, %s, %s, %s, '')",
                (
                    *(PROJECT, f"slot {number}", f"c{number}", now_ms() - days * DAY),
                    now_ms() if days == 5 else None,
                ),
            )
    stats = await queries.stats(StatsRequest(project=PROJECT))
    (jobs,) = [queue for queue in stats.queues if queue.name == "jobs"]
    assert (jobs.waiting, jobs.failed) == (3, 2)
    assert stats.conflicts_open == 2
    assert stats.oldest_conflict_seconds == pytest.approx(3 * 86_400, abs=60)


async def test_figures_that_were_not_measured_are_null(rows: Rows, queries: QueryAnswerer) -> None:
    await rows.person("alice@acme.com", "Alice")
    stats = await queries.stats(StatsRequest(project=PROJECT))
    assert (stats.requests, stats.injection_rate, stats.latency_p95_ms) == (0, None, None)
    assert (stats.leakage, stats.oldest_conflict_seconds) == (None, None)
    assert (stats.latency_p50_ms, stats.latency_p99_ms) == (None, None)
    assert (stats.entities, stats.embedder) == (1, "multilingual-e5-small-q4")


async def test_figures_count_what_was_asked_and_served(
    rows: Rows, context: ContextAnswerer, queries: QueryAnswerer, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.fact(alice, "drinks", "tea", status="superseded")
    for query in ("lives in Lyon", "zzz"):
        await context.answer(REQUEST.model_copy(update={"query": query}))
    await traces.store()
    stats = await queries.stats(StatsRequest(project=PROJECT))
    assert (stats.requests, stats.injection_rate) == (2, 0.5)
    assert stats.facts == {"active": 1, "superseded": 1}
    assert stats.leakage == 0
    assert stats.latency_p50_ms is not None
    assert stats.latency_p99_ms is not None
    assert stats.latency_p50_ms <= stats.latency_p99_ms
