"""What the lake refused can be looked at, and is read again by today's parsers."""

from dataclasses import replace

import pytest
from cortex_insight.interpret import SourceConfig
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Neighbours, ParseContext, Parsed, Reject
from cortex_insight.store.db import Database
from cortex_insight.store.sources import Sources
from lake_shells import dead_letters_on, ingest_on
from linked_source import RECEIVED, LinkedParser, config, receipt, record
from roxabi_contracts import Observation, RawEvent, codec, subjects
from roxabi_contracts.operations import SourcesRequest
from roxabi_contracts.upkeep import DeadLettersReply, DeadLettersRequest

ALL = DeadLettersRequest(project="p")


class RepairedParser(LinkedParser):
    """Reads what the former one could not."""

    version = 2

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        body = event.body.model_copy(update={"content": {"name": event.source_ref, "text": "read"}})
        return super().parse(event.model_copy(update={"body": body}), neighbours, context)


async def ask(
    lake: Database, asked: DeadLettersRequest, source: SourceConfig | None = None
) -> DeadLettersReply:
    return await dead_letters_on(lake, source).answer(asked)


async def retry(
    lake: Database, source: SourceConfig | None = None, project: str = "p", name: str | None = None
) -> DeadLettersReply:
    asked = DeadLettersRequest(project=project, retry=True, id=name)
    return await ask(lake, asked, source)


def repaired() -> SourceConfig:
    return replace(config(), parser=RepairedParser())


async def said(lake: Database) -> list[str]:
    async with lake.transaction() as transaction:
        rows = await transaction.fetch(b"SELECT subject, payload FROM outbox ORDER BY id", {})
    return [
        codec.decode(row["payload"], Observation).payload.text
        for row in rows
        if row["subject"] == subjects.OBSERVATIONS
    ]


async def test_a_refused_event_is_read_by_a_repaired_parser(lake: Database) -> None:
    events = [record("bad", fault="reject"), record("good", text="hello")]
    await ingest_on(lake, config()).take([receipt(event) for event in events])
    (letter,) = (await ask(lake, ALL)).letters
    assert (letter.code, letter.source_ref, letter.attempts) == ("unreadable", "bad", 1)

    reply = await retry(lake, repaired())

    assert (reply.retried, reply.letters) == (1, ())
    assert await said(lake) == ["hello", "read"]
    (source,) = (await Sources(lake).answer(SourcesRequest(project="p"))).sources
    assert (source.events, source.observations, source.rejected) == (2, 2, 0)
    assert (await retry(lake, repaired())).retried == 0


async def test_what_is_still_refused_stays_with_the_attempts_counted(lake: Database) -> None:
    await ingest_on(lake, config()).take([receipt(record("bad", fault="reject"))])

    for attempts in (2, 3):
        reply = await retry(lake)
        assert reply.retried == 0
        assert [letter.attempts for letter in reply.letters] == [attempts]


async def test_one_refused_for_another_reason_has_one_letter_that_says_so(lake: Database) -> None:
    await ingest_on(lake, config()).take([receipt(record("bad", fault="raise"))])
    assert [letter.code for letter in (await ask(lake, ALL)).letters] == ["parser_failed"]

    class Refusing(LinkedParser):
        def parse(self, event: RawEvent, neighbours: Neighbours, context: ParseContext) -> Reject:
            return Reject("unreadable", "now it is known why")

    reply = await retry(lake, replace(config(), parser=Refusing()))

    assert reply.retried == 0
    assert [letter.code for letter in reply.letters] == ["unreadable"]


async def test_those_who_asked_for_what_is_now_read_are_read_again(lake: Database) -> None:
    class Shy(LinkedParser):
        def provides(self, event: RawEvent) -> tuple[str, ...]:
            return () if event.source_ref == "a" else super().provides(event)

        def parse(
            self, event: RawEvent, neighbours: Neighbours, context: ParseContext
        ) -> Parsed | Reject:
            if event.source_ref == "a":
                return Reject("unreadable", "not by this version")
            return super().parse(event, neighbours, context)

    events = [record("a", text="first"), record("b", text="second", after=["a"])]
    shy = ingest_on(lake, replace(config(), parser=Shy()))
    await shy.take([receipt(event) for event in events])
    assert await said(lake) == ["second"]

    await retry(lake)

    assert sorted(await said(lake)) == ["first", "first second", "second"]


async def test_a_message_that_was_no_event_is_one_once_it_is_understood(lake: Database) -> None:
    """As after an upgrade: the bytes are read as they came, under the subject that they came on."""
    newer = receipt(record("a", text="hello"), contract_version=2)
    await ingest_on(lake, config()).take([newer])
    assert (await retry(lake)).retried == 0

    understood = codec.encode(record("a", text="hello"))
    async with lake.transaction() as transaction:
        await transaction.execute(b"UPDATE dead_letter SET data = %(data)s", {"data": understood})
    reply = await retry(lake)

    assert (reply.retried, reply.letters) == (1, ())
    assert await said(lake) == ["hello"]


async def test_a_message_of_another_project_is_refused_again(lake: Database) -> None:
    await ingest_on(lake, config()).take([receipt(record("a"), project="q")])

    reply = await retry(lake)

    assert [letter.code for letter in reply.letters] == ["project_mismatch"]
    assert await said(lake) == []


async def test_what_names_no_project_is_found_by_the_operator_alone(lake: Database) -> None:
    await ingest_on(lake, config()).take([Receipt("events.of.nobody", b"{}", RECEIVED)])

    assert (await ask(lake, ALL)).letters == ()
    unassigned = DeadLettersRequest(project=subjects.UNASSIGNED)
    assert [letter.code for letter in (await ask(lake, unassigned)).letters] == ["invalid_subject"]
    assert (await retry(lake, project=subjects.UNASSIGNED)).letters[0].attempts == 2


async def test_one_is_shown_and_tried_alone(lake: Database) -> None:
    bad = [record(name, fault="reject") for name in ("a", "b", "c")]
    await ingest_on(lake, config()).take([receipt(event) for event in bad])
    letters = (await ask(lake, ALL)).letters

    shown = await ask(lake, DeadLettersRequest(project="p", id=letters[0].id))
    assert shown.letters == (letters[0],)
    await retry(lake, repaired(), name=letters[0].id)

    assert set((await ask(lake, ALL)).letters) == set(letters[1:])


@pytest.mark.parametrize("limit", [1, 2])
async def test_a_list_says_when_there_are_more(lake: Database, limit: int) -> None:
    bad = [record(name, fault="reject") for name in ("a", "b")]
    await ingest_on(lake, config()).take([receipt(event) for event in bad])

    reply = await ask(lake, DeadLettersRequest(project="p", limit=limit))

    assert (len(reply.letters), reply.truncated) == (limit, limit == 1)
