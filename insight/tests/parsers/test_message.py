"""Messages and notes as JSON."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from cortex_insight.event import Skipped
from cortex_insight.parser import Draft, Parsed, Reject
from cortex_insight.parsers.message import MessageParser
from hypothesis import given, settings
from hypothesis import strategies as st
from roxabi_contracts import (
    ActorKind,
    ActorRole,
    Decision,
    Interaction,
    JsonBody,
    Origin,
    RawEvent,
    Statement,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import DecisionStatus, TimePrecision, TimeSource

from .sessions import (
    CONTEXT,
    FILE,
    MODIFIED,
    OWNER,
    RECEIVED,
    drafts_of,
    events_of,
    read,
    skipped_of,
    to_bytes,
)

PARSER = MessageParser()
AT = "2026-03-01T09:30:00Z"
TOM = {"name": "Tom", "email": "tom@example.net", "accounts": {"telegram": "user77"}}


def message(**fields: object) -> dict[str, object]:
    record = {"id": "1", "text": "I live in Lyon", "at": AT, "author": "owner", **fields}
    return {name: value for name, value in record.items() if value is not None}


def only(**fields: object) -> Draft:
    (draft,) = drafts_of(PARSER, [message(**fields)])
    return draft


def rejected(content: bytes) -> Reject:
    (parsed,) = read(PARSER, events_of(PARSER, content))
    assert isinstance(parsed, Reject)
    return parsed


def test_the_owners_words_are_a_statement() -> None:
    draft = only(conversation="family", reply_to="0")
    assert isinstance(draft.payload, Statement)
    assert draft.actors == (OWNER.model_copy(update={"role": ActorRole.AUTHOR}),)
    assert draft.speaker == draft.subject == 0
    assert draft.source_ref == "family/1"
    assert draft.timestamp == epoch_ms(datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    assert draft.correlation.trace_id == draft.correlation.episode_id == "family"
    assert draft.correlation.parent_ref == "family/0"


def test_the_words_of_others_are_an_interaction() -> None:
    draft = only(author=TOM, channel="chat", conversation="family", reply_to=7)
    assert isinstance(draft.payload, Interaction)
    assert draft.payload.channel == "chat"
    assert draft.payload.reply_to == "7"
    assert [str(key) for key in draft.actors[0].identifiers] == [
        "email:tom@example.net",
        "account:telegram:user77",
    ]
    assert draft.subject == 1
    assert draft.actors[1].role is ActorRole.OWNER
    assert draft.speaker == 0


def test_the_owner_is_known_by_their_address() -> None:
    draft = only(author={"name": "M.", "email": "MIRA@example.org"})
    assert isinstance(draft.payload, Statement)
    assert draft.actors[0].identifiers == OWNER.identifiers


@pytest.mark.parametrize("kind", ["agent", "bot"])
def test_a_machine_of_others_is_trusted_less_than_the_owners_assistant(kind: str) -> None:
    assert only(author={"name": "Bot", "kind": kind}).origin is Origin.THIRD_PARTY
    assert only(author="assistant").origin is None
    assert only(author=TOM).origin is None


@pytest.mark.parametrize("author", ["assistant", {"name": "Bot", "kind": "bot"}])
def test_what_no_person_says_is_not_enriched(author: object) -> None:
    draft = only(author=author)
    assert isinstance(draft.payload, Interaction)
    assert draft.speaker is None
    assert draft.actors[0].kind is not ActorKind.PERSON


def test_recipients_are_actors() -> None:
    draft = only(author=TOM, to=["owner", {"name": "Ines"}])
    assert [(actor.name, actor.role.value) for actor in draft.actors] == [
        ("Tom", "author"),
        ("Mira", "recipient"),
        ("Ines", "recipient"),
    ]
    assert draft.subject == 1


def test_a_note_is_a_statement_and_a_decision_is_one() -> None:
    assert isinstance(only(kind="note", author=TOM).payload, Statement)
    decision = only(kind="decision", text="We use Postgres", status="proposed").payload
    assert isinstance(decision, Decision)
    assert decision.decision == "We use Postgres"
    assert decision.status is DecisionStatus.PROPOSED
    assert decision.decided_by == 0


@pytest.mark.parametrize(
    ("edit", "revision"),
    [
        ({"revision": 3}, 3),
        ({"edited_at": "2026-03-01T10:00:00Z"}, 1_772_359_200_000),
        ({"edited_at": 1_772_359_200}, 1_772_359_200_000),
        ({}, 0),
    ],
)
def test_an_edit_is_a_revision_of_the_same_record(edit: dict[str, object], revision: int) -> None:
    draft = only(**edit)
    assert draft.revision == revision
    assert draft.source_ref == "1"
    assert draft.timestamp == only().timestamp


def test_a_deletion_is_a_revision_that_needs_no_text() -> None:
    draft = only(text=None, deleted=True, revision=2)
    assert draft.deleted
    assert draft.revision == 2
    assert draft.speaker is None


def test_claims_are_kept_as_stated() -> None:
    claim = {"predicate": "lives_in", "value": "Lyon", "evidence": "I live in Lyon", "about": 0}
    (kept,) = only(claims=[claim]).payload.claims
    assert kept.value == {"value": "Lyon"}


@pytest.mark.parametrize(
    ("at", "precision", "assumed"),
    [
        ("2026-03-01T09:30:00.000Z", TimePrecision.MILLISECOND, False),
        ("2026-03-01T10:30:00+01:00", TimePrecision.SECOND, False),
        ("2026-03-01T09:30:00", TimePrecision.SECOND, True),
        (1_772_357_400, TimePrecision.SECOND, False),
        (1_772_357_400.0, TimePrecision.MILLISECOND, False),
        (1_772_357_400_000, TimePrecision.MILLISECOND, False),
    ],
)
def test_times_in_any_form(at: object, precision: TimePrecision, assumed: bool) -> None:
    draft = only(at=at)
    assert draft.timestamp == epoch_ms(datetime(2026, 3, 1, 9, 30, tzinfo=UTC))
    assert draft.payload.time.precision is precision
    assert draft.payload.time.assumed is assumed


def test_a_day_and_a_local_time_say_so() -> None:
    assert only(at="2026-03-01").payload.time.precision is TimePrecision.DAY
    local = only(at="2026-03-01T10:30:00+01:00").payload.time
    assert (local.zone, local.local) == ("UTC+01:00", "2026-03-01T10:30:00+01:00")


def test_without_a_time_the_file_tells_and_then_the_receipt() -> None:
    draft = only(at=None)
    assert (draft.timestamp, draft.payload.time.source) == (epoch_ms(MODIFIED), TimeSource.FILE)
    content = to_bytes([message(at=None)])
    (parsed,) = read(PARSER, events_of(PARSER, content, replace(FILE, modified_at=None)))
    assert isinstance(parsed, Parsed)
    assert parsed.drafts[0].timestamp == epoch_ms(RECEIVED)


def test_a_published_event_is_read_like_a_file() -> None:
    event = RawEvent(
        project="personal",
        source="message",
        source_ref="mine",
        media_type="application/json",
        body=JsonBody(content={"text": "I live in Lyon", "author": "owner"}),
        occurred_at=datetime(2026, 3, 2, tzinfo=UTC),
        owner=OWNER,
    )
    parsed = PARSER.parse(event, {}, CONTEXT)
    assert isinstance(parsed, Parsed)
    (draft,) = parsed.drafts
    assert draft.source_ref == "mine"
    assert draft.payload.time.source is TimeSource.EVENT


def test_one_object_an_array_and_lines_say_the_same() -> None:
    records = [message(), message(id="2", text="I use pnpm")]
    lines = drafts_of(PARSER, records)
    forms = (
        json.dumps(records),
        json.dumps(records, indent=2),
        "\n\n".join(map(json.dumps, records)),
    )
    for form in forms:
        parsed = read(PARSER, events_of(PARSER, form.encode()))
        assert [one.drafts[0] for one in parsed if isinstance(one, Parsed)] == lines
    (single,) = events_of(PARSER, json.dumps(records[0], indent=2).encode())
    assert single.source_ref == "1"


def test_lines_are_read_as_they_come_and_a_first_line_stays_one_event_when_the_file_grows() -> None:
    lines = to_bytes([message(), message(id="2")]).splitlines(keepends=True)

    def pieces() -> Iterator[bytes]:
        yield lines[0]
        raise AssertionError("the file was read further than was asked for")

    first = next(PARSER.split(pieces(), FILE))
    assert [first] == events_of(PARSER, lines[0])
    assert [first] == events_of(PARSER, lines[0].rstrip())
    assert first == events_of(PARSER, b"".join(lines))[0]


def test_messages_without_id_are_known_by_their_content() -> None:
    records = [message(id=None), message(id=None, text="Other"), message(id=None)]
    refs = [event.source_ref for event in events_of(PARSER, to_bytes(records))]
    assert refs[0] == refs[2] != refs[1]


def test_a_last_line_still_in_writing_is_not_counted() -> None:
    content = to_bytes([message(), message(id="2")])[:-9]
    assert len(events_of(PARSER, content)) == 1
    (skipped,) = skipped_of(PARSER, content)
    assert isinstance(skipped, Skipped)


@pytest.mark.parametrize(
    ("record", "code", "told"),
    [
        (None, "not_an_object", "null"),
        ("text", "not_an_object", "a string"),
        (3, "not_an_object", "a number"),
        (True, "not_an_object", "a boolean"),
        ({}, "invalid_message", "author"),
        (message(author="somebody"), "invalid_message", "author"),
        (message(author={"email": 3}), "invalid_message", "author"),
        (message(text=3), "invalid_message", "text"),
        (message(text="  "), "empty_text", "text"),
        (message(at="yesterday"), "invalid_time", "at"),
        (message(at=1e300), "invalid_time", "at"),
        (message(at=True), "invalid_message", "at"),
        (message(edited_at="later"), "invalid_time", "edited_at"),
        (message(kind="rumour"), "invalid_message", "kind"),
        (message(revision=-1), "invalid_message", "revision"),
        (message(deleted="yes"), "invalid_message", "deleted"),
        (message(author={"accounts": {"No Such.Platform": "x"}}), "invalid_author", "account"),
        (message(claims=[{"predicate": "x"}]), "invalid_claim", "schema"),
        (
            message(claims=[{"predicate": "x", "value": 1, "evidence": "no"}]),
            "invalid_claim",
            "text",
        ),
        (
            message(claims=[{"predicate": "x", "value": 1, "evidence": "I", "about": 5}]),
            "invalid_claim",
            "actor",
        ),
    ],
)
def test_a_malformed_record_is_rejected_with_its_reason(
    record: object, code: str, told: str
) -> None:
    reject = rejected(to_bytes([record]))
    assert reject.code == code
    assert told in reject.reason


@pytest.mark.parametrize(
    "content", [b"{nonsense\n", b"\xff\xfe\n", b'{"text":NaN}\n', b'{"a":1}{"b":2}\n']
)
def test_what_is_no_json_is_rejected(content: bytes) -> None:
    assert rejected(content).code == "not_json"


def test_a_reason_holds_nothing_of_the_content() -> None:
    reject = rejected(to_bytes([message(kind="a-secret-word", author={"email": ["hidden"]})]))
    assert "secret" not in reject.reason
    assert "hidden" not in reject.reason


def test_an_event_without_an_owner_is_rejected() -> None:
    (event,) = events_of(PARSER, to_bytes([message()]))
    parsed = PARSER.parse(event.model_copy(update={"owner": None}), {}, CONTEXT)
    assert isinstance(parsed, Reject)
    assert parsed.code == "no_owner"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=5,
)
FIELDS = st.sampled_from(
    ["id", "text", "at", "author", "to", "conversation", "reply_to", "channel", "kind", "status",
     "revision", "edited_at", "deleted", "claims"]
)  # fmt: skip


@given(st.lists(st.dictionaries(FIELDS, VALUES, max_size=4), min_size=1, max_size=3))
@settings(max_examples=250, deadline=None)
def test_no_record_makes_the_parser_fail_or_invent_a_time(changes: list[dict[str, object]]) -> None:
    content = to_bytes([{**message(), **change} for change in changes])
    events = events_of(PARSER, content)
    assert events == events_of(PARSER, content)
    parsed = read(PARSER, events)
    assert parsed == read(PARSER, events)
    for one in parsed:
        for draft in one.drafts if isinstance(one, Parsed) else ():
            assert draft.actors[draft.subject].identifiers
            if draft.payload.time.source is TimeSource.RECEIPT:
                assert draft.timestamp == epoch_ms(RECEIVED)
            draft.payload.model_dump_json().encode()


def test_half_a_character_as_it_stands_is_left_out() -> None:
    (parsed,) = read(PARSER, events_of(PARSER, b'{"text": "a\xed\xa0\x80b", "author": "owner"}\n'))
    assert isinstance(parsed, Parsed)
    assert parsed.drafts[0].payload.text == "ab"
