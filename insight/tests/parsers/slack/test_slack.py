"""A workspace: who its ids are, what they say to whom, and what was taken back."""

import json

import pytest
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.event import FileHead, Skipped
from cortex_insight.interpret import Interpreted, Presence, SourceConfig, interpret
from cortex_insight.parser import Confidence
from cortex_insight.parsers.slack.text import divided, plain, text_of_blocks
from cortex_insight.testing import ParserConformance, SampleFile, read_files
from cortex_insight.testing.samples import OWNER, RECEIVED
from pydantic import JsonValue
from roxabi_contracts import ActorKind, ActorRole, Identifier, Interaction, Origin, RawEvent
from roxabi_contracts.payloads import Direction

from .workspace import (
    ADA,
    CHANNEL,
    PARSER,
    STAMP,
    Fields,
    export,
    keys,
    message,
    only,
    readings,
    said,
    to_files,
    user,
)

LATER = "1772526700.000100"


def test_a_message_knows_its_author_by_the_list_of_users() -> None:
    one = only(export(message(), users=[user()]))
    assert isinstance(one.payload, Interaction)
    assert (one.payload.text, one.payload.channel) == ("I live in Porto", "slack")
    assert one.payload.direction is Direction.INBOUND
    assert one.source_ref == f"C0GEN/{STAMP}"
    assert one.timestamp == 1_772_526_601_000
    assert one.sequence == 1_772_526_601_000_200
    assert [(who.kind, who.role, who.name) for who in one.actors] == [
        (ActorKind.PERSON, ActorRole.AUTHOR, "Tom Reed"),
        (ActorKind.GROUP, ActorRole.RECIPIENT, "general"),
        (ActorKind.PERSON, ActorRole.OWNER, "Ada Owner"),
    ]
    assert keys(one)[:2] == [
        ["account:slack:U0TOM", "email:tom@example.net"],
        ["account:slack:C0GEN"],
    ]
    assert one.topic == ("general",)


def test_the_owner_is_known_by_the_address_of_their_account() -> None:
    one = only(export(message(user="U0ADA")))
    assert one.subject == 0
    assert isinstance(one.payload, Interaction)
    assert one.payload.direction is Direction.OUTBOUND


@pytest.mark.parametrize("stated", ["U0ADA", "T1/U0ADA"])
def test_the_owner_is_known_by_their_account(stated: str) -> None:
    key = Identifier(scheme="account:slack", value=stated)
    owner = OWNER.model_copy(update={"identifiers": (key,)})
    assert only(export(message(user="U0ADA"), users=[]), owner).subject == 0


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({"user_profile": {"real_name": "Zoe", "team": "T9"}}, "Zoe"),
        ({"username": "zoe", "team": "T1"}, "zoe"),
        ({}, None),
    ],
)
def test_who_is_not_in_the_list_is_known_by_what_the_message_says(
    fields: Fields, name: str | None
) -> None:
    one = only(export(message(user="U9XX", **fields), users=[user()]))
    assert one.actors[0].name == name
    assert keys(one)[0] == ["account:slack:U9XX"]


@pytest.mark.parametrize(
    "fields",
    [
        {"subtype": "bot_message", "bot_id": "B1", "username": "deploy", "user": None},
        {"subtype": "bot_message", "username": "deploy", "user": None},
        {"bot_id": "B1", "bot_profile": {"name": "deploy"}, "user": None},
        {"user": "USLACKBOT"},
    ],
)
def test_a_program_is_no_person(fields: Fields) -> None:
    one = only(export(message(**fields)))
    assert one.actors[0].kind is ActorKind.BOT
    assert one.origin is Origin.THIRD_PARTY


def test_a_user_of_two_exports_is_the_later_one() -> None:
    before = user(profile={"real_name": "Old"}, updated=1)
    one = only(export(message(), users=[user(), before]))
    assert one.actors[0].name == "Tom Reed"


def test_the_list_of_users_states_who_they_are() -> None:
    listed = user(
        tz="Europe/Lisbon",
        profile={
            "real_name": "Tom Reed",
            "email": "tom@example.net",
            "title": "Gardener",
            "phone": "",
        },
    )
    (one,) = [
        one
        for reading in readings(export(users=[listed]))
        for one in reading.observations
    ]  # fmt: skip
    assert {claim.predicate: claim.value["value"] for claim in one.payload.claims} == {
        "name": "Tom Reed",
        "email_address": "tom@example.net",
        "job_title": "Gardener",
        "time_zone": "Europe/Lisbon",
    }
    assert one.revision == 1_700_000_000_000


