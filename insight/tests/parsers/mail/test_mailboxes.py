"""Files of mail: single, many behind `From ` lines, folders of them, very large ones."""

import base64

import pytest
from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence
from cortex_insight.parsers.mail import mailboxes, splitting
from cortex_insight.testing import SampleFile, read_files
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import Interaction, RawEvent

from .letters import PARSER, letter, mailbox, only, said, split_file

PLAIN = b"From: a@x.org\nSubject: s\nMessage-ID: <%d@x.org>\n\n"


def bodies(content: bytes) -> list[str]:
    events, _ = split_file(content)
    return [event.body.to_bytes().partition(b"\n\n")[2].decode().strip() for event in events]


def test_an_mbox_is_split_at_its_marks() -> None:
    first, other = letter("one\n", Message_ID="<1@x>"), letter("two\n", Message_ID="<2@x>")
    assert bodies(mailbox(first, other)) == ["one", "two"]


@pytest.mark.parametrize(
    "line",
    [
        "From here it is far.",
        "From the window: a view",
        "From tom@x.org I heard",
        "\nFrom here it is far.",
        "\nFrom the start:\nSubject matters",
        "\nFrom the start\nSubject: matters",
        "From tom@x.org\nSubject: matters",
        "\nFrom tom@x.org\nI heard this.",
    ],
)
def test_a_line_of_prose_that_begins_with_from_splits_nothing(line: str) -> None:
    assert bodies(mailbox(letter(f"one\n{line}\nmore\n"))) == [f"one\n{line}\nmore"]


@pytest.mark.parametrize(
    "mark",
    [
        b"From tom@x.org Tue Mar  3 09:30:00 2026",
        b"From - Tue Mar  3 09:30:00 2026",
        b"From MAILER-DAEMON Tue Mar  3 09:30:00 2026",
        b"From 1234567890@xxx Tue Mar 03 09:30:00 +0000 2026",
        b"From tom\xe9@x.org Tue Mar  3 09:30:00 2026",
        b"From -",
        b"From - ",
        b"From ",
        b"From tom@x.org",
    ],
)
def test_marks_of_all_kinds_are_read(mark: bytes) -> None:
    assert bodies(mailbox(letter("one\n"), letter("two\n"), mark=mark)) == ["one", "two"]


def test_a_dated_mark_needs_no_blank_line_before_it() -> None:
    content = mailbox(letter("one\n"), letter("two\n"))
    assert bodies(content.replace(b"one\n\n", b"one\n")) == ["one", "two"]


def test_an_escaped_from_is_read_as_it_was_written() -> None:
    assert bodies(mailbox(letter(">From here\n>>From there\n"))) == ["From here\n>From there"]
    (event,), _ = split_file(letter(">From a quote\n"), "a.eml")
    assert b">From a quote" in event.body.to_bytes()


def test_a_single_mail_is_one_even_if_it_holds_marks() -> None:
    content = letter("one\n\nFrom tom@x.org Tue Mar  3 09:30:00 2026\nFrom: a@x.org\n\ntwo\n")
    assert len(split_file(content, "a.eml")[0]) == 1


def test_what_stands_before_the_first_header_is_no_mail() -> None:
    events, skipped = split_file(b"\n\n" + letter())
    assert (len(events), skipped) == (1, [])
    events, skipped = split_file(b"just some words\nand more\n")
    assert (events, skipped) == ([], [Skipped(0, "no mail: it has no header")])
    assert split_file(b"") == ([], [])


def test_a_byte_order_mark_and_line_ends_of_windows_are_read() -> None:
    (event,), _ = split_file(b"\xef\xbb\xbf" + letter().replace(b"\n", b"\r\n"), "a.eml")
    assert only(letter()).source_ref == event.source_ref
    assert said(letter("a\nb\n").replace(b"\n", b"\r\n"))[0].payload.text == "a\nb"


def test_the_counted_mails_of_apple_are_read() -> None:
    mail = letter("one\n")
    content = b"%d      \n%s<?xml version='1.0'?><plist/>\n" % (len(mail), mail)
    (event,), _ = split_file(content, "7.emlx")
    assert event.body.to_bytes().rstrip() == mail.rstrip()


