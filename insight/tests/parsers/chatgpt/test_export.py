"""Exports of ChatGPT: files, branches, later exports, and what was set for all conversations."""

import itertools
from typing import Any

import pytest
from cortex_insight.event import FileHead, Skipped
from cortex_insight.parser import Confidence
from cortex_insight.parsers import message_events
from cortex_insight.testing import SampleFile, read_files, readings_of
from roxabi_contracts import RawEvent, Statement
from roxabi_contracts.payloads import ClaimAction, ClaimKind, SpeechAct

from .conversations import (
    BEGUN,
    PARSER,
    Fields,
    answer,
    conversation,
    events,
    items,
    line,
    message,
    readings,
    said,
    said_in,
    texts,
    to_bytes,
    tool,
)

FIRST = line(None, message(text="I live in Porto"), answer("Fine."))
EDITED = line(message(text="I live in Rome"), answer("Sure."), under="n0", first=3)


def instructed(
    name: str, moment: float, model: str = "Be terse.", user: str = "", **fields: object
) -> Fields:
    """A conversation that began with custom instructions."""
    context = message(
        create_time=None,
        content={
            "content_type": "user_editable_context",
            "user_profile": f"Shown to you always:\n```{user}```",
            "user_instructions": f"They would like:\n```{model}```",
        },
        metadata={"is_visually_hidden_from_conversation": True, **fields},
    )
    return conversation(line(None, context), name=name, create_time=moment)


def rules(*contents: object) -> list[tuple[int, str, ClaimAction]]:
    found = [one for one in said(*contents) if one.source_ref.endswith("#about-model")]
    return [(one.timestamp, one.payload.text, one.payload.claims[0].action) for one in found]


@pytest.mark.parametrize(
    ("current", "expected"),
    [
        ("n4", ["I live in Rome", "Sure."]),
        ("n2", ["I live in Porto", "Fine."]),
        ("n3", ["I live in Rome", "Sure."]),
    ],
)
def test_the_branch_that_the_user_went_on_with_counts(current: str, expected: list[str]) -> None:
    assert texts([conversation(FIRST | EDITED, current)]) == expected


@pytest.mark.parametrize("current", [None, "gone"])
def test_without_a_current_node_the_newest_branch_counts(current: str | None) -> None:
    later = line(message(text="Later", create_time=BEGUN + 9), under="n0", first=5)
    stated = conversation(FIRST | later | EDITED, current)
    stated["current_node"] = current
    assert texts([stated]) == ["Later"]


def test_a_later_choice_of_branch_takes_the_first_one_back_in_any_order() -> None:
    exports = [
        [conversation(FIRST, update_time=BEGUN + 1)],
        [conversation(FIRST | EDITED, "n4", update_time=BEGUN + 2)],
        [conversation(FIRST | EDITED, "n2", update_time=BEGUN + 3)],
    ]
    for order in itertools.permutations(exports[:2]):
        assert texts(*order) == ["I live in Rome", "Sure."]
    for order in itertools.permutations(exports):
        assert texts(*order) == ["I live in Porto", "Fine."]


def test_a_later_export_repeats_events_and_renames_what_is_known() -> None:
    before = events([conversation(FIRST)])
    renamed = conversation(FIRST, title="Flat in Porto", update_time=BEGUN + 200)
    after = events([renamed])
    shared = {one.event_id for one in before} & {one.event_id for one in after}
    assert len(shared) == 2
    (first, *_) = said([conversation(FIRST)], [renamed])
    assert first.topic == ("Flat in Porto",)
    assert first.made_by.neighbour_revisions == (1_700_000_200_500,)


def test_an_answer_that_was_being_written_is_replaced_by_the_whole() -> None:
    half = conversation(line(answer("Por", status="in_progress")))
    whole = conversation(line(answer("Porto")), update_time=BEGUN + 200)
    found = said([half], [whole])
    assert {one.source_ref for one in found} == {"c1/n0"}
    assert sorted((one.revision, one.payload.text) for one in found) == [(0, "Por"), (1, "Porto")]
    edited = conversation(line(answer("Porto!", update_time=BEGUN + 7)))
    (last,) = said([edited])
    assert last.revision == 1_700_000_007_500


def test_a_circle_and_lost_parents_end() -> None:
    circle = line(message(text="a"), message(text="b"))
    circle["n0"]["parent"] = "n1"
    lost = line(message(text="c"), under="gone", first=2)
    itself = line(message(text="d"), under="n3", first=3)
    assert sorted(texts([conversation(circle | lost | itself, "n1")])) == ["a", "b", "c", "d"]


