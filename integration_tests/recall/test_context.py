"""Requests for context against a real store and real vectors."""

import asyncio
from datetime import UTC, datetime

import pytest
from cortex_local.services import MEMORY
from cortex_memory.answer_context import LEXICAL, ContextAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.errors import Overloaded
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.profiles import PROFILES
from cortex_memory.recall.search import PER_ARM
from cortex_memory.refusal import Refused
from cortex_memory.store.db import Pool, connection, open_pool
from cortex_memory.trace_log import TraceLog
from databases import DatabaseServer
from recall.rows import DAY, PROJECT, EmbedAll, Rows, now_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.context import ContextRequest, Limits, Reason, Status, TraceDecision
from roxabi_contracts.errors import ErrorCode


def ask(query: str, *subjects: str, **changes: object) -> ContextRequest:
    fields = {"project": PROJECT, "subjects": subjects or ("alice@acme.com",), "query": query}
    return ContextRequest.model_validate(fields | changes)


async def test_the_nearest_fact_comes_first_in_either_language(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    lives = await rows.fact(alice, "lives_in", "Lyon")
    await rows.fact(alice, "favourite_colour", "blue")
    await embed_all()
    for query in ("Where does Alice live?", "Où habite Alice ?"):
        packet = await context.answer(ask(query))
        assert packet.facts[0].id == lives
        assert packet.facts[0].about_name == "Alice"
        assert packet.facts[0].source_event_ids == (f"o-{lives[:8]}",)
        assert packet.status is Status.OK


async def test_episodes_follow_the_facts(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    near = await rows.episode(alice, "I moved to Lyon last week.")
    await rows.episode(alice, "The invoice was paid.")
    await embed_all()
    packet = await context.answer(ask("Where does Alice live?"))
    assert packet.episodes[0].event_id == near
    assert packet.episodes[0].who == "Alice"


async def test_what_has_no_vector_yet_is_found_by_any_of_its_words(
    rows: Rows, context: ContextAnswerer
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    fact = await rows.fact(alice, "lives_in", "Lyon")
    episode = await rows.episode(alice, "I live near the station.")
    packet = await context.answer(ask("Does she live in Lyon or Paris?"))
    assert [one.id for one in packet.facts] == [fact]
    assert [one.event_id for one in packet.episodes] == [episode]


async def test_without_an_embedder_the_answer_is_lexical_and_says_so(
    rows: Rows, pool: Pool, no_embedding: EmbeddingService, traces: TraceLog, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    fact = await rows.fact(alice, "lives_in", "Lyon")
    await embed_all()
    lexical = ContextAnswerer(pool, SystemClock(), Catalogues(), no_embedding, traces)
    packet = await lexical.answer(ask("Is it Lyon that she calls home?"))
    assert [one.id for one in packet.facts] == [fact]
    assert (packet.status, packet.warnings) == (Status.DEGRADED, (LEXICAL,))


async def test_retired_facts_are_neither_served_nor_in_the_way(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    for city in range(100):
        await rows.fact(alice, "lives_in", f"Lyon {city}")
    live = await rows.fact(alice, "lives_in", "Berlin")
    await embed_all()
    async with connection(rows.pool) as transaction:
        await transaction.execute("UPDATE fact SET status = 'superseded' WHERE id <> %s", (live,))
    packet = await context.answer(ask("Lyon"))
    assert [one.id for one in packet.facts] == [live]


async def test_hidden_facts_are_counted_and_traced(
    rows: Rows, context: ContextAnswerer, traces: TraceLog, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    one = await rows.fact(alice, "drinks", "tea", conflict_id="c")
    other = await rows.fact(alice, "drinks", "coffee", status="candidate", conflict_id="c")
    old = now_ms() - 8 * DAY
    tired = await rows.fact(alice, "mood", "tired", volatility="ephemeral", valid_from=old)
    await embed_all()
    packet = await context.answer(ask("What does Alice drink?"))
    assert packet.facts == ()
    assert packet.warnings == (
        "open_conflict: 2 fact(s) hidden pending conflict resolution",
        "volatility_expired: 1 fact(s) hidden pending confirmation",
    )
    assert (packet.status, packet.empty_reason) == (Status.DEGRADED, None)
    assert packet.trace_id is not None
    trace = await traces.find(PROJECT, packet.trace_id)
    assert trace is not None
    assert {(traced.id, traced.reason) for traced in trace.candidates} == {
        (one, Reason.CONFLICT_OPEN),
        (other, Reason.CONFLICT_OPEN),
        (tired, Reason.VOLATILITY_EXPIRED),
    }
    assert {traced.decision for traced in trace.candidates} == {TraceDecision.BLOCKED}


async def test_a_project_may_see_what_others_are_not_shown(
    rows: Rows, pool: Pool, embedding: EmbeddingService, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "drinks", "tea", conflict_id="c")
    await rows.fact(alice, "drinks", "coffee", status="candidate", conflict_id="c")
    old = now_ms() - 8 * DAY
    await rows.fact(alice, "mood", "tired", volatility="ephemeral", valid_from=old)
    flagging = {PROJECT: Flagging(contested=True, expired=True)}
    answerer = ContextAnswerer(
        pool, SystemClock(), Catalogues(), embedding, traces, flaggings=flagging
    )
    packet = await answerer.answer(ask("drinks or mood?"))
    assert {(one.conflict_id, one.expired) for one in packet.facts} == {("c", False), (None, True)}
    assert (len(packet.facts), packet.warnings, packet.status) == (3, (), Status.OK)


async def test_what_a_third_party_said_is_marked(
    rows: Rows, context: ContextAnswerer, pool: Pool
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.episode(alice, "Lyon is where she lives.")
    async with connection(pool) as transaction:
        await transaction.execute("UPDATE fact SET authority = 1")
        await transaction.execute("UPDATE episode SET origin = 'third_party'")
    packet = await context.answer(ask("Lyon"))
    assert (packet.facts[0].from_outside, packet.episodes[0].from_outside) == (True, True)


async def test_a_goal_moves_what_serves_it_to_the_front(
    rows: Rows, context: ContextAnswerer, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "uses", "a red hammer")
    wanted = await rows.fact(alice, "uses", "a red bicycle")
    packet = await context.answer(ask("uses red", goal="sell the bicycle"))
    assert packet.facts[0].id == wanted
    assert packet.trace_id is not None
    trace = await traces.find(PROJECT, packet.trace_id)
    assert trace is not None
    gains = {one.id: one.terms["goal"] for one in trace.candidates}
    assert gains[wanted] > 0
    assert sorted(gains.values())[0] == 0


async def test_ties_are_broken_alike_on_two_installations(
    database_server: DatabaseServer, no_embedding: EmbeddingService
) -> None:
    cities = [f"city {number}" for number in range(12)]
    begun = now_ms() - DAY
    served: list[tuple[object, ...]] = []
    for order in (cities, cities[::-1]):
        with database_server.fresh(MEMORY) as url:
            async with open_pool(url, size=4) as pool:
                rows = Rows(pool)
                alice = await rows.person("alice@acme.com", "Alice")
                for city in order:
                    await rows.fact(alice, "visited", city, valid_from=begun)
                    await rows.episode(alice, f"I visited {city}.", said_at=begun)
                answerer = ContextAnswerer(
                    pool, SystemClock(), Catalogues(), no_embedding, TraceLog(pool)
                )
                packet = await answerer.answer(ask("visited", budget_tokens=200))
                served.append((packet.facts, packet.episodes, packet.tokens))
    assert served[0] == served[1]


async def test_who_would_wait_too_long_for_a_turn_is_told_to_come_again(
    rows: Rows, pool: Pool, no_embedding: EmbeddingService, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    closed = ContextAnswerer(pool, SystemClock(), Catalogues(), no_embedding, traces, at_once=0)
    with pytest.raises(Overloaded):
        await closed.answer(ask("Lyon"))
    narrow = ContextAnswerer(pool, SystemClock(), Catalogues(), no_embedding, traces, at_once=1)
    packets = await asyncio.gather(*(narrow.answer(ask("Lyon")) for _ in range(4)))
    assert [len(packet.facts) for packet in packets] == [1, 1, 1, 1]


async def test_a_memory_is_never_served_to_another_subject_or_project(
    rows: Rows, context: ContextAnswerer, pool: Pool, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    bob = await rows.person("bob@acme.com", "Bob")
    other = Rows(pool, project="other")
    await other.fact(await other.person("alice@acme.com", "Alice"), "lives_in", "Oslo")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.fact(bob, "lives_in", "Rome")
    await embed_all()
    packet = await context.answer(ask("Where do they live?", "bob@acme.com"))
    assert [fact.value["value"] for fact in packet.facts] == ["Rome"]


async def test_several_memories_can_be_asked_at_once(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    bob = await rows.person("bob@acme.com", "Bob")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.fact(bob, "lives_in", "Rome")
    await embed_all()
    packet = await context.answer(ask("Where do they live?", "email:BOB@acme.com", alice))
    assert {fact.subject for fact in packet.facts} == {alice, bob}


async def test_about_narrows_the_facts_to_one_entity(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    bob = await rows.person("bob@acme.com", "Bob")
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(bob, "lives_in", "Rome")
    in_bobs_memory = await rows.fact(bob, "lives_in", "Berlin", about=alice)
    await embed_all()
    packet = await context.answer(ask("home", "bob@acme.com", about="alice@acme.com"))
    assert [fact.id for fact in packet.facts] == [in_bobs_memory]


async def test_about_finds_the_one_among_many_that_are_nearer(
    rows: Rows,
    context: ContextAnswerer,
    pool: Pool,
    no_embedding: EmbeddingService,
    traces: TraceLog,
    embed_all: EmbedAll,
) -> None:
    bob = await rows.person("bob@acme.com", "Bob")
    alice = await rows.person("alice@acme.com", "Alice")
    for number in range(PER_ARM + 6):
        await rows.fact(bob, "travels_to", f"town {number} of towns")
    wanted = await rows.fact(
        bob, "note", "one of the towns, in a long and winding note", about=alice
    )
    await embed_all()
    lexical = ContextAnswerer(pool, SystemClock(), Catalogues(), no_embedding, traces)
    for answerer, query in ((context, "Where are journeys made?"), (lexical, "towns")):
        packet = await answerer.answer(ask(query, "bob@acme.com", about="alice@acme.com"))
        assert [fact.id for fact in packet.facts] == [wanted], query


async def test_a_shared_name_leads_to_facts_one_hop_further(
    rows: Rows, context: ContextAnswerer, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "manager", "Zoé", waits=True)
    hop = await rows.fact(alice, "birthday", "Zoé in May", waits=False)
    packet = await context.answer(ask("manager", limits=Limits(episodes=0)))
    assert [fact.id for fact in packet.facts][1:] == [hop]
    assert packet.trace_id is not None
    trace = await traces.find(PROJECT, packet.trace_id)
    assert trace is not None
    assert {one.reason for one in trace.candidates} == {
        Reason.SELECTED,
        Reason.MULTI_HOP_EXPANSION,
    }


async def test_a_name_leads_to_five_facts_at_most(rows: Rows, context: ContextAnswerer) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    manager = await rows.fact(alice, "manager", "Zoé")
    for number in range(7):
        await rows.fact(alice, f"note_{number}", f"Zoé, {number}", waits=False)
    packet = await context.answer(ask("manager", limits=Limits(episodes=0)))
    assert packet.facts[0].id == manager
    assert 1 < len(packet.facts) <= 1 + 5


ODD_QUERIES: tuple[str, ...] = (
    *("'", "a & | !", "\\", "((", '"open', '""', "-", "- -x", "日本", "🙂 !!", "a:*b", ":*", "or"),
    *("or or", "a <-> b", "<2>", "o'neil \\ 'x' \\'", "%s %(x)s $1 {}", "\x01\u200b", "the of and"),
    *("http://a.b/c?d=e&f=%27", "a/b\\c", "x" * 8192, "-y " * 2730, "lyon " * 1638),
)


@pytest.mark.parametrize("profile", PROFILES)
async def test_no_query_is_a_syntax_error(
    rows: Rows,
    pool: Pool,
    embedding: EmbeddingService,
    no_embedding: EmbeddingService,
    traces: TraceLog,
    embed_all: EmbedAll,
    profile: str,
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    await rows.fact(alice, "lives_in", "Lyon")
    await rows.episode(alice, "I moved to Lyon.")
    await embed_all()
    await rows.fact(alice, "waits_for", "its vector in Lyon")
    for service in (embedding, no_embedding):
        answerer = ContextAnswerer(
            pool, SystemClock(), Catalogues(), service, traces, PROFILES[profile]
        )
        for query in ODD_QUERIES:
            for as_of in (None, datetime(2000, 1, 1, tzinfo=UTC), datetime(1, 1, 1, tzinfo=UTC)):
                packet = await answerer.answer(ask(query, as_of=as_of))
                assert packet.trace_id, query
                assert as_of is None or packet.facts == ()
    assert await traces.store()


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (ask("x", budget_tokens=0), ErrorCode.BUDGET_EXCEEDED),
        (ask("x", budget_tokens=-5), ErrorCode.BUDGET_EXCEEDED),
        (ask("  \n"), ErrorCode.EMPTY_QUERY),
        (ask("x", "nobody@acme.com"), ErrorCode.UNKNOWN_SUBJECT),
        (ask("x", "no such thing"), ErrorCode.UNKNOWN_SUBJECT),
        (ask("x", about="nobody@acme.com"), ErrorCode.UNKNOWN_SUBJECT),
        (ask("x", project="nowhere"), ErrorCode.UNKNOWN_SUBJECT),
    ],
)
async def test_what_cannot_be_answered_is_refused(
    rows: Rows, context: ContextAnswerer, request_: ContextRequest, code: ErrorCode
) -> None:
    await rows.person("alice@acme.com", "Alice")
    with pytest.raises(Refused) as refusal:
        await context.answer(request_)
    assert refusal.value.code is code


async def test_an_empty_memory_is_no_relevant_memory(rows: Rows, context: ContextAnswerer) -> None:
    await rows.person("alice@acme.com", "Alice")
    packet = await context.answer(ask("anything"))
    assert (packet.status, packet.empty_reason) == (Status.OK, "no_relevant_memory")
