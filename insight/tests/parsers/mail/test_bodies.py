"""Bodies: which part its author wrote, in which charset, and which words are theirs."""

import base64

import pytest
from cortex_insight.parsers.charset import decode_text
from cortex_insight.parsers.mail.flowed import unflow
from cortex_insight.parsers.mail.html import html_to_text
from cortex_insight.parsers.mail.quotes import divide
from roxabi_contracts import Interaction

from .letters import interaction, letter, only, parts, said, text_of

PLAIN = "Content-Type: text/plain; charset=utf-8\n\n"
JAPANESE = "これは日本語の文章です。今日は天気がいいから散歩に行きましょう。"
HTML = "Content-Type: text/html; charset=utf-8\n\n"


@pytest.mark.parametrize(
    ("content", "declared", "text"),
    [
        ("é".encode(), "utf-8", "é"),
        (b"\xe9", "iso-8859-1", "é"),
        (b"\x80", "iso-8859-1", "€"),
        ("é".encode(), "us-ascii", "é"),
        (b"\xe9t\xe9", "utf-8", "été"),
        (b"\x82", "cp-850", "é"),
        ("é".encode(), "", "é"),
        ("é".encode(), "%CHARSET", "é"),
        ("é".encode(), "x-unknown", "é"),
        ("é".encode(), "base64", "é"),
        ("é".encode(), "\"utf-8\"", "é"),
        (b"\xc4\xe3\xba\xc3", "gb2312", "你好"),
        (b"\xb0\xa1", "ks_c_5601-1987", "가"),
        (b"\xe9", "windows-1252", "é"),
        (b"\xe9", None, "é"),
        (JAPANESE.encode("shift_jis"), None, JAPANESE),
        (b"", "utf-8", ""),
    ],
)  # fmt: skip
def test_text_is_decoded_whatever_is_declared(
    content: bytes, declared: str | None, text: str
) -> None:
    assert decode_text(content, declared) == text


@pytest.mark.parametrize("declared", ["cp-850", "", "%CHARSET", "bogus", "unknown-8bit"])
def test_a_mail_in_an_unknown_charset_is_read(declared: str) -> None:
    content_type = f"text/plain; charset={declared}"
    mail = letter("Mon café est là.\n".encode(), Content_Type=content_type)
    assert "caf" in text_of(mail)


def test_plain_text_is_preferred() -> None:
    assert text_of(parts("alternative", PLAIN + "Hello\n", HTML + "<p>Hi</p>")) == "Hello"


@pytest.mark.parametrize(
    "stub", ["", " \n", "Please view this message in HTML.", "Open this mail in your browser: x"]
)
def test_a_blank_or_empty_promise_gives_way_to_html(stub: str) -> None:
    mail = parts("alternative", f"{PLAIN}{stub}\n", f"{HTML}<p>I moved to <b>Porto</b>.</p>")
    assert text_of(mail) == "I moved to Porto."


def test_html_alone_is_read() -> None:
    mail = letter("<p>One</p><p>Two &amp; three</p>", Content_Type="text/html")
    assert text_of(mail) == "One\n\nTwo & three"


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("a<br>b", "a\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
        ("<table><tr><td>a</td><td>b</td></tr></table>", "a b"),
        ("<style>p{}</style><script>x</script><p>a</p>", "a"),
        ("<div style='display: none'>hidden</div>a", "a"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("a   \n  b", "a b"),
        ("<img alt='A cat'>", "A cat"),
        ("<p>a</p><blockquote>b<blockquote>c</blockquote></blockquote>", "a\n\n> b\n> > c"),
        ("<div>a</div><div class='gmail_quote'>b</div>", "a\n> b"),
        ("a<div class='gmail_signature'>Tom</div>", "a\n-- \nTom"),
        ("a<div id='divRplyFwdMsg'>From: x</div><p>b</p>", "a\n> > From: x\n> b"),
        ("<unclosed><p>a", "a"),
        ("", ""),
    ],
)
def test_html_becomes_text_with_its_quotes_marked(source: str, text: str) -> None:
    assert html_to_text(source) == text