def test_a_long_conversation_is_placed_in_no_time() -> None:
    long = line(*(message(text=str(number)) for number in range(3000)))
    reversed_order = dict(reversed(long.items()))
    found = said([conversation(reversed_order, "n2999")])
    assert [one.sequence for one in found] == list(range(3000))


@pytest.mark.parametrize(
    "content",
    [
        [conversation(FIRST)],
        {"conversations": [conversation(FIRST)]},
        {"exported": 1, "conversations": [conversation(FIRST)]},
        conversation(FIRST),
    ],
)
def test_every_layout_of_the_file_is_read(content: object) -> None:
    assert texts(content) == ["I live in Porto", "Fine."]


def test_a_byte_order_mark_and_half_characters_are_no_obstacle() -> None:
    raw = to_bytes([conversation(line(message(text="I live\\u0000 in \\ud83d Porto")))])
    content = b"\xef\xbb\xbf" + raw.replace(b"\\\\u", b"\\u")
    found = read_files(PARSER, [SampleFile("conversations.json", content)])
    (one,) = said_in(readings_of(PARSER, [one for one in found if isinstance(one, RawEvent)]))
    assert one.payload.text.endswith("Porto")
    assert "\0" not in one.payload.text


@pytest.mark.parametrize("named", [False, True])
def test_a_file_that_is_cut_is_read_up_to_there(named: bool) -> None:
    listed = [conversation(FIRST), conversation(FIRST, name="c2")]
    content = to_bytes({"conversations": listed} if named else listed)[:-60]
    found = read_files(PARSER, [SampleFile("conversations.json", content)])
    assert found[-1] == Skipped(0, "from here on the file is no JSON; what came before it was read")
    assert sum(isinstance(one, RawEvent) for one in found) == 3


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ([{"title": "x"}], "a conversation without messages"),
        (
            [conversation(FIRST, is_do_not_remember=True)],
            "a conversation that its user asked not to remember",
        ),
        (
            [conversation(line(message(text="x" * 100_000)))],
            "the message is longer than can be kept",
        ),
    ],
)
def test_what_is_left_out_has_a_reason(
    monkeypatch: pytest.MonkeyPatch, content: object, reason: str
) -> None:
    monkeypatch.setattr(message_events, "LONGEST_RECORD", 50_000)
    assert [one.reason for one in items(content) if isinstance(one, Skipped)] == [reason]
    assert texts(content) == []


def test_a_message_longer_than_can_be_kept_is_left_out() -> None:
    file = SampleFile("x.json", to_bytes([conversation(line(message(text="x" * 42_000_000)))]))
    *_, left = read_files(PARSER, [file], piece=1 << 20)
    assert left == Skipped(0, "the message is longer than can be kept")


def test_a_conversation_without_an_id_is_named_after_its_first_message() -> None:
    nameless = {k: v for k, v in conversation(FIRST).items() if k != "conversation_id"}
    assert {one.source_ref for one in said([nameless])} == {"n0/n1", "n0/n2"}
    assert {one.source_ref for one in said([{**nameless, "id": "c9"}])} == {"c9/n1", "c9/n2"}


def test_custom_instructions_are_told_when_they_change() -> None:
    export = [
        instructed("late", BEGUN + 40, "Be kind."),
        instructed("d", BEGUN + 30),
        instructed("c", BEGUN + 20, "Rhyme."),
        instructed("b", BEGUN + 10),
        instructed("a", BEGUN),
    ]
    expected = [
        (1_700_000_000_500, "Be terse.", ClaimAction.SUPERSEDE),
        (1_700_000_020_500, "Rhyme.", ClaimAction.SUPERSEDE),
        (1_700_000_030_500, "Be terse.", ClaimAction.SUPERSEDE),
        (1_700_000_040_500, "Be kind.", ClaimAction.SUPERSEDE),
    ]
    assert rules(export) == expected
    assert rules(export[::-1]) == expected


def test_a_custom_instruction_is_the_owners_standing_order() -> None:
    (one,) = said([instructed("a", BEGUN)])
    assert isinstance(one.payload, Statement)
    assert one.payload.speech_act is SpeechAct.INSTRUCTION
    (claim,) = one.payload.claims
    assert (claim.predicate, claim.kind) == ("custom_instructions", ClaimKind.INSTRUCTION)
    assert claim.value == {"value": "Be terse."}
    assert (one.subject, one.actors[0].role.value) == (0, "author")


