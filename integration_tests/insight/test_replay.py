"""Events are read again by a later parser, beside whatever comes in, and nothing else changes."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from cortex_insight.forget import Forgetter
from cortex_insight.ingest import Ingest
from cortex_insight.interpret import SourceConfig
from cortex_insight.parser import Neighbours, ParseContext, Parsed, Reject
from cortex_insight.store.db import Database
from cortex_insight.store.sources import Sources
from lake_shells import dead_letters_on, ingest_on, replay_on
from linked_source import OWNER, RECEIVED, SOURCE, LinkedParser, config, receipt, record
from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.operations import SourcesRequest
from roxabi_contracts.upkeep import (
    DeadLettersRequest,
    LakeForgetRequest,
    ReplayChange,
    ReplayChangeKind,
    ReplayCounts,
    ReplayPage,
    ReplayRequest,
)

ALL = ReplayRequest(project="p", source="linked")
LETTERS = DeadLettersRequest(project="p")


class LaterParser(LinkedParser):
    """Reads what the first one refuses, calls one record otherwise, and leaves one out."""

    version = 2

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        if event.source_ref == "left out":
            return Parsed()
        parsed = super().parse(_told(event, fault=None), neighbours, context)
        if isinstance(parsed, Reject) or event.source_ref != "renamed":
            return parsed
        return Parsed(tuple(replace(draft, source_ref="new name") for draft in parsed.drafts))


class RewordingParser(LinkedParser):
    """Reads every text with one word more."""

    version = 2

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        return super().parse(_told(event, text=f"later {event.source_ref}"), neighbours, context)


class LinkingParser(LinkedParser):
    """Asks for what the first one does not ask for."""

    version = 2

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        return () if event.source_ref == "a" else ("a",)


class UnstorableParser(LinkedParser):
    """Says of one record what no database takes."""

    version = 2

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        fault = "store" if event.source_ref == "bad" else None
        told = _told(event, fault=fault, text=f"later {event.source_ref}")
        return super().parse(told, neighbours, context)


def _told(event: RawEvent, **fields: str | None) -> RawEvent:
    content = event.body.model_dump()["content"] | fields
    return event.model_copy(update={"body": event.body.model_copy(update={"content": content})})


def by(parser: LinkedParser) -> SourceConfig:
    return replace(config(), parser=parser)


LATER, REWORDING = by(LaterParser()), by(RewordingParser())


async def take(ingest: Ingest, *events: RawEvent) -> None:
    await ingest.take([receipt(event) for event in events])


async def pages(
    database: Database, source: SourceConfig, asked: ReplayRequest = ALL, page: int = 200
) -> AsyncIterator[ReplayPage]:
    replay = replay_on(database, source, page)
    while True:
        done = await replay.answer(asked)
        if done.cursor is None:
            return
        yield done
        asked = asked.model_copy(update={"cursor": done.cursor})


async def replayed(
    database: Database, source: SourceConfig, asked: ReplayRequest = ALL, page: int = 200
) -> tuple[ReplayCounts, list[ReplayChange]]:
    """Replay to the end; what came of it."""
    counts, changes = ReplayCounts(), list[ReplayChange]()
    async for done in pages(database, source, asked, page):
        names = ReplayCounts.model_fields
        summed = {name: getattr(counts, name) + getattr(done.counts, name) for name in names}
        counts = ReplayCounts(**summed)
        changes += done.changes
    return counts, changes


async def sent(database: Database) -> list[Observation]:
    """All that was ever queued for the warehouse, in order."""
    async with database.transaction() as transaction:
        rows = await transaction.fetch(
            b"SELECT payload FROM outbox WHERE subject = %(subject)s ORDER BY id",
            {"subject": subjects.OBSERVATIONS},
        )
    return [codec.decode(row["payload"], Observation) for row in rows]


async def test_the_same_parser_changes_nothing(ingest: Ingest, database: Database) -> None:
    await take(ingest, record("a", text="one"), record("b", text="two", after=["a"]))
    before = await sent(database)

    counts, changes = await replayed(database, config())

    assert counts == ReplayCounts(events=2, unchanged=2)
    assert changes == []
    assert await sent(database) == before


async def test_a_report_says_what_a_later_parser_changed(
    ingest: Ingest, database: Database
) -> None:
    refused = record("refused", text="read at last", fault="reject")
    await take(ingest, refused, record("left out"), record("renamed"), record("same"))
    ids = {seen.source_ref: seen.id for seen in await sent(database)}

    counts, changes = await replayed(database, LATER)

    assert counts == ReplayCounts(events=4, readable_now=1, made=2, withdrawn=2, unchanged=1)
    assert {(change.kind, change.source_ref, change.before) for change in changes} == {
        (ReplayChangeKind.MADE, "refused", None),
        (ReplayChangeKind.MADE, "new name", None),
        (ReplayChangeKind.WITHDRAWN, "left out", ids["left out"]),
        (ReplayChangeKind.WITHDRAWN, "renamed", ids["renamed"]),
    }
    last = {seen.source_ref: seen for seen in await sent(database)}
    assert {name for name, seen in last.items() if seen.deleted} == {"left out", "renamed"}
    assert {seen.made_by.parser for seen in last.values()} == {2}
    assert (await dead_letters_on(database, LATER).answer(LETTERS)).letters == ()
    reply = await Sources(database).answer(SourcesRequest(project="p"))
    assert [(s.events, s.observations, s.rejected) for s in reply.sources] == [(4, 3, 0)]


async def test_a_second_replay_finds_nothing_to_change(ingest: Ingest, database: Database) -> None:
    await take(ingest, record("left out"), record("renamed"), record("same"))
    await replayed(database, LATER)
    before = await sent(database)

    assert await replayed(database, LATER) == (ReplayCounts(events=3, unchanged=2), [])
    assert await sent(database) == before


async def test_an_earlier_parser_takes_nothing_back(ingest: Ingest, database: Database) -> None:
    await take(ingest, record("left out"), record("renamed"), record("same"))
    await replayed(database, LATER)
    before = await sent(database)

    assert await replayed(database, config()) == (ReplayCounts(kept=3), [])
    assert await sent(database) == before


async def test_an_earlier_parser_reads_no_neighbour_of_what_it_takes_in(
    database: Database,
) -> None:
    """What a later version read stands, also when something that it asked for arrives now."""
    await take(ingest_on(database, LATER), record("b", text="second", after=["a"]))

    await take(ingest_on(database), record("a", text="first"))

    assert [seen.payload.text for seen in await sent(database)] == ["second", "first"]
    counts, _ = await replayed(database, LATER)
    assert (counts.events, counts.changed) == (2, 1)
    assert (await sent(database))[-1].payload.text == "first second"


async def test_links_follow_the_parser(ingest: Ingest, database: Database) -> None:
    await take(ingest, *(record(name, text=name) for name in "abc"))

    await replayed(database, by(LinkingParser()))
    assert {seen.source_ref: seen.payload.text for seen in await sent(database)} == {
        "a": "a",
        "b": "a b",
        "c": "a c",
    }

    class Relinking(LinkedParser):
        """Asks for other records, and hides one from who asks for it."""

        version = 3

        def needs(self, event: RawEvent) -> tuple[str, ...]:
            return {"a": ("c",), "b": ("c", "d"), "c": ("b",)}[event.source_ref]

        def provides(self, event: RawEvent) -> tuple[str, ...]:
            return {"a": ("d",), "b": (), "c": ("c",)}[event.source_ref]

    await replayed(database, by(Relinking()))
    last = {seen.source_ref: seen for seen in await sent(database)}
    assert {name: (seen.payload.text, seen.made_by.neighbours) for name, seen in last.items()} == {
        "a": ("c a", 1),
        "b": ("a c b", 2),
        "c": ("c", 0),
    }


@pytest.mark.parametrize("page", [1, 2, 200])
async def test_pages_of_any_size_say_the_same(
    ingest: Ingest, database: Database, page: int
) -> None:
    await take(ingest, *(record(str(number)) for number in range(5)))

    counts, changes = await replayed(database, REWORDING, page=page)

    assert counts == ReplayCounts(events=5, changed=5)
    assert len(changes) == 5


async def test_an_interrupted_replay_goes_on_where_it_stopped(
    ingest: Ingest, database: Database
) -> None:
    await take(ingest, *(record(str(number)) for number in range(5)))
    first = await replay_on(database, REWORDING, page=2).answer(ALL)
    assert (first.passed, first.total, first.counts.changed) == (2, 5, 2)

    rest, _ = await replayed(database, REWORDING, ALL.model_copy(update={"cursor": first.cursor}))

    assert rest == ReplayCounts(events=3, changed=3)


async def test_only_what_came_since_is_read_again(database: Database) -> None:
    ingest = ingest_on(database)
    late = RECEIVED.replace(day=2)
    await take(ingest, record("early"))
    await ingest.take([replace(receipt(record("late")), received_at=late)])

    asked = ALL.model_copy(update={"since": late})
    _, changes = await replayed(database, REWORDING, asked)

    assert [change.source_ref for change in changes] == ["late"]
    assert (await replay_on(database, REWORDING).answer(asked)).total == 1


async def test_other_projects_and_sources_are_left_alone(
    ingest: Ingest, database: Database
) -> None:
    await take(ingest, record("a", project="other"))

    page = await replay_on(database, REWORDING).answer(ALL)

    assert (page.total, page.passed, page.cursor) == (0, 0, None)


async def test_what_the_database_refuses_costs_one_event(
    ingest: Ingest, database: Database
) -> None:
    await take(ingest, record("bad"), record("good"), record("well"))

    counts, changes = await replayed(database, by(UnstorableParser()))

    assert counts == ReplayCounts(events=3, unreadable=1, changed=2)
    assert {change.source_ref for change in changes} == {"good", "well"}
    (letter,) = (await dead_letters_on(database).answer(LETTERS)).letters
    assert (letter.code, letter.source_ref) == ("store_refused", "bad")


async def test_what_comes_in_meanwhile_is_read_with_its_neighbours(
    ingest: Ingest, database: Database
) -> None:
    names = [str(number) for number in range(20)]
    await take(ingest, *(record(name, text=name, after=[f"of {name}"]) for name in names))
    arriving = ingest_on(database, REWORDING)

    async def arrive() -> None:
        for name in names:
            await take(arriving, record(f"of {name}", text="before"))

    await asyncio.gather(replayed(database, REWORDING, page=3), arrive())
    await replayed(database, REWORDING)

    seen = sorted(await sent(database), key=lambda o: (o.made_by.parser, o.made_by.neighbours))
    best = {observation.source_ref: observation for observation in seen}
    texts = [best[name].payload.text for name in names]
    assert texts == [f"before later {name}" for name in names]


async def test_nothing_comes_back_that_was_erased(ingest: Ingest, database: Database) -> None:
    async def nothing_to_sweep(project: str) -> int:
        return 0

    await take(ingest, record("a"), record("b"))
    owner = tuple(f"{key.scheme}:{key.value}" for key in OWNER.identifiers)
    asked = LakeForgetRequest(
        project="p", forget_id="f", owner=owner, source=SOURCE, source_refs=("a",)
    )
    await Forgetter(database, nothing_to_sweep).forget(asked)

    counts, _ = await replayed(database, REWORDING)

    assert counts == ReplayCounts(events=1, changed=1)
    assert {seen.source_ref for seen in await sent(database)} == {"b"}
