"""Updates of the Bot API: the same messages, as a bot sees them."""

import json

import pytest
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.event import FileHead
from cortex_insight.interpret import Interpreted, Presence, SourceConfig, interpret
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile, read_files
from cortex_insight.testing.samples import RECEIVED
from pydantic import JsonValue
from roxabi_contracts import ActorKind, Interaction, Origin, RawEvent

from .chats import (
    PARSER,
    SENT,
    Fields,
    chat,
    keys,
    lines,
    message,
    only,
    readings,
    said,
    skipped,
    update,
)

GROUP = {"id": -5, "type": "group", "title": "Family"}
SUPERGROUP = {"id": -1_000_000_000_005, "type": "supergroup", "title": "Club"}
ZOE = {"id": 9, "is_bot": False, "first_name": "Zoe"}
HELPER = {"id": 8, "is_bot": True, "first_name": "Helper"}


def test_a_message_to_a_bot() -> None:
    one = only(lines(update()))
    assert isinstance(one.payload, Interaction)
    assert one.payload.text == "I live in Porto"
    assert (one.actors[0].name, keys(one)[0]) == ("Tom Reed", "account:telegram:user77")
    assert one.source_ref == "user77/1"
    assert one.timestamp == (SENT + 1) * 1000


def test_both_shapes_name_a_message_alike() -> None:
    seen = only(lines(update(chat=GROUP)))
    exported = only(chat(message()))
    assert seen.source_ref == exported.source_ref
    assert keys(seen) == keys(exported)
    club = only(lines(update(chat=SUPERGROUP)))
    assert club.source_ref == only(chat(message(), kind="public_supergroup")).source_ref


def test_an_edit_is_a_revision() -> None:
    first = update()
    edited = update(kind="edited_message", text="I live in Rome", edit_date=SENT + 60)
    one, other = said(lines(first, edited))
    assert one.source_ref == other.source_ref
    assert one.timestamp == other.timestamp
    assert (one.revision, other.revision) == (0, (SENT + 60) * 1000)


def test_a_deletion_is_the_last_revision_whatever_comes_first() -> None:
    gone = {
        "update_id": 5000,
        "deleted_business_messages": {"chat": {"id": 77, "type": "private"}, "message_ids": [1, 2]},
    }
    edited = update(kind="edited_business_message", edit_date=SENT + 60)
    told = [said(lines(*order)) for order in ((update(), edited, gone), (gone, edited, update()))]
    assert told[0] == told[1]
    deleted = [one for one in told[0] if one.deleted]
    assert {one.source_ref for one in deleted} == {"user77/1", "user77/2"}
    first = next(one for one in deleted if one.source_ref == "user77/1")
    assert first.timestamp == (SENT + 1) * 1000
    assert all(first.revision > one.revision for one in told[0] if not one.deleted)


@pytest.mark.parametrize(
    ("fields", "name", "key"),
    [
        ({"forward_origin": {"type": "user", "sender_user": ZOE}}, "Zoe", "account:telegram:user9"),
        ({"forward_origin": {"type": "hidden_user", "sender_user_name": "Zoe"}}, "Zoe", None),
        ({"forward_origin": {"type": "channel", "chat": SUPERGROUP}}, "Club",
         "account:telegram:channel5"),
        ({"forward_from": ZOE}, "Zoe", "account:telegram:user9"),
        ({"forward_from_chat": SUPERGROUP}, "Club", "account:telegram:channel5"),
        ({"forward_sender_name": "Zoe"}, "Zoe", None),
        ({"forward_date": 1}, None, None),
    ],
)  # fmt: skip
def test_what_is_forwarded_is_somebody_elses(
    fields: Fields, name: str | None, key: str | None
) -> None:
    one = only(lines(update(**fields)))
    assert (one.actors[0].name, keys(one)[0]) == (name, key)
    assert one.origin is Origin.THIRD_PARTY


def test_places_in_the_text_are_counted_as_telegram_counts_them() -> None:
    text = "🙂🙂 I live in Rome\nNo."
    quote = {"type": "blockquote", "offset": 0, "length": 19}
    one = only(lines(update(text=text, entities=[quote])))
    assert one.payload.text == "No."
    assert one.correlation.attributes["quoted"] == "🙂🙂 I live in Rome"