def test_what_the_user_tells_of_themself_is_their_statement() -> None:
    found = said([instructed("a", BEGUN, user="I live in Porto")])
    about = next(one for one in found if one.source_ref.endswith("#about-user"))
    assert about.payload.text == "I live in Porto"
    assert about.subject == 0


def test_instructions_are_read_in_plain_where_they_stand_in_plain() -> None:
    plain = {"about_model_message": "Be kind.", "about_user_message": None}
    (one,) = said([instructed("a", BEGUN, user_context_message_data=plain)])
    assert one.payload.text == "Be kind."


def test_instructions_of_older_exports_stand_in_a_system_message() -> None:
    old = message(
        "system", "", create_time=None,
        metadata={
            "is_user_system_message": True,
            "user_context_message_data": {"about_model_message": "Be kind."},
        },
    )  # fmt: skip
    (one,) = said([conversation(line(old))])
    assert one.payload.text == "Be kind."


def test_instructions_that_were_removed_are_taken_back() -> None:
    none = instructed("b", BEGUN + 10, "")
    assert rules([none]) == []
    assert [action for *_, action in rules([none, instructed("a", BEGUN)])] == [
        ClaimAction.SUPERSEDE,
        ClaimAction.RETRACT,
    ]


def test_instructions_stay_when_the_branch_is_left() -> None:
    above = instructed("c1", BEGUN)["mapping"]
    other = line(message(), under="n0", first=7)
    (first, second) = said([conversation(above | other, "n7")])
    assert {first.payload.text, second.payload.text} == {"Be terse.", "I live in Porto"}


def test_the_account_states_how_its_owner_is_reached() -> None:
    account = {"id": "user-1", "email": "ada@example.net", "phone_number": None}
    found = [one for one in items(account, path="user.json") if isinstance(one, RawEvent)]
    (one,) = said_in(readings_of(PARSER, found))
    assert [(claim.predicate, claim.value) for claim in one.payload.claims] == [
        ("email_address", {"value": "ada@example.net"})
    ]


def test_files_without_conversations_are_left_out() -> None:
    (one,) = items([{"rating": "thumbsUp"}], path="export/message_feedback.json")
    assert one == Skipped(0, "no conversation is in it")


@pytest.mark.parametrize(
    ("path", "value", "confidence"),
    [
        ("conversations.json", [conversation(FIRST)], Confidence.CERTAIN),
        ("conversations-003.json", [conversation(FIRST)], Confidence.CERTAIN),
        ("x.json", conversation(FIRST), Confidence.CERTAIN),
        ("user.json", {"id": "u", "chatgpt_plus_user": False}, Confidence.CERTAIN),
        ("user.json", {"id": "u"}, Confidence.NONE),
        ("shared_conversations.json", [1], Confidence.POSSIBLE),
        ("conversations.json", [1], Confidence.NONE),
        ("x.json", {"mapping": {"a": 1}}, Confidence.NONE),
        ("x.json", {"id": "42", "text": "a", "author": "owner"}, Confidence.NONE),
        ("conversations.json", [{"uuid": "u", "chat_messages": [1]}], Confidence.NONE),
    ],
)
def test_the_files_of_an_export_are_recognised(
    path: str, value: Any, confidence: Confidence
) -> None:
    head = FileHead(path, to_bytes(value), complete=True)
    assert PARSER.recognise(head) is confidence


def test_events_of_others_are_rejected_with_a_reason() -> None:
    (event, *_) = events([conversation(FIRST)])
    strange = event.model_copy(update={"body": event.body.model_copy(update={"content": "[]"})})
    (reading,) = readings_of(PARSER, [strange])
    assert reading.reject is not None
    assert reading.reject.code == "no_record"
    unowned = event.model_copy(update={"owner": None})
    (reading,) = readings_of(PARSER, [unowned])
    assert reading.reject is not None
    assert reading.reject.code == "no_owner"


def test_a_message_alone_counts_until_its_conversation_is_known() -> None:
    found = [one for one in events([conversation(FIRST | EDITED, "n4")]) if "/n1" in one.source_ref]
    (one,) = said_in(readings_of(PARSER, found))
    assert (one.payload.text, one.topic) == ("I live in Porto", None)


def test_unknown_tools_do_not_stop_the_line() -> None:
    assert len(readings([conversation(line(tool("new.tool", "x")))])) == 2