@pytest.mark.parametrize("fields", [{"is_bot": True}, {"deleted": True}, {"profile": {}}])
def test_of_programs_and_of_who_left_nothing_is_stated(fields: Fields) -> None:
    assert said(export(users=[user(**fields)])) == []
    told = [one.observations for one in readings(export(users=[user(**fields)]))]
    assert all(not observations for observations in told)


def test_a_thread_hangs_on_its_root_even_if_that_is_missing() -> None:
    root = message(thread_ts=STAMP)
    reply = message(LATER, "Me too", thread_ts=STAMP)
    first, other = said(export(root, reply))
    assert first.correlation.trace_id == other.correlation.trace_id == f"C0GEN/{STAMP}"
    assert (first.correlation.parent_ref, other.correlation.parent_ref) == (None, first.source_ref)
    assert only(export(reply)).correlation.parent_ref == f"C0GEN/{STAMP}"


def test_a_reply_that_is_shown_in_the_channel_too_is_one() -> None:
    reply = message(LATER, thread_ts=STAMP)
    shown = message(LATER, thread_ts=STAMP, subtype="thread_broadcast")
    assert len({one.source_ref for one in said(export(reply, shown))}) == 1


def test_an_edit_is_a_revision() -> None:
    edited = message(text="I live in Rome", edited={"user": "U0TOM", "ts": LATER})
    first, other = said(export(message(), edited))
    assert first.source_ref == other.source_ref
    assert first.timestamp == other.timestamp
    assert other.revision == 1_772_526_700_000
    told = message(LATER, subtype="message_changed", message=edited)
    assert said(export(message(), told))[1].payload.text == "I live in Rome"


@pytest.mark.parametrize(
    "gone",
    [
        message(subtype="tombstone", user="USLACKBOT", text="This message was deleted."),
        message(LATER, subtype="message_deleted", deleted_ts=STAMP),
    ],
)
def test_what_was_deleted_is_the_last_revision(gone: Fields) -> None:
    first, deleted = said(export(message(), gone))
    assert (first.deleted, deleted.deleted) == (False, True)
    assert first.source_ref == deleted.source_ref
    assert first.timestamp == deleted.timestamp
    assert deleted.revision > first.revision


@pytest.mark.parametrize(
    ("subtype", "action"),
    [("channel_join", "create"), ("group_leave", "retract")],
)
def test_the_channel_tells_who_belongs_to_it(subtype: str, action: str) -> None:
    one = only(export(message(subtype=subtype, text="<@U0TOM> has joined the channel")))
    (claim,) = one.payload.claims
    assert (claim.predicate, claim.value, claim.action.value) == (
        "member_of", {"value": "general"}, action,
    )  # fmt: skip


def test_a_direct_conversation_is_with_its_other_member() -> None:
    direct = {"id": "D0ONE", "created": 1, "members": ["U0TOM", "U0ADA"]}
    content = export(message(), folder="D0ONE", channels=[]) | {"dms.json": [direct]}
    key = Identifier(scheme="account:slack", value="U0ADA")
    owner = OWNER.model_copy(update={"identifiers": (*OWNER.identifiers, key)})
    one = only(content, owner)
    assert [who.role for who in one.actors] == [ActorRole.AUTHOR, ActorRole.RECIPIENT]
    assert one.actors[1].identifiers == owner.identifiers
    assert one.source_ref == f"D0ONE/{STAMP}"


def test_without_a_list_of_channels_the_folder_names_it() -> None:
    one = only(export(message(), channels=[]))
    assert one.source_ref == f"general/{STAMP}"


NAMES = {"U0TOM": "Tom Reed"}


@pytest.mark.parametrize(
    ("marked", "shown"),
    [
        ("<@U0TOM> hi", "@Tom Reed hi"),
        ("<@U9XX|zoe> hi", "@zoe hi"),
        ("<@U9XX>", "@U9XX"),
        ("<#C1|general>", "#general"),
        ("<!here> <!subteam^S1|@team>", "@here @team"),
        ("<!date^1392734382^{date}|Feb 18>", "Feb 18"),
        ("<https://x.org|the page> <https://y.org>", "the page https://y.org"),
        ("<mailto:a@x.org|a@x.org>", "a@x.org"),
        ("a &lt; b &amp;&amp; c &gt; d", "a < b && c > d"),
        ("&lt;@U0TOM&gt;", "<@U0TOM>"),
        ("<unfinished", "<unfinished"),
    ],
)
def test_markup_is_read_as_people_see_it(marked: str, shown: str) -> None:
    assert plain(marked, NAMES) == shown


