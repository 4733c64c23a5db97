"""Exports of Claude.ai: who speaks, what came along, which branch counts, and the files."""

import itertools

import pytest
from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import (
    ActorKind,
    ActorRole,
    Artifact,
    Finding,
    Interaction,
    Origin,
    RawEvent,
    Statement,
)
from roxabi_contracts.payloads import Attachment, Direction, TimeSource

from .chats import (
    PARSER,
    Fields,
    answer,
    blocks,
    conversation,
    items,
    message,
    only,
    readings,
    said,
    said_in,
    texts,
    to_bytes,
)

CALL = {"type": "tool_use", "name": "web_search", "input": {"query": "tides"}}
FOUND = {"type": "tool_result", "name": "web_search", "content": [
    {"type": "knowledge", "title": "Tides", "url": "https://x.org", "text": "Twice a day"}
]}  # fmt: skip
MADE = {"type": "tool_use", "name": "artifacts", "input": {
    "command": "create", "id": "lease", "title": "Lease", "content": "# Lease"
}}  # fmt: skip
TREE = [
    message("m1", parent_message_uuid="00000000-0000-4000-8000-000000000000"),
    answer("m2", parent_message_uuid="m1"),
    message("m3", "I work in Rome", parent_message_uuid="m2"),
    message("m4", "I work in Faro", parent_message_uuid="m2"),
    answer("m5", "Sure.", parent_message_uuid="m4"),
]


def test_what_the_user_says_is_the_owners_statement() -> None:
    one = only(message())
    assert isinstance(one.payload, Statement)
    assert one.payload.text == "I live in Porto"
    assert (one.source_ref, one.timestamp) == ("c1/m1", 1_740_816_000_250)
    assert one.payload.time.source is TimeSource.RECORD
    assert one.subject == 0
    assert [(who.kind, who.role, who.name) for who in one.actors] == [
        (ActorKind.PERSON, ActorRole.AUTHOR, OWNER.name),
        (ActorKind.AGENT, ActorRole.RECIPIENT, "Claude"),
    ]
    assert one.topic == ("Moving house",)
    assert one.correlation.trace_id == "c1"


def test_what_the_model_says_is_no_word_of_the_owner() -> None:
    prompt, reply = said(message(), answer())
    assert isinstance(reply.payload, Interaction)
    assert reply.payload.direction is Direction.INBOUND
    assert reply.subject == 1
    assert reply.correlation.parent_ref == prompt.source_ref
    assert (reply.correlation.episode_id, prompt.correlation.episode_id) == ("c1/m1", "c1/m1")
    assert (prompt.sequence, reply.sequence) == (0, 1)


def test_the_blocks_count_and_not_the_text_that_stands_for_them() -> None:
    supported = "```\nThis block is not supported on your current device yet.\n```"
    yes, go = ({"type": "text", "text": text} for text in ("Yes", "Go"))
    thought: Fields = {"type": "thinking", "thinking": "hm"}
    one = only(blocks(thought, yes, {"type": "flag", "text": "no"}, go, text=supported))
    assert one.payload.text == "Yes\nGo"
    assert only(answer(content=None)).payload.text == "Noted."
    assert said(blocks(thought, text=supported)) == []


def test_files_come_along_and_what_is_in_them_is_no_word_of_the_user() -> None:
    pasted = {"file_name": "notes.txt", "file_type": "txt", "file_size": 12,
              "extracted_content": "I live in Rome"}  # fmt: skip
    picture = {"file_uuid": "f", "file_name": "a.png"}
    one = only(message(attachments=[pasted], files=[picture], files_v2=[picture]))
    assert isinstance(one.payload, Interaction)
    assert one.payload.direction is Direction.OUTBOUND
    assert one.payload.text == "I live in Porto"
    assert one.payload.attachments == (
        Attachment(name="notes.txt", media_type="txt", size=12),
        Attachment(name="a.png"),
    )
    assert only(message(text="", files=[picture])).payload.text == ""


