"""Messages become rows: each once, whatever comes with it, in whatever order."""

import asyncio
from collections.abc import Iterable, Sequence

import pytest
from cortex_insight.ingest import Ingest, Stored
from cortex_insight.outbox import Receipt
from cortex_insight.reader import Reader
from cortex_insight.record_readings import ReadingRecorder
from cortex_insight.store.db import Database
from cortex_insight.store.lake import open_lake
from cortex_insight.store.sources import Sources
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from lake_shells import ingest_on
from linked_source import RECEIVED, SOURCE, config, receipt, record
from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.operations import EventState, RejectedMessage, SourcesReply, SourcesRequest

ALL_MESSAGES = b"SELECT subject, payload FROM outbox ORDER BY id"


async def messages(database: Database) -> tuple[list[Observation], list[RejectedMessage]]:
    """Everything that was ever put into the outbox."""
    async with database.transaction() as transaction:
        rows = await transaction.fetch(ALL_MESSAGES, {})
    observations = [
        codec.decode(row["payload"], Observation)
        for row in rows
        if row["subject"] == subjects.OBSERVATIONS
    ]
    letters = [
        codec.decode(row["payload"], RejectedMessage)
        for row in rows
        if row["subject"] == subjects.EVENTS_REJECTED
    ]
    return observations, letters


async def ask(database: Database, events: Iterable[RawEvent], project: str = "p") -> SourcesReply:
    ids = tuple(event.event_id for event in events)
    return await Sources(database).answer(SourcesRequest(project=project, event_ids=ids))


def current(observations: Iterable[Observation]) -> dict[str, str]:
    """What counts of each record, as the warehouse decides it; a deleted one counts nothing."""
    best: dict[str, Observation] = {}
    for said in sorted(observations, key=lambda o: (o.made_by.neighbours, codec.encode(o))):
        best[said.source_ref] = said
    return {ref: said.payload.text for ref, said in best.items() if not said.deleted}


async def test_an_event_is_stored_read_and_queued_once(ingest: Ingest, database: Database) -> None:
    event = record("a", text="hello")
    assert await ingest.take([receipt(event), receipt(event)]) == Stored(events=1, observations=1)
    assert await ingest.take([receipt(event)]) == Stored(known=1)
    observations, letters = await messages(database)
    assert [said.payload.text for said in observations] == ["hello"]
    assert letters == []
    reply = await ask(database, [event, record("never sent")])
    assert [status.state for status in reply.events] == [EventState.PARSED, EventState.UNKNOWN]
    (source,) = reply.sources
    assert (source.events, source.observations, source.rejected) == (1, 1, 0)
    assert source.record_types == {"x": 1}
    assert [(queue.name, queue.waiting) for queue in reply.queues] == [
        ("observations", 1),
        ("dead_letters", 0),
    ]


REFUSED = {
    "undecodable": Receipt(subjects.events(SOURCE, "p"), b"\xff\x00", RECEIVED),
    "newer_version": receipt(record("a"), contract_version=2),
    "invalid_request": receipt(record("a"), source_ref=""),
    "project_mismatch": receipt(record("a"), project="q"),
    "source_mismatch": receipt(record("a"), source="other"),
    "invalid_subject": Receipt("events.of.nobody", codec.encode(record("a")), RECEIVED),
}


@pytest.mark.parametrize("code", REFUSED)
async def test_a_message_that_is_no_event_is_kept_as_a_dead_letter(
    ingest: Ingest, database: Database, code: str
) -> None:
    good = record("good", text="still read")
    stored = await ingest.take([REFUSED[code], receipt(good), REFUSED[code]])
    assert (stored.events, stored.observations) == (1, 1)
    observations, (letter,) = await messages(database)
    assert [said.payload.text for said in observations] == ["still read"]
    assert (letter.code, letter.event_id, letter.size) == (code, None, len(REFUSED[code].data))
    assert letter.received_at == RECEIVED
    async with database.transaction() as transaction:
        kept = await transaction.fetch(b"SELECT data FROM dead_letter", {})
    assert [row["data"] for row in kept] == [REFUSED[code].data]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        ("raise", "parser_failed"),
        ("reject", "unreadable"),
        ("nul", "observation_not_sendable"),
        ("store", "store_refused"),
    ],
)
async def test_an_event_that_cannot_be_read_does_not_stop_the_others(
    ingest: Ingest, database: Database, fault: str, code: str
) -> None:
    bad = record("bad", fault=fault)
    batch = [record("before", text="b"), bad, record("after the bad one", text="a")]
    await ingest.take([receipt(event) for event in batch])
    observations, (letter,) = await messages(database)
    assert sorted(said.payload.text for said in observations) == ["a", "b"]
    assert (letter.code, letter.event_id) == (code, bad.event_id)
    assert "secret" not in letter.reason
    reply = await ask(database, batch)
    assert [status.state for status in reply.events] == [
        EventState.PARSED,
        EventState.REJECTED,
        EventState.PARSED,
    ]
    assert (reply.events[1].reason or "").startswith(code)