@pytest.mark.parametrize(
    ("marked", "own", "quoted"),
    [
        ("&gt; I live in Rome\nNo.", "No.", "I live in Rome"),
        ("Look:\n&gt;&gt;&gt;all\nof it", "Look:", "all\nof it"),
        ("1 &gt; 0", "1 &gt; 0", ""),
    ],
)
def test_what_is_quoted_is_not_said(marked: str, own: str, quoted: str) -> None:
    assert divided(marked) == (own, quoted)


def test_text_that_is_in_blocks_alone_is_read() -> None:
    section: JsonValue = {"type": "rich_text_section", "elements": [
        {"type": "text", "text": "Hello "}, {"type": "user", "user_id": "U0TOM"},
        {"type": "emoji", "name": "wave"}, {"type": "link", "url": "https://x.org"}]}  # fmt: skip
    quote: JsonValue = {"type": "rich_text_quote", "elements": [{"type": "text", "text": "Rome"}]}
    blocks: list[JsonValue] = [
        {"type": "rich_text", "elements": [section, quote]},
        {"type": "section", "text": {"type": "mrkdwn", "text": "And *more*"}},
    ]
    assert text_of_blocks(blocks) == "Hello <@U0TOM>:wave:https://x.org\n&gt; Rome\nAnd *more*"
    one = only(export(message(text="", blocks=blocks)))
    assert one.payload.text == "Hello @Tom Reed:wave:https://x.org\nAnd *more*"


def test_a_card_below_no_words_is_shown_and_not_said() -> None:
    card = {"title": "Build 7", "text": "passed", "fallback": "x"}
    one = only(export(message(text="", attachments=[card])))
    assert one.payload.text == "Build 7\npassed"
    assert only(export(message(attachments=[card]))).payload.text == "I live in Porto"


def test_files_are_kept() -> None:
    file = {"name": "a.pdf", "mimetype": "application/pdf", "size": 12}
    payload = only(export(message(text="", files=[file]))).payload
    assert isinstance(payload, Interaction)
    assert [(one.name, one.media_type, one.size) for one in payload.attachments] == [
        ("a.pdf", "application/pdf", 12)
    ]


def test_the_rules_hear_who_speaks() -> None:
    config = SourceConfig(PARSER, Origin.SEMI_TRUSTED, RuleEnricher())
    content = export(message(text="&gt; I live in Rome\nI live in Porto"), users=[], channels=[])
    (event,) = read_files(PARSER, to_files(content))
    assert isinstance(event, RawEvent)
    answer = interpret(event, Presence(), config, RECEIVED)
    assert isinstance(answer, Interpreted)
    values = [claim.value["value"] for claim in answer.observations[0].payload.claims]
    assert values == ["Porto"]


def test_notes_of_the_workspace_say_nothing_and_new_ones_are_counted() -> None:
    quiet, strange = message(subtype="channel_topic"), message(LATER, subtype="dance")
    found = readings(export(quiet, strange))
    assert {"subtype:dance": 1} in [one.unknown_types for one in found]
    assert said(export(quiet, strange)) == []


def test_other_files_of_the_export_are_told() -> None:
    logs = SampleFile("integration_logs.json", b'[{"service_id": "1"}]')
    assert read_files(PARSER, [logs]) == [Skipped(0, "nothing that anybody said is in it")]
    broken = SampleFile("general/2026-03-03.json", json.dumps([message()]).encode()[:-3])
    assert isinstance(read_files(PARSER, [broken])[-1], Skipped)


@pytest.mark.parametrize(
    ("path", "value", "confidence"),
    [
        ("general/2026-03-03.json", [message()], Confidence.CERTAIN),
        ("users.json", [user()], Confidence.CERTAIN),
        ("channels.json", [CHANNEL], Confidence.CERTAIN),
        ("dms.json", [], Confidence.POSSIBLE),
        ("integration_logs.json", [{"service_id": "1"}], Confidence.POSSIBLE),
        ("x.json", [{"id": "42", "text": "a", "author": "owner"}], Confidence.NONE),
        ("x.json", {"ts": "1"}, Confidence.NONE),
    ],
)
def test_the_files_of_an_export_are_recognised(
    path: str, value: object, confidence: Confidence
) -> None:
    content = json.dumps(value).encode()
    assert PARSER.recognise(FileHead(path, content, complete=True)) is confidence


class TestSlack(ParserConformance):
    parser = PARSER
    files = to_files(
        export(
            message(),
            message(LATER, "<@U0ADA> &gt; <https://x.org|page>", thread_ts=STAMP),
            message("1772526701.000100", subtype="channel_join"),
            message("1772526702.000100", subtype="tombstone"),
            message("1772526703.000100", text="", files=[{"name": "a"}], edited={"ts": LATER}),
            message("1772526704.000100", subtype="dance"),
            users=[user(), ADA],
        )
    )