def test_html_that_nests_without_end_is_read() -> None:
    assert "deep" in html_to_text("<div>" * 5000 + "deep")


def test_what_is_quoted_in_html_is_not_said() -> None:
    source = (
        "<div dir='ltr'>I prefer tea.<br></div><br><div class='gmail_quote gmail_quote_container'>"
        "<div dir='ltr' class='gmail_attr'>On Tue, Tom wrote:<br></div>"
        "<blockquote class='gmail_quote'>I prefer coffee.</blockquote></div>"
    )
    assert text_of(letter(source, Content_Type="text/html")) == "I prefer tea."


def test_outlooks_history_in_html_is_not_said() -> None:
    source = (
        "<p>I prefer tea.</p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt'>"
        "<p><b>Von:</b> Tom<br><b>Gesendet:</b> Montag</p></div></div><p>I prefer coffee.</p>"
    )
    assert text_of(letter(source, Content_Type="text/html")) == "I prefer tea."


@pytest.mark.parametrize(
    ("flowed", "delete_space", "text"),
    [
        ("one \ntwo\nthree", False, "one two\nthree"),
        ("on \ne", True, "one"),
        ("> a \n> b\nc", False, "> a b\nc"),
        (">> a \n> b", False, ">> a \n> b"),
        (" From here", False, "From here"),
        ("a\n-- \nTom", False, "a\n-- \nTom"),
        ("a \n-- \nTom", False, "a \n-- \nTom"),
        ("last ", False, "last "),
    ],
)
def test_soft_breaks_are_joined(flowed: str, delete_space: bool, text: str) -> None:
    assert unflow(flowed, delete_space=delete_space) == text


def test_a_flowed_mail_is_unflowed_before_its_quotes_are_found() -> None:
    mail = letter(
        "I live in \nPorto.\n> Where do \n> you live?\n", Content_Type="text/plain; format=flowed"
    )
    assert text_of(mail) == "I live in Porto."


SAID = "I prefer tea."
HISTORY = {
    "english": f"{SAID}\n\nOn Tue, Mar 3, 2026 at 9:30 AM Tom Reed <tom@x.org> wrote:\n> coffee",
    "wrapped": f"{SAID}\n\nOn Tue, Mar 3, 2026 at 9:30 AM Tom Reed\n<tom@x.org> wrote:\n\n> coffee",
    "unmarked": f"{SAID}\n\nOn Wed, May 18, 2016 at 11:10 PM Tom <t@x.org>\nwrote:\n\ncoffee",
    "french": f"{SAID}\n\nLe mar. 3 mars 2026 à 09:30, Tom <t@x.org> a écrit :\n> coffee",
    "german": f"{SAID}\n\nAm 03.03.2026 um 09:30 schrieb Tom Reed:\n> coffee",
    "spanish": f"{SAID}\n\nEl mar, 3 mar 2026 a las 9:30, Tom (<t@x.org>) escribió:\n> coffee",
    "danish": f"{SAID}\n\nDen 3. mar. 2026 kl. 09.30 skrev Tom <t@x.org>:\n> coffee",
    "russian": f"{SAID}\n\n3 марта 2026 г. 9:30 пользователь Tom <t@x.org> написал:\n> coffee",
    "date first": f"{SAID}\n\n2026-03-03 9:30 GMT+01:00 Tom <t@x.org>:\n> coffee",
    "outlook": f"{SAID}\n\n-----Original Message-----\nFrom: Tom\nSent: Monday\n\ncoffee",
    "outlook french": f"{SAID}\n\n-----Message d'origine-----\nDe : Tom\n\ncoffee",
    "header block": f"{SAID}\n\nFrom: Tom Reed <t@x.org>\nSent: 3 March 2026 09:30\nTo: Ada\n"
                    "Subject: Drinks\n\ncoffee",
    "german block": f"{SAID}\n\n________________________________\nVon: Tom <t@x.org>\n"
                    "Gesendet: Dienstag, 3. März 2026 09:30\nAn: Ada\nBetreff: x\n\ncoffee",
    "danish block": f"{SAID}\n\nFra: Tom <t@x.org>\nSendt: 3. marts 2026 09:30\nTil: Ada\n"
                    "Emne: x\n\ncoffee",
    "yahoo": f"{SAID}\n\n--- On Tue, 3/3/26, Tom <t@x.org> wrote:\n> coffee",
    "bare": f"{SAID}\n> coffee\n>> milk",
}  # fmt: skip


