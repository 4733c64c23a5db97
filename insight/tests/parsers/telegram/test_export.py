"""Exports of Telegram Desktop of all years: who speaks, when, in which chat."""

from typing import Any

import pytest
from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.testing import ParserConformance, SampleFile
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorKind, ActorRole, Decision, Interaction, Origin, Statement
from roxabi_contracts.payloads import Direction, TimeSource

from .chats import (
    ADA,
    PARSER,
    SENT,
    chat,
    keys,
    message,
    only,
    readings,
    said,
    service,
    to_file,
    unknown,
)


def test_a_message_of_a_group() -> None:
    one = only(chat(message()))
    assert isinstance(one.payload, Interaction)
    assert (one.payload.text, one.payload.channel) == ("I live in Porto", "telegram")
    assert one.payload.direction is Direction.INBOUND
    assert one.source_ref == "chat5/1"
    assert one.timestamp == (SENT + 1) * 1000
    assert one.payload.time.source is TimeSource.RECORD
    assert not one.payload.time.assumed
    assert one.topic == ("Family",)
    assert [(who.kind, who.role, who.name) for who in one.actors] == [
        (ActorKind.PERSON, ActorRole.AUTHOR, "Tom"),
        (ActorKind.GROUP, ActorRole.RECIPIENT, "Family"),
        (ActorKind.PERSON, ActorRole.OWNER, "Ada Owner"),
    ]
    assert keys(one)[:2] == ["account:telegram:user77", "account:telegram:chat5"]
    assert (one.correlation.trace_id, one.sequence) == ("chat5", 1)


def test_a_whole_export_and_one_chat_name_a_message_alike() -> None:
    whole = {
        "about": "Here is the data",
        "personal_information": {"user_id": 1, "first_name": "Ada"},
        "chats": {"about": "x", "list": [chat(message()), chat(message(), id=6, name="Work")]},
        "left_chats": {"list": [chat(message(), id=7, name="Gone")]},
    }
    assert {one.source_ref for one in said(whole)} == {"chat5/1", "chat6/1", "chat7/1"}
    assert only(chat(message())).source_ref == "chat5/1"


@pytest.mark.parametrize(
    ("kind", "ref"),
    [
        ("personal_chat", "user5/1"),
        ("bot_chat", "user5/1"),
        ("private_group", "chat5/1"),
        ("private_supergroup", "channel5/1"),
        ("public_supergroup", "channel5/1"),
        ("public_channel", "channel5/1"),
        ("a_new_kind", "chat5/1"),
    ],
)
def test_ids_are_of_their_kind_of_chat(kind: str, ref: str) -> None:
    assert only(chat(message(), kind=kind)).source_ref == ref


def test_between_two_who_is_not_the_other_is_the_owner() -> None:
    talk = chat(
        message(1, from_id="user5", from_="Tom"),
        message(2, from_id="user1", from_="Ada"),
        kind="personal_chat",
        name="Tom",
    )
    theirs, own = said(talk)
    assert (theirs.subject, own.subject) == (1, 0)
    assert own.actors[0].identifiers == OWNER.identifiers
    assert isinstance(own.payload, Interaction)
    assert own.payload.direction is Direction.OUTBOUND
    assert keys(own)[1] == "account:telegram:user5"


def test_the_owner_is_known_even_if_they_wrote_first() -> None:
    talk = [message(1, from_id="user1"), message(2, from_id="user5"), message(3, from_id="user1")]
    subjects = [one.subject for one in said(chat(*talk, kind="personal_chat"))]
    assert subjects == [0, 1, 0]


def test_a_chat_whose_number_is_nobodys_tells_no_owner() -> None:
    talk = chat(message(1, from_id="user8"), message(2, from_id="user9"), kind="personal_chat")
    assert [one.actors[0].identifiers == OWNER.identifiers for one in said(talk)] == [False, False]


def test_the_owner_of_a_whole_export_is_known_in_groups() -> None:
    whole = {
        "personal_information": {"user_id": 1},
        "chats": {"list": [chat(message(from_id="user1"))]},
    }
    assert only(whole).subject == 0


@pytest.mark.parametrize("stated", ["1", "user1"])
def test_the_owner_is_known_by_their_account(stated: str) -> None:
    key = ADA.identifiers[1].model_copy(update={"value": stated})
    owner = ADA.model_copy(update={"identifiers": (OWNER.identifiers[0], key)})
    assert only(chat(message(from_id="user1")), owner).subject == 0
    assert only(chat(message()), owner).subject == 2


def test_notes_to_oneself_are_statements() -> None:
    one = only(chat(message(from_id="user5"), kind="saved_messages", name=None))
    assert isinstance(one.payload, Statement)
    assert one.subject == 0


def test_what_a_bot_says_is_no_persons() -> None:
    one = only(chat(message(from_id="user5"), kind="bot_chat"))
    assert one.actors[0].kind is ActorKind.BOT
    assert one.origin is Origin.THIRD_PARTY