def test_calls_and_what_was_found() -> None:
    first, call, found = said(blocks({"type": "text", "text": "Look"}, CALL, FOUND))
    assert (first.payload.text, first.source_ref) == ("Look", "c1/m2")
    assert call.payload.text == "web_search: tides"
    assert call.correlation.parent_ref == "c1/m2"
    assert isinstance(found.payload, Finding)
    assert found.payload.text == "Tides\nhttps://x.org\nTwice a day"
    assert (found.payload.tool, found.payload.outcome) == ("web_search", "success")
    assert found.origin is Origin.THIRD_PARTY
    failed = only(blocks({"type": "tool_result", "name": "repl", "is_error": True,
                          "content": "no"}))  # fmt: skip
    assert isinstance(failed.payload, Finding)
    assert (failed.payload.outcome, failed.origin) == ("failure", Origin.SEMI_TRUSTED)


def test_a_document_beside_the_conversation_is_an_artifact() -> None:
    changed = {"type": "tool_use", "name": "artifacts", "input": {
        "command": "update", "id": "lease", "old_str": "a", "new_str": "b"}}  # fmt: skip
    told = {"type": "tool_result", "name": "artifacts", "content": [{"type": "text", "text": "OK"}]}
    first, second = said(blocks(MADE, told, changed))
    assert isinstance(first.payload, Artifact)
    assert (first.payload.action, first.payload.title, first.payload.text) == (
        "created", "Lease", "# Lease"
    )  # fmt: skip
    assert isinstance(second.payload, Artifact)
    assert (second.payload.action, second.payload.title) == ("modified", "lease")


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        ("m5", ["I live in Porto", "Noted.", "I work in Faro", "Sure."]),
        ("m3", ["I live in Porto", "Noted.", "I work in Rome"]),
        (None, ["I live in Porto", "Noted.", "I work in Faro", "Sure."]),
    ],
)
def test_the_branch_that_the_user_went_on_with_counts(
    current: str | None, expected: list[str]
) -> None:
    assert texts([conversation(*TREE, current_leaf_message_uuid=current)]) == expected


def test_a_later_choice_of_branch_takes_the_first_one_back_in_any_order() -> None:
    exports = [
        [conversation(*TREE[:3], updated_at="2025-03-02T08:00:00Z")],
        [conversation(*TREE, updated_at="2025-03-03T08:00:00Z")],
    ]
    for order in itertools.permutations(exports):
        assert "I work in Rome" not in texts(*order)


def test_a_changed_message_is_a_revision_of_the_first() -> None:
    later = message(text="I live in Faro", updated_at="2025-03-04T08:00:00Z")
    first, second = said_in(readings([conversation(message())], [conversation(later)]))
    assert first.source_ref == second.source_ref
    assert {first.revision, second.revision} == {1_740_816_000_250, 1_741_075_200_000}


def test_a_renamed_conversation_renames_its_messages() -> None:
    renamed = conversation(message(), name="c1", updated_at="2025-04-01T08:00:00Z",
                           project={"name": "Flat"})  # fmt: skip
    renamed["name"] = "Porto"
    (one,) = said_in(readings([conversation(message())], [renamed]))
    assert one.topic == ("Porto", "Flat")


def test_an_unstated_time_is_that_of_what_is_above_it() -> None:
    first, second = said(message(created_at=None), answer(created_at=None))
    for one in (first, second):
        assert one.timestamp == 1_740_816_000_250
        assert one.payload.time.source is TimeSource.NEIGHBOUR
    later = said(message(created_at="2025-03-01T09:00:00Z"), answer(created_at=None))
    assert [one.timestamp for one in later] == [1_740_819_600_000] * 2
    (one,) = said(message(created_at=None), created_at=None)
    assert one.payload.time.source is TimeSource.FILE