@pytest.mark.parametrize("style", HISTORY)
def test_what_is_answered_is_not_said(style: str) -> None:
    divided = divide(HISTORY[style])
    assert divided.said == SAID
    assert "coffee" in divided.quoted


@pytest.mark.parametrize(
    ("text", "own"),
    [
        ("On Tue, 3 Mar 2026, Tom wrote:\n> coffee?\n\nI prefer tea.", "I prefer tea."),
        ("> coffee?\nNo.\n> milk?\nYes.", "No.\nYes."),
        ("Tom <t@x.org> writes:\n> coffee?\nNo.", "No."),
    ],
)
def test_answers_below_and_between_are_said(text: str, own: str) -> None:
    assert divide(text).said == own


@pytest.mark.parametrize(
    "text",
    [
        "I wrote: this is mine.",
        "She wrote:\nthis is still my text.",
        "On Monday we meet.\nOn Tuesday we rest:\nall of it mine.",
        "From: here\nto there it is far.",
        "Name: Ada\nTown: Porto\nPlan: none",
        "a -- b\n-- c",
        "1 > 0",
        "Agenda:\n- one\n- two",
    ],
)
def test_what_is_not_surely_quoted_stays_said(text: str) -> None:
    assert divide(text).said == text


@pytest.mark.parametrize(
    ("text", "own", "signature"),
    [
        ("Hi.\n-- \nTom\n+351 912 345 678", "Hi.", "Tom\n+351 912 345 678"),
        ("Hi.\n\nSent from my iPhone", "Hi.", "Sent from my iPhone"),
        ("Hi.\n\nEnvoyé de mon iPhone\n\n> quoted", "Hi.", "Envoyé de mon iPhone"),
        (f"Hi.\n-- \nTom\n{'_' * 47}\nlist mailing list\nlist@x.org", "Hi.", "Tom"),
        ("Hi.\n-- \n" + "a long text\n" * 40, "Hi.\n--\n" + "a long text\n" * 40, ""),
    ],
)
def test_a_signature_is_not_said(text: str, own: str, signature: str) -> None:
    divided = divide(text)
    assert (divided.said, divided.signature) == (own.strip(), signature)


def test_what_is_forwarded_is_said_by_somebody_else() -> None:
    mail = letter(
        "See below.\n\n---------- Forwarded message ---------\nFrom: Zoe <zoe@x.org>\n"
        "Date: Mon, 2 Mar 2026\nSubject: Flat\nTo: <tom@example.net>\n\nI live in Rome.\n"
    )
    own, passed_on = said(mail)
    assert own.payload.text == "See below."
    assert passed_on.payload.text == "I live in Rome."
    assert passed_on.actors[0].name == "Zoe"
    assert passed_on.origin.value == "third_party"
    assert passed_on.correlation.parent_ref == own.source_ref


def test_a_text_attachment_is_no_body() -> None:
    attached = (
        "Content-Type: text/plain\nContent-Disposition: attachment; filename=a.txt\n\nnot me\n"
    )
    mail = parts("mixed", PLAIN + "me\n", attached)
    assert text_of(mail) == "me"
    (kept,) = interaction(mail).attachments
    assert (kept.name, kept.media_type, kept.size) == ("a.txt", "text/plain", 7)
    assert text_of(parts("mixed", attached)) == "Lunch"


