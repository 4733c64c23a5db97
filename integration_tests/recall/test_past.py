"""Memory as it was: folded up to the moment asked for, not read off stored intervals."""

from collections.abc import Callable, Sequence
from datetime import datetime
from threading import get_ident

import pytest
from cortex_memory import recall_past
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.profiles import PROFILES
from cortex_memory.store.db import Pool
from cortex_memory.trace_log import TraceLog
from memory.observing import ANN as ANN_HERSELF
from memory.observing import PROJECT, claim, observe
from memory.warehouse import FixedClock, Warehouse
from recall.rows import DAY, EmbedAll
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole, Identifier
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.context import ContextRequest
from roxabi_contracts.operations import FactsRequest, FactStatus
from roxabi_contracts.payloads import Claim, ClaimAction, Volatility

ANN = "ann@garden.org"


AGENT = ActorRef(
    kind=ActorKind.AGENT, role=ActorRole.AUTHOR, identifiers=(Identifier.parse("slug:helper"),)
)


def passing(said: Claim, volatility: Volatility) -> Claim:
    """The claim, about something that does not stay so."""
    return said.model_copy(update={"volatility": volatility})


def day(number: int) -> datetime:
    return from_epoch_ms(number * DAY)


@pytest.fixture
async def garden(pool: Pool) -> Warehouse:
    """Paris, then Lyon, then Paris taken back; a preference contradicted, then settled."""
    warehouse = Warehouse(pool, clock=FixedClock(day(100)))
    await warehouse.retain(
        [
            observe(
                claim("lives_in", "Paris"),
                at=1 * DAY,
                ref="a",
                text="I live in Paris, in other words.",
            ),
            observe(
                claim("lives_in", "Lyon"),
                at=2 * DAY,
                ref="b",
                text="I live in Lyon, in other words.",
            ),
            observe(
                claim("lives_in", "Lyon", action=ClaimAction.RETRACT),
                at=4 * DAY,
                ref="c",
                text="I left Lyon, in other words.",
            ),
            observe(claim("name", "Ann"), at=1 * DAY, ref="d", text="I am Ann, in other words."),
            observe(claim("name", "Anna"), at=3 * DAY, ref="e", text="I am Anna, in other words."),
            observe(
                claim("name", "Anna", action=ClaimAction.SUPERSEDE),
                at=5 * DAY,
                ref="f",
                text="Anna it is, in other words.",
            ),
        ]
    )
    return warehouse


async def values(queries: QueryAnswerer, moment: datetime | None) -> Sequence[tuple[str, object]]:
    asked = FactsRequest(project=PROJECT, subject=ANN, as_of=moment)
    reply = await queries.facts(asked)
    return [(fact.predicate, (fact.value or {}).get("value")) for fact in reply.facts]


async def test_facts_are_those_of_the_moment(garden: Warehouse, queries: QueryAnswerer) -> None:
    assert await values(queries, day(0)) == []
    assert await values(queries, day(1)) == [("lives_in", "Paris"), ("name", "Ann")]
    assert await values(queries, day(2)) == [("lives_in", "Lyon"), ("name", "Ann")]
    assert await values(queries, day(4)) == [("name", "Ann")]
    assert await values(queries, day(5)) == [("name", "Anna")]


async def test_the_present_folded_is_the_present_stored(
    garden: Warehouse, queries: QueryAnswerer
) -> None:
    for history in (False, True):
        asked = FactsRequest(project=PROJECT, subject=ANN, history=history)
        stored = await queries.facts(asked)
        folded = await queries.facts(asked.model_copy(update={"as_of": day(100)}))
        assert stored == folded


async def test_context_is_that_of_the_moment(garden: Warehouse, context: ContextAnswerer) -> None:
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="lives in Paris or Lyon")
    past = await context.answer(asked.model_copy(update={"as_of": day(2)}))
    assert [fact.value["value"] for fact in past.facts] == ["Lyon", "Ann"]
    assert {episode.occurred_at for episode in past.episodes} == {day(1), day(2)}
    before = await context.answer(asked.model_copy(update={"as_of": day(0)}))
    assert (before.facts, before.episodes) == ((), ())
    assert before.empty_reason == "no_relevant_memory"