def test_what_is_not_known_is_counted() -> None:
    strange = [answer(content=[{"type": "hologram"}]), message("m3", sender="ghost")]
    found: dict[str, int] = {}
    for reading in readings([conversation(*strange)]):
        found |= reading.unknown_types
    assert found == {"block:hologram": 1, "sender:ghost": 1}


@pytest.mark.parametrize(
    ("content", "path", "reason"),
    [
        ([conversation()], "conversations.json", "a conversation without messages"),
        ([{"prompt_template": "x"}], "projects.json",
         "the documents and instructions of projects are not read"),
        ([{"conversations_memory": "x"}], "memories.json",
         "what Claude.ai concluded by itself is not read"),
        ([{"uuid": "a"}, {"uuid": "b"}], "users.json", "the accounts of several people"),
    ],
)  # fmt: skip
def test_what_is_left_out_has_a_reason(content: object, path: str, reason: str) -> None:
    assert items(content, path=path) == [Skipped(0, reason)]


def test_the_account_states_who_its_owner_is() -> None:
    account = {"uuid": "u", "full_name": "Ada", "email_address": "ada@example.net"}
    (one,) = said_in(readings([account], path="users.json"))
    assert [(claim.predicate, claim.value) for claim in one.payload.claims] == [
        ("name", {"value": "Ada"}),
        ("email_address", {"value": "ada@example.net"}),
    ]


def test_a_single_conversation_and_a_file_that_is_cut_are_read() -> None:
    assert texts(conversation(message())) == ["I live in Porto"]
    content = b"\xef\xbb\xbf" + to_bytes([conversation(message()), conversation(message())])[:-40]
    found = read_files(PARSER, [SampleFile("conversations.json", content)])
    assert sum(isinstance(one, RawEvent) for one in found) == 2
    assert found[-1] == Skipped(0, "from here on the file is no JSON; what came before it was read")


@pytest.mark.parametrize(
    ("path", "value", "confidence"),
    [
        ("conversations.json", [conversation(message())], Confidence.CERTAIN),
        ("x.json", conversation(message()), Confidence.CERTAIN),
        ("users.json", [{"uuid": "u", "email_address": "a@b.c"}], Confidence.LIKELY),
        ("projects.json", [{"uuid": "p", "prompt_template": ""}], Confidence.CERTAIN),
        ("memories.json", [{"conversations_memory": ""}], Confidence.CERTAIN),
        ("users.json", [{"id": "U1", "profile": "x"}], Confidence.NONE),
        ("x.json", {"mapping": {"a": {"message": 1}}}, Confidence.NONE),
        ("x.json", {"id": "42", "text": "a", "author": "owner"}, Confidence.NONE),
    ],
)
def test_the_files_of_an_export_are_recognised(
    path: str, value: object, confidence: Confidence
) -> None:
    assert PARSER.recognise(FileHead(path, to_bytes(value), complete=True)) is confidence


def test_events_of_others_are_rejected_with_a_reason() -> None:
    (event, *_) = [one for one in items([conversation(message())]) if isinstance(one, RawEvent)]
    strange = event.model_copy(update={"body": event.body.model_copy(update={"content": "[]"})})
    codes: list[str | None] = []
    for one in (strange, event.model_copy(update={"owner": None})):
        (reading,) = readings_of(PARSER, [one])
        codes.append(reading.reject.code if reading.reject else None)
    assert codes == ["no_record", "no_owner"]


EXPORT: list[Fields] = [
    conversation(*TREE, current_leaf_message_uuid="m5"),
    conversation(
        message("m6", attachments=[{"file_name": "a", "extracted_content": "b"}]),
        blocks({"type": "text", "text": "Look"}, CALL, FOUND, MADE, name="m7"),
        answer("m8", created_at=None),
        name="c2",
    ),
]


class TestClaudeAi(ParserConformance):
    parser = PARSER
    files = (
        SampleFile("conversations.json", to_bytes(EXPORT)),
        SampleFile("users.json", to_bytes([{"uuid": "u", "email_address": "owner@example.org"}])),
    )
