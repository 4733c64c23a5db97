"""What contradicts a fact, or is due, or is said again and again, in requests for context."""

from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.recall.filters import Flagging
from cortex_memory.store.candidates import MOST_SOURCES
from cortex_memory.store.db import Pool, connection
from cortex_memory.trace_log import TraceLog
from recall.rows import DAY, PROJECT, EmbedAll, Rows, now_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.context import ContextRequest, Reason


async def contest(rows: Rows, subject: str, facts: tuple[str, ...]) -> None:
    """Open the ConflictSet "c" of these facts."""
    async with connection(rows.pool) as transaction:
        await transaction.execute(
            "INSERT INTO conflict_set (project, subject, about, predicate, slot, id, opened_at,"
            " row_digest) VALUES (%s, %s, %s, 'drinks', 'slot', 'c', 1, '')",
            (PROJECT, subject, subject),
        )
        for position, fact in enumerate(facts):
            await transaction.execute(
                "INSERT INTO conflict_member (project, conflict_id, fact_id, position)"
                " VALUES (%s, 'c', %s, %s)",
                (PROJECT, fact, position),
            )


async def test_a_fact_brings_what_contradicts_it_however_far_that_is(
    rows: Rows,
    pool: Pool,
    embedding: EmbeddingService,
    traces: TraceLog,
    embed_all: EmbedAll,
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    tea = await rows.fact(alice, "drinks", "Assam", conflict_id="c")
    rival = await rows.fact(
        alice, "drinks", "quantum flux capacitor", status="candidate", conflict_id="c"
    )
    left = await rows.fact(alice, "drinks", "a granite boulder")
    await contest(rows, alice, (tea, rival, left))
    for number in range(120):
        await rows.fact(alice, f"place_{number}", f"Assam, valley {number}")
    await embed_all()
    shown = ContextAnswerer(
        pool,
        SystemClock(),
        Catalogues(),
        embedding,
        traces,
        flaggings={PROJECT: Flagging(contested=True)},
    )
    hidden = ContextAnswerer(pool, SystemClock(), Catalogues(), embedding, traces)
    request = ContextRequest(
        project=PROJECT, subjects=("alice@acme.com",), query="Assam", budget_tokens=500
    )
    packet = await shown.answer(request)
    assert {tea, rival} <= {fact.id for fact in packet.facts}
    assert packet.trace_id is not None
    trace = await traces.find(PROJECT, packet.trace_id)
    assert trace is not None
    assert left not in {one.id for one in trace.candidates}
    assert not {tea, rival} & {fact.id for fact in (await hidden.answer(request)).facts}


async def test_what_time_has_changed_is_not_served_before_it_is_folded(
    rows: Rows, context: ContextAnswerer, traces: TraceLog
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    moved = await rows.fact(alice, "lives_in", "Paris")
    kept = await rows.fact(alice, "works_in", "Paris")
    stays = await rows.fact(alice, "was_born_in", "Paris")
    async with connection(rows.pool) as transaction:
        for predicate, due_at in (
            ("lives_in", now_ms() - 1),
            ("works_in", now_ms() + DAY),
            ("was_born_in", 0),
        ):
            await transaction.execute(
                "INSERT INTO group_due (project, subject, about, predicate, due_at)"
                " VALUES (%s, %s, %s, %s, %s)",
                (PROJECT, alice, alice, predicate, due_at),
            )
    request = ContextRequest(project=PROJECT, subjects=(alice,), query="Paris")
    packet = await context.answer(request)
    assert {fact.id for fact in packet.facts} == {kept, stays}
    assert packet.trace_id is not None
    trace = await traces.find(PROJECT, packet.trace_id)
    assert trace is not None
    assert {one.id: one.reason for one in trace.candidates}[moved] is Reason.NOT_ACTIVE


async def test_a_name_leads_to_five_facts_that_were_not_found_before(
    rows: Rows, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    known = [await rows.fact(alice, "manager", f"Zoé {number}") for number in range(6)]
    await embed_all()
    for number in range(7):
        await rows.fact(alice, f"note_{number}", f"Zoé, {number}", waits=False)
    request = ContextRequest(project=PROJECT, subjects=(alice,), query="manager")
    served = [fact.id for fact in (await context.answer(request)).facts]
    assert set(known) <= set(served)
    assert len(served) == len(known) + 5


async def test_of_the_observations_behind_a_fact_a_bounded_number_is_named(
    rows: Rows, context: ContextAnswerer
) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    fact = await rows.fact(alice, "drinks", "tea")
    async with connection(rows.pool) as transaction:
        await transaction.execute(
            "INSERT INTO fact_source (project, fact_id, assertion_id, observation_id, source,"
            " source_ref, said_at, counted) SELECT %s, %s, 'a' || number, 'o' || number, 'note',"
            " 'n', 1, true FROM generate_series(1, 1000) AS number",
            (PROJECT, fact),
        )
    request = ContextRequest(project=PROJECT, subjects=(alice,), query="tea")
    (served,) = (await context.answer(request)).facts
    assert len(served.source_event_ids) == MOST_SOURCES
    assert list(served.source_event_ids) == sorted(served.source_event_ids)