def test_what_is_still_being_delivered_is_not_read() -> None:
    assert split_file(letter(), "Mail/tmp/1.M1.host")[0] == []
    events = [split_file(letter(), f"Mail/{name}")[0] for name in ("new/1.a", "cur/1.a:2,RS")]
    assert events[0] == events[1]


def test_an_mbox_is_read_in_pieces_of_any_size() -> None:
    content = mailbox(*(letter(f"{number}\n", Message_ID=f"<{number}@x>") for number in range(5)))
    whole = read_files(PARSER, [SampleFile("a", content)], piece=1 << 20)
    for piece in (1, 3, 100):
        assert read_files(PARSER, [SampleFile("a", content)], piece=piece) == whole


def test_large_attachments_stay_behind_with_their_size_and_digest() -> None:
    content = base64.encodebytes(bytes(range(256)) * 4000).decode()
    part = f"Content-Type: image/png; name=a.png\nContent-Transfer-Encoding: base64\n\n{content}"
    body = f"--b\nContent-Type: text/plain\n\nSee this.\n--b\n{part}\n--b--\n"
    mail = letter(body, Content_Type='multipart/mixed; boundary="b"')
    (event,), _ = split_file(mail, "a.eml")
    assert len(event.body.to_bytes()) < 10_000
    payload = only(mail).payload
    assert isinstance(payload, Interaction)
    assert payload.text == "See this."
    (kept,) = payload.attachments
    assert (kept.name, kept.size) == ("a.png", 1_024_000)
    assert kept.sha256 is not None


def test_a_mail_that_stays_too_long_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitting, "LONGEST", 1000)
    monkeypatch.setattr(splitting, "_LONGEST_AS_FOUND", 1000)
    one = only(letter("words " * 1000))
    assert int(one.correlation.attributes["bytes_left_out"]) > 4000


def test_only_so_much_of_one_mail_is_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailboxes, "LONGEST_HELD", 1000)
    huge = letter("words words words\n" * 1000)
    content = mailbox(huge, letter("next\n", Message_ID="<2@x>"))
    events, _ = split_file(content)
    kept = len(events[0].body.to_bytes())
    assert 900 < kept <= 1000
    assert abs(kept + int(str(events[0].attributes["bytes_left_out"])) - len(huge)) <= 1
    assert events[1].body.to_bytes().strip().endswith(b"next")


@pytest.mark.parametrize(
    ("content", "confidence"),
    [
        (letter(), Confidence.CERTAIN),
        (mailbox(letter()), Confidence.CERTAIN),
        (b"\xef\xbb\xbf" + letter(), Confidence.CERTAIN),
        (b"120   \n" + letter(), Confidence.CERTAIN),
        (b"X-Odd: 1\nReceived: a\n b\nFrom: a@x\n\nhi", Confidence.CERTAIN),
        (b"From: a@x\nTo: b@x\nSubject: c\n\nhi", Confidence.LIKELY),
        (b"From: here\nto there\n", Confidence.NONE),
        (b"From here on\nit is: far\n", Confidence.NONE),
        (b"title: note\ndate: 2026-03-01\n\ntext", Confidence.NONE),
        (b'{"from": "a"}', Confidence.NONE),
        (b"", Confidence.NONE),
    ],
)
def test_mail_is_recognised_by_its_headers(content: bytes, confidence: Confidence) -> None:
    assert PARSER.recognise(FileHead("x", content, complete=True)) is confidence


def test_memory_does_not_grow_with_the_file() -> None:
    held: list[int] = []

    def pieces() -> object:
        for number in range(3000):
            yield mailbox(letter("x" * 2000, Message_ID=f"<{number}@x>"))
            held.append(number)

    context = FileContext("p", OWNER, "all.mbox", None)
    count = 0
    for item in PARSER.split(pieces(), context):  # type: ignore[arg-type]
        assert isinstance(item, RawEvent)
        count += 1
        assert len(held) - count <= 2
    assert count == 3000