def test_a_post_of_a_channel_is_the_channels() -> None:
    one = only(chat(message(from_id="channel5", from_="News", author="Kim"), kind="public_channel"))
    assert one.actors[0].kind is ActorKind.GROUP
    assert one.origin is Origin.THIRD_PARTY


PIECES: list[Any] = ["Hello ", {"type": "bold", "text": "dear "}, {"type": "link", "text": "x.org"}]


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"text": "plain"}, "plain"),
        ({"text": PIECES}, "Hello dear x.org"),
        ({"text": PIECES, "text_entities": [{"type": "plain", "text": "the same"}]}, "the same"),
        ({"text": "plain", "text_entities": []}, "plain"),
        ({"text": "", "sticker_emoji": "🙂", "file": "s.webp"}, "🙂"),
        ({"text": "", "contact_information": {"first_name": "Zoe", "phone_number": "+351 1"}},
         "Zoe +351 1"),
        ({"text": "", "location_information": {"latitude": 41.1, "longitude": -8.6}}, "41.1, -8.6"),
        ({"text": "", "place_name": "Harbour", "address": "Quay 1",
          "location_information": {"latitude": 1, "longitude": 2}}, "Harbour Quay 1"),
        ({"text": ["a", None, {"type": "custom_emoji", "text": "b", "document_id": "x"}]}, "ab"),
        ({"text": "a\u2028b\ud83d"}, "a\u2028b"),
    ],
)  # fmt: skip
def test_text_in_every_shape(fields: dict[str, object], text: str) -> None:
    assert only(chat({**message(), **fields})).payload.text.replace("\ufffd", "") == text


def test_what_is_quoted_is_not_said() -> None:
    entities = [
        {"type": "blockquote", "text": "I live in Rome"},
        {"type": "plain", "text": "\nNo."},
    ]
    one = only(chat(message(text_entities=entities)))
    assert one.payload.text == "No."
    assert one.correlation.attributes["quoted"] == "I live in Rome"


@pytest.mark.parametrize("source", ["Zoe", None])
def test_what_is_forwarded_is_somebody_elses(source: str | None) -> None:
    one = only(chat(message() | {"forwarded_from": source}))
    assert (one.actors[0].name, one.actors[0].identifiers) == (source, ())
    assert (one.actors[1].name, one.actors[1].role) == ("Tom", ActorRole.PARTICIPANT)
    assert one.origin is Origin.THIRD_PARTY


def test_an_edit_is_a_revision_and_keeps_its_time() -> None:
    before = chat(message())
    after = chat(message(text="I live in Rome", edited_unixtime=str(SENT + 600)))
    first, edited = said(before, after)
    assert first.source_ref == edited.source_ref
    assert first.timestamp == edited.timestamp
    assert (first.revision, edited.revision) == (0, (SENT + 600) * 1000)


def test_a_chat_that_is_exported_again_says_nothing_new() -> None:
    again = chat(message(), message(2, "More"))
    assert len(said(chat(message()), again)) == 2


def test_a_reply_knows_what_it_answers() -> None:
    assert only(chat(message(2, reply_to_message_id=1))).correlation.parent_ref == "chat5/1"
    elsewhere = message(2, reply_to_message_id=1, reply_to_peer_id="channel9")
    assert only(chat(elsewhere)).correlation.parent_ref == "channel9/1"


def test_what_was_said_before_the_group_moved_keeps_its_number() -> None:
    assert only(chat(message(-999_999_990), kind="private_supergroup")).source_ref == (
        "channel5/-999999990"
    )


@pytest.mark.parametrize("stated", [4321, "user4321"])
def test_ids_of_all_years_are_read(stated: object) -> None:
    assert keys(only(chat(message(from_id=stated))))[0] == "account:telegram:user4321"


def test_a_deleted_account_has_an_id_and_no_name() -> None:
    one = only(chat({**message(), "from": None}))
    assert (one.actors[0].name, keys(one)[0]) == (None, "account:telegram:user77")


def test_a_name_is_no_key() -> None:
    assert only(chat(message(from_id=None))).actors[0].identifiers == ()


def test_a_date_without_its_zone_is_marked() -> None:
    one = only(chat(message(date_unixtime=None)))
    assert one.payload.time.assumed
    assert one.payload.time.source is TimeSource.RECORD


@pytest.mark.parametrize("order", [1, -1])
def test_a_message_without_a_date_takes_its_neighbours(order: int) -> None:
    undated = message(2, "when?", date=None, date_unixtime=None)
    found = {one.payload.text: one for one in said(chat(*[message(1, "one"), undated][::order]))}
    assert found["when?"].timestamp == found["one"].timestamp
    assert found["when?"].payload.time.source is TimeSource.NEIGHBOUR


