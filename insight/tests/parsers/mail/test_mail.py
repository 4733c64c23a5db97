"""Whose mail it is, who speaks, what belongs together, and what comes twice."""

from datetime import UTC, datetime

import pytest
from cortex_insight.enrich.rules import RuleEnricher
from cortex_insight.interpret import Interpreted, Presence, SourceConfig, interpret
from cortex_insight.testing import ParserConformance, SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER, PROJECT, RECEIVED
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Finding,
    Identifier,
    Interaction,
    Origin,
    RawEvent,
    Statement,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of
from roxabi_contracts.payloads import Direction

from .calendars import calendar, invitation, plain_part
from .letters import (
    PARSER,
    emails,
    interaction,
    letter,
    mailbox,
    only,
    parts,
    readings,
    said,
)

REPORT = (
    "Content-Type: message/delivery-status\n\nReporting-MTA: dns; mx.example.net\n\n"
    "Final-Recipient: rfc822; zoe@x.org\nAction: failed\nStatus: 5.1.1\n"
)


def test_a_mail_is_what_its_author_says_to_the_owner() -> None:
    one = only(letter())
    assert isinstance(one.payload, Interaction)
    assert one.payload.text == "Shall we meet at noon?"
    assert one.payload.channel == "mail"
    assert one.payload.direction is Direction.INBOUND
    assert one.timestamp == epoch_ms(datetime(2026, 3, 3, 8, 30, tzinfo=UTC))
    assert one.payload.time.zone == "+0100"
    assert one.topic == ("Lunch",)
    assert [(who.role, who.name) for who in one.actors] == [
        (ActorRole.AUTHOR, "Tom Reed"),
        (ActorRole.RECIPIENT, "Ada Owner"),
    ]
    assert one.subject == 1


def test_the_owners_own_mail_goes_out() -> None:
    sent = letter(From="Ada <OWNER@example.org>", To="tom@example.net")
    one = only(sent)
    assert (interaction(sent).direction, one.subject) == (Direction.OUTBOUND, 0)
    assert one.actors[0].identifiers == OWNER.identifiers
    note = letter(From="owner@example.org", To="owner@example.org")
    assert interaction(note).direction is Direction.INTERNAL


def test_another_address_of_the_owner_is_theirs() -> None:
    more = Identifier(scheme="email", value="ada@work.example")
    owner = OWNER.model_copy(update={"identifiers": (*OWNER.identifiers, more)})
    one = only(letter(From="ada@work.example"), owner)
    assert one.subject == 0


@pytest.mark.parametrize(
    ("own", "stated", "same"),
    [
        ("ada.owner@gmail.com", "AdaOwner+news@googlemail.com", True),
        ("ada@example.org", "ada+news@example.org", False),
        ("ada.owner@example.org", "adaowner@example.org", False),
    ],
)
def test_variants_of_an_address_are_the_owners_only_where_the_provider_says_so(
    own: str, stated: str, same: bool
) -> None:
    owner = ActorRef(
        kind=ActorKind.PERSON,
        role=ActorRole.OWNER,
        identifiers=(Identifier(scheme="email", value=own),),
    )
    assert (only(letter(From=stated), owner).subject == 0) is same


def test_an_owner_who_is_not_named_is_there_all_the_same() -> None:
    hidden = only(letter(To="undisclosed-recipients:;"))
    assert [who.role for who in hidden.actors] == [ActorRole.AUTHOR, ActorRole.OWNER]
    assert hidden.subject == 1


def test_a_thread_hangs_together_by_its_ids() -> None:
    first = letter()
    reply = letter(Message_ID="<two@x>", In_Reply_To="<one@example.net>", Subject="Re: Lunch")
    third = letter(
        Message_ID="<three@x>",
        References="<one@example.net>\n <two@x>",
        In_Reply_To="Your message of Monday <two@x>",
        Subject="AW: Re[2]: [list] Lunch",
    )
    one, two, three = sorted(said(first, reply, third), key=lambda item: item.sequence or 0)
    assert {item.correlation.trace_id for item in (one, two, three)} == {"<one@example.net>"}
    assert [item.correlation.parent_ref for item in (one, two, three)] == [
        None, one.source_ref, two.source_ref,
    ]  # fmt: skip
    assert [item.sequence for item in (one, two, three)] == [0, 1, 2]
    assert {item.topic for item in (one, two, three)} == {("Lunch",)}


def test_prose_in_the_place_of_an_id_is_none() -> None:
    one = only(letter(In_Reply_To="Your message of Monday"))
    assert (one.correlation.parent_ref, one.sequence) == (None, 0)


LISTS = {
    "List-Id": "Gardeners <gardeners.lists.example.org>",
    "List-Post": "<mailto:gardeners@lists.example.org>",
}


