"""Headers as programs of forty years write them: names, addresses, ids, dates."""

from datetime import UTC, datetime

import pytest
from cortex_insight.parsers.mail.addresses import Address, read_addresses
from cortex_insight.parsers.mail.dates import bounds_of
from cortex_insight.parsers.mail.words import header_text
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorKind
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimeSource

from .letters import emails, letter, mailbox, only, said, split_file

NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("plain", "plain"),
        ("=?utf-8?q?caf=C3=A9?=", "café"),
        ("=?UTF-8?B?Y2Fmw6k=?= =?UTF-8?B?IGNyw6htZQ==?=", "café crème"),
        ("=?utf-8?b?ww==?= =?utf-8?b?qQ==?=", "é"),
        ("=?utf-8?q?=C3?=\n =?utf-8?q?=A9t=C3=A9?=", "été"),
        ("=?utf-8?b?w6k=?= =?utf-8?b?dA==?=", "ét"),
        ("=?iso-8859-1?q?=80_5?=", "€ 5"),
        ("=?gb2312?b?xOO6ww==?=", "你好"),
        ("=?bogus?q?caf=C3=A9?=", "café"),
        ("=?utf-8*fr?q?caf=C3=A9?=", "café"),
        ("Re: =?utf-8?q?caf=C3=A9?= now", "Re: café now"),
        ('"=?utf-8?q?caf=C3=A9?="', '"café"'),
        ("=?utf-8?q?broken", "=?utf-8?q?broken"),
        ("=?utf-8?b?!!!?=", ""),
        ("two\r\n lines", "two lines"),
        ("caf\udcc3\udca9", "café"),
        ("caf\udce9", "café"),
        ("a\0b\x1bc", "abc"),
    ],
)
def test_words_are_decoded(raw: str, read: str) -> None:
    assert header_text(raw) == read


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ("Tom Reed <tom@example.net>", [("Tom Reed", "tom@example.net")]),
        ("tom@example.net", [(None, "tom@example.net")]),
        ("tom@example.net (Tom Reed)", [("Tom Reed", "tom@example.net")]),
        ('"Reed, Tom" <tom@example.net>', [("Reed, Tom", "tom@example.net")]),
        ("Reed, Tom <tom@example.net>", [("Reed, Tom", "tom@example.net")]),
        ("a@x.org, b@x.org,", [(None, "a@x.org"), (None, "b@x.org")]),
        ("a@x.org; b@x.org", [(None, "a@x.org"), (None, "b@x.org")]),
        ("friends: a@x.org, B <b@x.org>;", [(None, "a@x.org"), ("B", "b@x.org")]),
        ("undisclosed-recipients:;", []),
        ("<Undisclosed-Recipient:@list.example.com;>", []),
        ("Mary <@relay.example,@other.example:mary@x.org>", [("Mary", "mary@x.org")]),
        ("tom@x.org <tom@x.org>", [("tom@x.org", "tom@x.org")]),
        ("jdoe@test   . example", [(None, "jdoe@test.example")]),
        ("Tom <tom@EXAMPLE.Net.>", [("Tom", "tom@example.net")]),
        ("Zoë <zoë@bücher.example>", [("Zoë", "zoë@xn--bcher-kva.example")]),
        ("=?utf-8?q?Zo=C3=AB?= <z@x.org>", [("Zoë", "z@x.org")]),
        ("=?utf-8?q?Reed=2C_Tom?= <t@x.org>", [("Reed, Tom", "t@x.org")]),
        ('"Tom \\"T\\" Reed" <t@x.org>', [("Tom T Reed", "t@x.org")]),
        ('"unfinished <t@x.org>', [("unfinished", "t@x.org")]),
        ("Tom", [("Tom", None)]),
        ("a@b@c", [("a@b@c", None)]),
        ("()", []),
        ("", []),
        ("<>", []),
    ],
)
def test_addresses_are_read(raw: str, read: list[tuple[str | None, str | None]]) -> None:
    assert read_addresses(raw) == [Address(*one) for one in read]


def date(text: str | None, *received: str) -> tuple[datetime | None, str | None, bool]:
    bounds = bounds_of(text, received)
    if not bounds:
        return None, None, False
    moment = bounds[0].moment
    return moment.astimezone(UTC) if moment else None, bounds[0].zone, bounds[0].assumed


@pytest.mark.parametrize(
    ("text", "zone", "assumed"),
    [
        ("Tue, 3 Mar 2026 13:00:00 +0100", "+0100", False),
        ("Tue, 3 Mar 2026 13:00:00 +0100 (CET)", "+0100", False),
        ("Tue, 3 Mar 2026 14:00:00 (GMT+02:00)", "+0200", False),
        ("Tue, 3 Mar 2026 14:00:00 GMT+02:00", "+0200", False),
        ("3 Mar 26 12:00:00 GMT", "+0000", False),
        ("Tue, 3 Mar 2026 07:00:00 EST", "-0500", False),
        ("Tue, 3 Mar 2026 12:00:00 -0000", None, False),
        ("Tue, 3 Mar 2026 12:00:00", None, True),
        ("Tue,  3 Mar 2026\n 12:00:00 +0000", "+0000", False),
    ],
)
def test_dates_are_read_with_their_zone(text: str, zone: str | None, assumed: bool) -> None:
    assert date(text) == (NOON, zone, assumed)