async def test_an_unknown_source_is_kept_for_the_day_somebody_reads_it(
    ingest: Ingest, database: Database
) -> None:
    event = record("a").model_copy(update={"source": "elsewhere"})
    await ingest.take([receipt(event)])
    _, (letter,) = await messages(database)
    assert (letter.code, letter.source) == ("unknown_source", "elsewhere")
    async with database.transaction() as transaction:
        kept = await transaction.fetch(b"SELECT message FROM raw_event", {})
    assert [row["message"] for row in kept] == [codec.encode(event)]


async def test_an_event_is_read_again_when_what_it_asked_for_arrives(
    ingest: Ingest, database: Database
) -> None:
    asking = record("b", text="world", after=["a"])
    await ingest.take([receipt(asking)])
    stored = await ingest.take([receipt(record("a", text="hello"))])
    assert (stored.events, stored.read_again) == (1, 1)
    observations, _ = await messages(database)
    assert current(observations) == {"a": "hello", "b": "hello world"}
    assert [said.made_by.neighbours for said in observations if said.source_ref == "b"] == [0, 1]
    (source,) = (await ask(database, [])).sources
    assert (source.events, source.observations) == (2, 2)


async def test_what_an_event_no_longer_says_is_taken_back(
    ingest: Ingest, database: Database
) -> None:
    echo = record("b", text="copy", after=["a"], echo=True)
    await ingest.take([receipt(echo)])
    await ingest.take([receipt(record("a", text="original"))])
    observations, _ = await messages(database)
    assert current(observations) == {"a": "original"}
    assert [said.deleted for said in observations if said.source_ref == "b"] == [False, True]


async def test_a_record_that_another_event_says_is_not_taken_back(
    ingest: Ingest, database: Database
) -> None:
    copy = record("copy", text="same", after=["original"], echo=True)
    await ingest.take([receipt(copy.model_copy(update={"source_ref": "r"}))])
    original = record("original", text="same")
    await ingest.take([receipt(original.model_copy(update={"source_ref": "r"}))])
    observations, _ = await messages(database)
    assert current(observations) == {"r": "same"}


async def test_a_record_of_another_source_with_the_same_name_keeps_nothing_alive(
    database: Database,
) -> None:
    ingest = Ingest(
        open_lake(database), ReadingRecorder(Reader({SOURCE: config(), "other": config()}))
    )
    echo = record("b", text="copy", after=["a"], echo=True)
    namesake = record("b", text="unrelated").model_copy(update={"source": "other"})
    await ingest.take([receipt(echo), receipt(namesake)])
    await ingest.take([receipt(record("a", text="original"))])
    observations, _ = await messages(database)
    assert [said.source for said in observations if said.deleted] == [SOURCE]


async def test_neighbours_stay_within_their_project(ingest: Ingest, database: Database) -> None:
    await ingest.take([receipt(record("a", project="other", text="not yours"))])
    await ingest.take([receipt(record("b", text="alone", after=["a"]))])
    observations, _ = await messages(database)
    assert current(said for said in observations if said.project_id == "p") == {"b": "alone"}


NAMES = st.sampled_from("abcd")


def linked_record(ref: str, name: str, text: str, after: list[str], echo: bool) -> RawEvent:
    event = record(name, text=text, after=[*after], echo=echo)
    return event.model_copy(update={"source_ref": ref})


RECORDS = st.builds(
    linked_record,
    st.sampled_from("123456"),
    NAMES,
    st.sampled_from(["one", "two"]),
    st.lists(NAMES, unique=True, max_size=3),
    st.booleans(),
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    events=st.lists(RECORDS, unique_by=lambda event: event.source_ref, min_size=1, max_size=4),
    data=st.data(),
)
async def test_what_counts_is_a_function_of_the_events_and_not_of_their_order(
    ingest: Ingest, database: Database, events: Sequence[RawEvent], data: st.DataObject
) -> None:
    outcomes: list[dict[str, str]] = []
    for order in (events, data.draw(st.permutations([*events, *events[:1]]))):
        await empty(database)
        size = data.draw(st.integers(1, len(order)))
        for start in range(0, len(order), size):
            await ingest.take([receipt(event) for event in order[start : start + size]])
        observations, _ = await messages(database)
        outcomes.append(current(observations))
    assert outcomes[0] == outcomes[1]


async def test_two_lakes_at_once_miss_no_neighbour(
    ingest: Ingest, lake_url: str, database: Database
) -> None:
    names = [f"n{number}" for number in range(40)]
    events = [record(name, text=name, after=[names[place - 1]]) for place, name in enumerate(names)]
    async with Database(lake_url) as second:
        other = ingest_on(second)
        batches = [events[start : start + 2] for start in range(0, len(events), 2)]
        await asyncio.gather(
            *(
                (ingest, other)[place % 2].take([receipt(event) for event in batch])
                for place, batch in enumerate(batches)
            )
        )
    observations, _ = await messages(database)
    expected = {name: f"{names[place - 1]} {name}" for place, name in enumerate(names)}
    assert current(observations) == expected


async def empty(database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(
            b"TRUNCATE raw_event, event_key, event_need, reading, event_observation, outbox,"
            b" dead_letter, source_count, record_type_count, question, answer",
            {},
        )