def on_list(name: str, **header: str | None) -> bytes:
    lists = {
        key.replace("-", "_"): value.replace("gardeners", name) for key, value in LISTS.items()
    }
    footer = f"\n{'_' * 47}\n{name} mailing list\nhttps://lists.example.org/{name}\n"
    return letter(
        f"Roses need sun.\n{footer}", Received=f"by {name}; Tue, 03 Mar 2026 09:31:00 +0100",
        **{**lists, "To": f"{name}@lists.example.org", **header},
    )  # fmt: skip


def test_one_mail_through_three_lists_is_one_observation() -> None:
    copies = [on_list(name) for name in ("gardeners", "growers", "roses")]
    (one,) = said(*copies)
    assert one.source_ref == "<one@example.net>"
    assert one.payload.text == "Roses need sun."
    assert said(*copies[::-1]) == [one]


def test_one_id_of_two_mails_names_both() -> None:
    first, other = letter("Yes.\n"), letter("No.\n")
    refs = {one.source_ref for one in said(first, other)}
    assert len(refs) == 2
    assert "<one@example.net>" in refs
    assert {one.source_ref for one in said(other, first)} == refs


def test_the_same_mail_of_two_owners_stays_two() -> None:
    mail = letter(To="owner@example.org, zoe@x.org")
    zoe = OWNER.model_copy(update={"identifiers": (Identifier(scheme="email", value="zoe@x.org"),)})
    own, hers = only(mail), only(mail, zoe)
    assert own.source_ref == hers.source_ref
    assert own.id != hers.id


def test_a_list_is_a_group_and_its_name_a_topic() -> None:
    one = only(on_list("gardeners"))
    assert one.topic == ("Lunch", "Gardeners")
    assert one.actors[1].kind is ActorKind.GROUP


@pytest.mark.parametrize(
    ("header", "name", "email"),
    [
        ({"From": "Tom Reed via Gardeners <gardeners@lists.example.org>",
          "Reply-To": "Tom Reed <tom@example.net>"}, "Tom Reed", "tom@example.net"),
        ({"From": "'Tom Reed' via Gardeners <gardeners@lists.example.org>",
          "X-Original-From": "tom@example.net"}, "Tom Reed", "tom@example.net"),
        ({"From": "Tom Reed via Gardeners <gardeners@lists.example.org>",
          "Reply-To": "gardeners@lists.example.org"}, "Tom Reed", None),
    ],
)  # fmt: skip
def test_the_author_behind_a_list_is_not_the_list(
    header: dict[str, str], name: str, email: str | None
) -> None:
    stated = {key.replace("-", "_"): value for key, value in header.items()}
    one = only(on_list("gardeners", **stated))
    assert (one.actors[0].name, emails(one)[0]) == (name, email)
    assert one.actors[0].kind is ActorKind.PERSON


@pytest.mark.parametrize(
    "header",
    [
        {"Auto-Submitted": "auto-replied"},
        {"Auto-Submitted": "auto-generated (rejected)"},
        {"X-Autoreply": "yes"},
        {"Precedence": "bulk"},
        {"Return-Path": "<>"},
        {"From": "no-reply@example.net"},
    ],
)
def test_a_machine_is_no_person_and_not_heard_as_one(header: dict[str, str]) -> None:
    stated = {key.replace("-", "_"): value for key, value in header.items()}
    one = only(letter("I am away until Monday.\n", **stated))
    assert one.actors[0].kind is ActorKind.BOT
    assert one.origin is Origin.THIRD_PARTY


@pytest.mark.parametrize("header", [{"Auto-Submitted": "no"}, {"Precedence": "list"}])
def test_a_person_stays_one(header: dict[str, str]) -> None:
    stated = {key.replace("-", "_"): value for key, value in header.items()}
    assert only(letter(**stated)).actors[0].kind is ActorKind.PERSON


@pytest.mark.parametrize(
    "header",
    [
        {"Authentication-Results": "mx.example.org; spf=pass; dmarc=fail (p=NONE)"},
        {"X-Spam-Flag": "YES"},
    ],
)
def test_a_forged_author_is_not_trusted(header: dict[str, str]) -> None:
    stated = {key.replace("-", "_"): value for key, value in header.items()}
    forged = letter("I live in Rome.\n", From="owner@example.org", **stated)
    assert only(forged).origin is Origin.UNTRUSTED


def test_the_rules_hear_the_author_and_nobody_else() -> None:
    mail = letter("I live in Porto.\n\nOn Tue, 3 Mar 2026, Zoe wrote:\n> I live in Rome.\n")
    (event,) = read_files(PARSER, [SampleFile("a.eml", mail)])
    assert isinstance(event, RawEvent)
    config = SourceConfig(PARSER, Origin.SEMI_TRUSTED, RuleEnricher())
    answer = interpret(event, Presence(), config, RECEIVED)
    assert isinstance(answer, Interpreted)
    (one,) = answer.observations
    assert [(claim.about, claim.value["value"]) for claim in one.payload.claims] == [(0, "Porto")]