def test_a_caption_is_the_text_of_what_it_stands_below() -> None:
    photo = [{"file_size": 1}, {"file_size": 2}]
    payload = only(lines(update(text=None, caption="Look", photo=photo))).payload
    assert isinstance(payload, Interaction)
    assert payload.text == "Look"
    assert [(one.media_type, one.size) for one in payload.attachments] == [("image/jpeg", 2)]


def test_who_came_and_went_is_known_by_id() -> None:
    came = only(lines(update(chat=GROUP, text=None, new_chat_members=[ZOE])))
    left = only(lines(update(chat=GROUP, text=None, left_chat_member=ZOE)))
    assert [claim.action.value for one in (came, left) for claim in one.payload.claims] == [
        "create", "retract",
    ]  # fmt: skip
    assert keys(came)[2] == "account:telegram:user9"


@pytest.mark.parametrize(
    ("before", "after", "action"),
    [
        ("left", "member", "create"),
        ("administrator", "kicked", "retract"),
        ("member", "administrator", None),
    ],
)
def test_the_chat_reports_its_members(before: str, after: str, action: str | None) -> None:
    change = {
        "update_id": 7,
        "chat_member": {
            "chat": GROUP,
            "from": ZOE,
            "date": SENT,
            "old_chat_member": {"user": ZOE, "status": before},
            "new_chat_member": {"user": ZOE, "status": after},
        },
    }
    claims = [claim.action.value for one in said(lines(change)) for claim in one.payload.claims]
    assert claims == ([action] if action else [])


def test_a_bot_and_an_anonymous_administrator_are_no_persons() -> None:
    assert only(lines(update(from_=HELPER))).actors[0].kind is ActorKind.BOT
    anonymous = only(lines(update(chat=SUPERGROUP, sender_chat=SUPERGROUP)))
    assert anonymous.actors[0].kind is ActorKind.GROUP


def test_a_topic_is_a_trace_of_its_own() -> None:
    one = only(lines(update(chat=SUPERGROUP, message_thread_id=4, is_topic_message=True)))
    assert one.correlation.trace_id == "channel5/topic/4"


def test_updates_come_a_line_each_or_in_a_list() -> None:
    updates = [update(1), update(2, text="More")]
    forms = (
        lines(*updates),
        json.dumps(updates).encode(),
        json.dumps({"ok": True, "result": updates}, indent=1).encode(),
    )
    told = [said(form) for form in forms]
    assert len(told[0]) == 2
    assert told[0] == told[1] == told[2]


def test_a_line_that_is_broken_or_unfinished_is_told() -> None:
    content = lines(update()) + b"{broken\n" + b'{"update_id": 9, "mess'
    assert skipped(content) == ["the line is no update", "the last line is still being written"]


def test_other_updates_say_nothing_and_new_ones_are_counted() -> None:
    quiet: Fields = {"update_id": 1, "callback_query": {}}
    strange: Fields = {"update_id": 2, "dance": {}}
    counted = [reading.unknown_types for reading in readings(lines(quiet, strange))]
    assert {"update:dance": 1} in counted
    assert said(lines(quiet, strange)) == []


def test_the_rules_hear_who_speaks_and_nobody_who_is_passed_on() -> None:
    config = SourceConfig(PARSER, Origin.SEMI_TRUSTED, RuleEnricher())
    content = lines(update(), update(2, forward_from=ZOE))
    claims: list[list[JsonValue]] = []
    for event in read_files(PARSER, [SampleFile("updates.jsonl", content)]):
        assert isinstance(event, RawEvent)
        answer = interpret(event, Presence(), config, RECEIVED)
        assert isinstance(answer, Interpreted)
        claims += [[one.value["value"] for one in answer.observations[0].payload.claims]]
    assert claims == [["Porto"], []]


def test_updates_are_recognised() -> None:
    assert PARSER.recognise(FileHead("x", lines(update()), complete=True)) is Confidence.CERTAIN


class TestTelegramUpdates(ParserConformance):
    parser = PARSER
    files = (
        SampleFile(
            "updates.jsonl",
            lines(
                update(),
                update(kind="edited_message", edit_date=SENT + 60, text="I live in Rome"),
                update(2, chat=GROUP, text=None, new_chat_members=[ZOE]),
                update(3, chat=SUPERGROUP, forward_origin={"type": "user", "sender_user": ZOE}),
                {"update_id": 4, "callback_query": {}},
                {"update_id": 5, "deleted_business_messages": {
                    "chat": {"id": 77, "type": "private"}, "message_ids": [1]}},
            ),
        ),
    )  # fmt: skip