@pytest.mark.parametrize("text", ["", "yesterday", "Tue, 99 Foo 2026 99:99", "0 0 0 0 0", None])
def test_a_date_that_is_none_leaves_the_time_to_the_servers(text: str | None) -> None:
    assert date(text) == (None, None, False)
    passed = ("by b; Tue, 3 Mar 2026 12:00:05 +0000", "by a;\n Tue, 3 Mar 2026 12:00:00 +0000")
    assert date(text, *passed)[0] == NOON
    assert date(text, "by mx (no semicolon) Tue, 3 Mar 2026 12:00:00 +0000")[0] == NOON


@pytest.mark.parametrize(
    "strange", ["Thu, 1 Jan 1970 00:00:00 +0000", "Fri, 1 Jan 2027 00:00:00 +0000"]
)
def test_a_date_that_cannot_be_gives_way_to_the_servers(strange: str) -> None:
    assert date(strange, "by a; Tue, 3 Mar 2026 12:00:00 +0000")[0] == NOON
    assert date("Mon, 2 Mar 2026 12:00:00 +0000", "by a; Tue, 3 Mar 1916 12:00:00 +0000")[0]


def test_a_mail_without_any_date_takes_the_time_around_it() -> None:
    undated = letter(Date=None)
    assert only(undated).payload.time.source is TimeSource.FILE
    maildir = only(undated, path="Mail/cur/1772539200.M1P2.host:2,S")
    assert (maildir.timestamp, maildir.payload.time.source) == (epoch_ms(NOON), TimeSource.ENVELOPE)
    marked = mailbox(undated, mark=b"From tom@example.net Tue Mar  3 12:00:00 2026")
    (event,), _ = split_file(marked)
    assert event.attributes["envelope_at"] == NOON.isoformat()


def test_the_time_of_the_file_does_not_make_a_dated_mail_another_event() -> None:
    (event,), _ = split_file(letter(), "Mail/cur/1772539200.M1P2.host:2,S")
    assert event.attributes == {}


def test_a_header_that_comes_twice_is_read_whole() -> None:
    twice = letter(To="a@x.org\nTo: b@x.org")
    assert emails(only(twice))[1:3] == ["a@x.org", "b@x.org"]


@pytest.mark.parametrize(
    ("stated", "name"),
    [
        ("<[one]@example.net>", "<[one]@example.net>"),
        ("one@example.net", "<one@example.net>"),
        ("<one@example.net> (added by post@x)", "<one@example.net>"),
        ("\n <one@example.net>", "<one@example.net>"),
    ],
)
def test_ids_are_found_in_whatever_shape(stated: str, name: str) -> None:
    assert only(letter(Message_ID=stated)).source_ref == name


@pytest.mark.parametrize("stated", [None, "", "<>", "none"])
def test_a_mail_without_an_id_is_named_by_its_content(stated: str | None) -> None:
    first, other = (letter(text, Message_ID=stated) for text in ("Yes.\n", "No.\n"))
    refs = {one.source_ref for one in said(first, other, first)}
    assert len(refs) == 2
    assert all(ref.startswith("content:") for ref in refs)


def test_an_unclear_author_is_nobody_rather_than_somebody() -> None:
    nobody = only(letter(From=None))
    assert (nobody.actors[0].name, nobody.actors[0].identifiers) == (None, ())
    named = only(letter(From="Tom"))
    assert (named.actors[0].name, named.actors[0].identifiers) == ("Tom", ())
    assert named.actors[named.subject].identifiers == OWNER.identifiers


def test_many_recipients_are_counted() -> None:
    crowd = only(letter(To=", ".join(f"p{number}@x.org" for number in range(150))))
    assert len(crowd.actors) == 102
    assert crowd.correlation.attributes["more_recipients"] == "50"


@pytest.mark.parametrize(
    ("address", "kind"),
    [
        ("tom@x.org", ActorKind.PERSON),
        ("no-reply@x.org", ActorKind.BOT),
        ("donotreply@x.org", ActorKind.BOT),
        ("MAILER-DAEMON@x.org", ActorKind.BOT),
        ("alerts-noreply@x.org", ActorKind.BOT),
        ("support@x.org", ActorKind.GROUP),
        ("info@x.org", ActorKind.GROUP),
        ("informant@x.org", ActorKind.PERSON),
    ],
)
def test_the_address_tells_a_person_from_a_machine_and_a_desk(
    address: str, kind: ActorKind
) -> None:
    assert only(letter(From=f"X <{address}>")).actors[0].kind is kind