async def test_what_was_retired_since_is_found_without_its_vector(
    garden: Warehouse, context: ContextAnswerer, embed_all: EmbedAll
) -> None:
    await embed_all()
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="xyzzy", as_of=day(1))
    served = [fact.value for fact in (await context.answer(asked)).facts]
    assert sorted(map(str, served)) == [str({"value": name}) for name in ("Ann", "Paris")]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("query", ["xyzzy", "What was said on 1970-01-05?", "words"])
async def test_nothing_that_was_said_later_is_shown(
    garden: Warehouse,
    pool: Pool,
    embedding: EmbeddingService,
    no_embedding: EmbeddingService,
    traces: TraceLog,
    embed_all: EmbedAll,
    query: str,
    profile: str,
) -> None:
    await embed_all()
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query=query, as_of=day(2))
    for service in (embedding, no_embedding):
        answerer = ContextAnswerer(
            pool, SystemClock(), Catalogues(), service, traces, PROFILES[profile]
        )
        said = {episode.occurred_at for episode in (await answerer.answer(asked)).episodes}
        assert said <= {day(1), day(2)}
        assert said or service is no_embedding


async def test_nobody_waits_while_a_large_memory_is_looked_through(
    garden: Warehouse, context: ContextAnswerer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is done once for every fact is done beside the loop that serves all others."""
    threads: dict[str, set[int]] = {}
    for name in ("fold_groups", "fact_row", "terms_of"):
        work = getattr(recall_past, name)

        def noted(*given: object, name: str = name, work: Callable[..., object] = work) -> object:
            threads.setdefault(name, set()).add(get_ident())
            return work(*given)

        monkeypatch.setattr(recall_past, name, noted)
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="Lyon", as_of=day(2))
    assert (await context.answer(asked)).facts
    assert len(threads) == 3
    assert get_ident() not in set[int]().union(*threads.values())


async def test_a_moment_is_scored_as_the_present_is(
    pool: Pool, context: ContextAnswerer, traces: TraceLog, embed_all: EmbedAll
) -> None:
    """By common words alone, which never count in full, and by meaning."""
    warehouse = Warehouse(pool, clock=FixedClock(day(100)))
    told = [claim(f"place_{number}", "the harbour") for number in range(3)]
    await warehouse.retain(
        [observe(*told, at=1 * DAY, ref="a", text="In other words, the harbour.")]
    )
    await embed_all()
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="Which harbour?")
    scored: list[dict[str, dict[str, float]]] = []
    for moment in (None, day(100)):
        packet = await context.answer(asked.model_copy(update={"as_of": moment}))
        assert packet.trace_id is not None
        trace = await traces.find(PROJECT, packet.trace_id)
        assert trace is not None
        scored.append({one.id: one.terms for one in trace.candidates})
    present, past = scored
    assert len(present) == 4
    assert past == {id: pytest.approx(terms) for id, terms in present.items()}


async def test_a_conflict_that_was_open_then_is_named(
    garden: Warehouse, context: ContextAnswerer
) -> None:
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="name Ann", as_of=day(3))
    packet = await context.answer(asked)
    assert packet.warnings == ("open_conflict: 2 fact(s) hidden pending conflict resolution",)
    settled = await context.answer(asked.model_copy(update={"as_of": day(5), "query": "name"}))
    assert settled.warnings == ()
    assert [fact.value["value"] for fact in settled.facts] == ["Anna"]


async def test_a_shared_name_leads_on_in_the_past_too(pool: Pool, context: ContextAnswerer) -> None:
    warehouse = Warehouse(pool, clock=FixedClock(day(100)))
    said = (("manager", "Zoé"), ("birthday", "Zoé in May"), ("colleague", "Zoé of old"))
    for number, (predicate, value) in enumerate(said):
        text = f"My {predicate} is {value}, in other words."
        heard = observe(claim(predicate, value), at=(number + 1) * DAY, ref=predicate, text=text)
        await warehouse.retain([heard])
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="manager", as_of=day(2))
    packet = await context.answer(asked)
    assert [fact.predicate for fact in packet.facts] == ["manager", "birthday"]


@pytest.mark.parametrize("query", ["Zoé", "manager"])  # found by itself, and by a shared name
async def test_a_fact_brings_what_contradicted_it_then(
    pool: Pool, no_embedding: EmbeddingService, traces: TraceLog, query: str
) -> None:
    warehouse = Warehouse(pool, clock=FixedClock(day(100)))
    said = (("name", "Zoé the Great"), ("name", "Pim"), ("manager", "Zoé"))
    for number, (predicate, value) in enumerate(said, 1):
        text = f"{number}, in other words."
        heard = observe(claim(predicate, value), at=number * DAY, ref=f"{number}", text=text)
        await warehouse.retain([heard])
    shown = ContextAnswerer(
        pool,
        SystemClock(),
        Catalogues(),
        no_embedding,
        traces,
        flaggings={PROJECT: Flagging(contested=True)},
    )
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query=query, as_of=day(4))
    values = [fact.value["value"] for fact in (await shown.answer(asked)).facts]
    assert {"Zoé the Great", "Pim"} <= set(values)


async def test_horizons_and_staleness_are_those_of_the_moment(
    pool: Pool, context: ContextAnswerer
) -> None:
    warehouse = Warehouse(pool, clock=FixedClock(day(1000)))
    mood = passing(claim("mood", "tired"), Volatility.EPHEMERAL)
    home = passing(claim("home", "Rome"), Volatility.SLOW)
    await warehouse.retain(
        [
            observe(mood, at=1 * DAY, ref="a", text="The mood is tired, in other words."),
            observe(home, at=1 * DAY, ref="b", text="The home is Rome, in other words."),
        ]
    )
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="mood home tired Rome")
    then = await context.answer(asked.model_copy(update={"as_of": day(8)}))
    assert {(fact.predicate, fact.stale) for fact in then.facts} == {
        ("mood", False),
        ("home", False),
    }
    later = await context.answer(asked.model_copy(update={"as_of": day(9)}))
    assert [fact.predicate for fact in later.facts] == ["home"]
    assert later.warnings == ("volatility_expired: 1 fact(s) hidden pending confirmation",)
    late = await context.answer(asked.model_copy(update={"as_of": day(367)}))
    assert [(fact.predicate, fact.stale) for fact in late.facts] == [("home", True)]


async def test_what_an_agent_repeats_confirms_nothing(pool: Pool, context: ContextAnswerer) -> None:
    warehouse = Warehouse(pool, clock=FixedClock(day(100)))
    mood = passing(claim("mood", "tired"), Volatility.EPHEMERAL)
    text = "The mood is tired, in other words."
    await warehouse.retain(
        [
            observe(mood, at=1 * DAY, ref="a", text=text),
            observe(
                mood.model_copy(update={"about": 1}),
                at=6 * DAY,
                ref="b",
                text=text,
                actors=(AGENT, ANN_HERSELF),
                subject=1,
            ),
        ]
    )
    asked = ContextRequest(project=PROJECT, subjects=(ANN,), query="mood tired", as_of=day(9))
    assert (await context.answer(asked)).facts == ()
    await warehouse.retain([observe(mood, at=7 * DAY, ref="c", text=text)])
    assert [fact.predicate for fact in (await context.answer(asked)).facts] == ["mood"]


async def test_what_is_said_for_later_is_not_shown_before(
    pool: Pool, queries: QueryAnswerer
) -> None:
    warehouse = Warehouse(pool, clock=FixedClock(day(10)))
    later = claim("lives_in", "Rome", begin=20 * DAY)
    await warehouse.retain([observe(later, at=10 * DAY, ref="a")])
    asked = FactsRequest(project=PROJECT, subject=ANN, history=True)
    assert [fact.status for fact in (await queries.facts(asked)).facts] == [FactStatus.SCHEDULED]
    assert await values(queries, day(15)) == []
    assert await values(queries, day(20)) == [("lives_in", "Rome")]