def test_what_came_along_is_kept_without_its_changing_path() -> None:
    file = message(
        text="", file="files/a.pdf", file_name="a.pdf", file_size=12, mime_type="application/pdf"
    )
    payload = only(chat(file)).payload
    assert isinstance(payload, Interaction)
    assert [(one.name, one.media_type, one.size) for one in payload.attachments] == [
        ("a.pdf", "application/pdf", 12)
    ]
    photo = only(chat(message(text="Look", photo="(File not included.)"))).payload
    assert isinstance(photo, Interaction)
    assert [(one.name, one.media_type) for one in photo.attachments] == [(None, "image/jpeg")]


def poll(**fields: object) -> dict[str, Any]:
    answers = [{"text": "Pizza", "voters": 2}, {"text": "Sushi", "voters": 1}]
    return message(text="", poll={"question": "Lunch?", "answers": answers, **fields})


def test_a_poll_decides_when_it_is_closed() -> None:
    assert isinstance(only(chat(poll(closed=False))).payload, Interaction)
    decided = only(chat(poll(closed=True))).payload
    assert isinstance(decided, Decision)
    assert (decided.decision, decided.alternatives) == ("Lunch? Pizza", ("Sushi",))
    tied = [{"text": "a", "voters": 1}, {"text": "b", "voters": 1}]
    assert isinstance(only(chat(poll(closed=True, answers=tied))).payload, Interaction)


@pytest.mark.parametrize(
    ("note", "claims"),
    [
        (service(1, "invite_members", members=["Zoe", None, "Kim"]),
         [("Zoe", "create"), ("Kim", "create")]),
        (service(1, "join_group_by_link", inviter="Kim"), [("Tom", "create")]),
        (service(1, "create_group", title="Family", members=["Tom", "Zoe"]),
         [("Tom", "create"), ("Zoe", "create")]),
        (service(1, "remove_members", members=["Zoe"]), [("Zoe", "retract")]),
        (service(1, "remove_members", members=["Tom"]), [("Tom", "retract")]),
    ],
)  # fmt: skip
def test_the_chat_tells_who_belongs_to_it(
    note: dict[str, Any], claims: list[tuple[str, str]]
) -> None:
    one = only(chat(note))
    told = [
        (one.actors[claim.about].name, claim.action.value)
        for claim in one.payload.claims
        if isinstance(claim.about, int)
    ]
    assert told == claims
    assert {claim.predicate for claim in one.payload.claims} == {"member_of"}
    assert all(claim.value["value"] == "Family" for claim in one.payload.claims)


def test_members_are_named_and_not_identified() -> None:
    one = only(chat(service(1, "invite_members", members=["Zoe"])))
    assert one.actors[2].identifiers == ()


def test_other_notes_of_the_service_say_nothing() -> None:
    quiet = chat(service(1, "pin_message"), service(2, "phone_call"), service(3, "topic_created"))
    assert said(quiet) == []
    assert unknown(quiet) == {}


def test_what_is_not_known_is_counted() -> None:
    strange = chat(service(1, "dance"), {"id": 2, "type": "unsupported"})
    assert unknown(strange) == {"service:dance": 1, "type:unsupported": 1}


@pytest.mark.parametrize(
    ("value", "confidence"),
    [
        (chat(message()), Confidence.CERTAIN),
        ({"chats": {"list": [chat(message())]}}, Confidence.CERTAIN),
        ({"about": "Telegram data", "personal_information": {}}, Confidence.LIKELY),
        ({"messages": [{"date_unixtime": "1", "text": ""}]}, Confidence.LIKELY),
        ({"messages": [{"text": ""}]}, Confidence.NONE),
        ([{"text": "a", "author": "owner"}], Confidence.NONE),
        ("words", Confidence.NONE),
    ],
)
def test_an_export_is_recognised(value: object, confidence: Confidence) -> None:
    assert PARSER.recognise(FileHead("x.json", to_file(value), complete=True)) is confidence


def test_an_event_that_is_no_message_is_rejected() -> None:
    (reading,) = readings(to_file(chat({"id": 1, "type": "message"})))
    assert reading.reject is None
    assert said(chat({"id": 1, "type": "message"})) == []


class TestTelegramExport(ParserConformance):
    parser = PARSER
    files = (
        SampleFile(
            "export/result.json",
            to_file(
                {
                    "personal_information": {"user_id": 1},
                    "chats": {
                        "list": [
                            chat(
                                message(),
                                message(2, PIECES, reply_to_message_id=1, from_id="user1"),
                                message(3, "passed on", forwarded_from="Zoe"),
                                message(4, "", photo="p.jpg", edited_unixtime=str(SENT + 60)),
                                message(5, "when?", date=None, date_unixtime=None),
                                service(6, "invite_members", members=["Zoe"]),
                                service(7, "dance"),
                                poll(closed=True) | {"id": 8},
                                {"id": 9, "type": "unsupported"},
                            ),
                            chat(message(), kind="saved_messages", id=1),
                        ]
                    },
                }
            ),
        ),
        SampleFile("one/result.json", to_file(chat(message(), kind="personal_chat", id=77))),
    )