def test_a_signature_is_stated_by_itself() -> None:
    mail = letter("Hi.\n-- \nTom Reed\nTel: +351 912 345 678\nhttps://tom.example.net\n")
    own, signature = said(mail)
    assert own.payload.text == "Hi."
    assert isinstance(signature.payload, Statement)
    assert signature.correlation.parent_ref == own.source_ref
    assert [(one.predicate, one.value["value"]) for one in signature.payload.claims] == [
        ("phone_number", "+351 912 345 678"),
        ("website", "https://tom.example.net"),
    ]
    assert {one.about for one in signature.payload.claims} == {0}
    assert emails(signature)[0] == "tom@example.net"


@pytest.mark.parametrize(
    "signature",
    ["Tom", "Order 12345678901", "Call us, or unsubscribe: +351 912 345 678", "x" * 2000],
)
def test_a_signature_without_facts_says_nothing(signature: str) -> None:
    assert len(said(letter(f"Hi.\n-- \n{signature}\n"))) == 1


def test_a_mail_that_could_not_be_delivered_is_a_finding() -> None:
    mail = parts(
        "report; report-type=delivery-status",
        "Content-Type: text/plain\n\nYour mail could not be delivered.\n",
        REPORT,
        From="MAILER-DAEMON@mx.example.net",
        Return_Path="<>",
    )
    (one,) = said(mail)
    assert isinstance(one.payload, Finding)
    assert one.payload.outcome == "failure"
    assert "zoe@x.org" in one.payload.text


def test_a_mail_nested_beyond_all_measure_is_rejected_not_raised() -> None:
    nested = b"x"
    for number in range(600):
        nested = b'Content-Type: multipart/mixed; boundary="b%d"\n\n--b%d\n%s\n--b%d--\n' % (
            number,
            number,
            nested,
            number,
        )
    found = readings(b"From: a@x.org\n" + nested)
    assert [one.reject.code if one.reject else None for one in found] in (
        ["nested_too_deeply"],
        [None],
    )


def test_an_event_that_is_no_mail_is_rejected() -> None:
    event = RawEvent(
        project=PROJECT,
        source="mail",
        source_ref="x",
        media_type="message/rfc822",
        body=body_of(b"no header at all"),
        owner=OWNER,
    )
    (reading,) = readings_of(PARSER, [event])
    assert reading.reject is not None
    assert reading.reject.code == "no_header"


class TestMail(ParserConformance):
    parser = PARSER
    files = (
        SampleFile(
            "takeout/all.mbox",
            mailbox(
                letter(),
                letter(
                    "No.\n\nOn Tue, Tom wrote:\n> noon?\n-- \nZoe\n+351 912 345 678\n",
                    From="=?utf-8?q?Zo=C3=AB?= <zoe@x.org>",
                    Message_ID="<two@x.org>",
                    References="<one@example.net>",
                ),
                letter("Undated.\n", Date=None, Message_ID=None),
                letter(
                    "FYI\n\n-------- Forwarded Message --------\nFrom: K <k@x.org>\n\nI moved.\n",
                    Message_ID="<fwd@x.org>",
                ),
            ),
        ),
        SampleFile("inbox/cur/1772539200.M1.host:2,S", letter("Undated.\n", Date=None)),
        SampleFile("copy.eml", letter(Received="by mx; Tue, 03 Mar 2026 09:31:00 +0100")),
        SampleFile(
            "alternative.eml",
            parts(
                "mixed",
                "Content-Type: text/html; charset=utf-8\n\n<p>Caf\u00e9 <b>Porto</b></p>",
                "Content-Type: application/pdf\nContent-Disposition: attachment\n\nx",
                b"Content-Type: message/rfc822\n\n" + letter("Inner.\n", Message_ID="<in@x.org>"),
                Message_ID="<three@x.org>",
            ),
        ),
        SampleFile(
            "invitation.eml", parts("mixed", plain_part(calendar()), Message_ID="<meeting@x.org>")
        ),
        SampleFile("update.eml", invitation(calendar(SEQUENCE="SEQUENCE:1"), Message_ID="<5@x>")),
        SampleFile(
            "answer.eml",
            invitation(calendar("REPLY"), From="Zoe <zoe@x.org>", Message_ID="<6@x>"),
        ),
        SampleFile(
            "bounce.eml",
            parts("report", "Content-Type: text/plain\n\nFailed.\n", REPORT, Message_ID="<4@x>"),
        ),
    )