def test_an_enclosed_mail_is_no_body_but_an_observation_of_its_own() -> None:
    inner = letter(
        "I live in Rome.\n",
        From="Zoe <zoe@x.org>",
        Date="Mon, 2 Mar 2026 09:00:00 +0000",
        Message_ID="<inner@x.org>",
    )
    mail = parts("mixed", PLAIN + "See this.\n", b"Content-Type: message/rfc822\n\n" + inner)
    outer, enclosed = said(mail)
    assert outer.payload.text == "See this."
    assert enclosed.payload.text == "I live in Rome."
    assert enclosed.actors[0].name == "Zoe"
    assert enclosed.timestamp < outer.timestamp
    assert enclosed.correlation.parent_ref == outer.source_ref
    assert enclosed.origin.value == "third_party"


def test_a_mail_that_is_only_an_enclosed_one_has_its_body() -> None:
    inner = letter("I live in Rome.\n", Message_ID="<inner@x.org>")
    assert text_of(letter(inner, Content_Type="message/rfc822")) == "I live in Rome."


@pytest.mark.parametrize("content_type", [None, "text", "", "text/plain; charset", "garbage/;;="])
def test_a_strange_content_type_is_plain_text(content_type: str | None) -> None:
    assert text_of(letter("Hello\n", Content_Type=content_type)) == "Hello"


def test_a_mail_without_its_boundaries_is_read_as_it_stands() -> None:
    mail = letter("Hello\n", Content_Type='multipart/mixed; boundary="absent"')
    assert text_of(mail) == "Hello"


def test_a_mail_without_words_says_its_subject() -> None:
    assert text_of(letter("")) == "Lunch"
    assert text_of(letter("", Subject=None)) == ""


def test_an_attachment_alone_is_kept_and_no_text() -> None:
    content = base64.b64encode(b"\x78\x9f\x3e\x22").decode()
    mail = letter(
        content,
        Content_Type="application/ms-tnef; name=winmail.dat",
        Content_Transfer_Encoding="base64",
    )
    payload = interaction(mail)
    assert payload.text == "Lunch"
    assert [(one.name, one.size) for one in payload.attachments] == [("winmail.dat", 4)]


@pytest.mark.parametrize(
    "disposition",
    [
        "attachment; filename*=utf-8''caf%C3%A9.pdf",
        "attachment; filename*0*=utf-8''caf%C3; filename*1*=%A9.pdf",
        'attachment; filename="=?utf-8?q?caf=C3=A9.pdf?="',
    ],
)
def test_names_of_attachments_are_decoded(disposition: str) -> None:
    part = f"Content-Type: application/pdf\nContent-Disposition: {disposition}\n\nx\n"
    (kept,) = interaction(parts("mixed", PLAIN + "me\n", part)).attachments
    assert kept.name == "café.pdf"


def test_an_invitation_is_kept_and_no_body() -> None:
    calendar = "Content-Type: text/calendar; method=REQUEST\n\nBEGIN:VCALENDAR\nEND:VCALENDAR\n"
    payload = interaction(parts("alternative", PLAIN + "Join us.\n", calendar))
    assert payload.text == "Join us."
    assert [one.media_type for one in payload.attachments] == ["text/calendar"]


def test_a_detached_signature_is_neither_text_nor_attachment() -> None:
    signed = "Content-Type: application/pgp-signature; name=s.asc\n\n-----BEGIN\n"
    payload = interaction(parts("signed", PLAIN + "me\n", signed))
    assert (payload.text, payload.attachments) == ("me", ())


def test_text_is_cut_with_its_length_and_digest() -> None:
    one = only(letter("x" * 100_000))
    assert isinstance(one.payload, Interaction)
    assert len(one.payload.text) == 64 * 1024
    assert one.correlation.attributes["text_length"] == "100000"
