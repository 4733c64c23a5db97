"""Mails written for tests, and what the lake makes of them."""

from typing import Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.mail import MailParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorRef, Interaction, Observation, RawEvent

PARSER: Final = MailParser()
HEADER: Final = {
    "From": "Tom Reed <tom@example.net>",
    "To": "Ada Owner <owner@example.org>",
    "Date": "Tue, 03 Mar 2026 09:30:00 +0100",
    "Subject": "Lunch",
    "Message-ID": "<one@example.net>",
}


def letter(body: str | bytes = "Shall we meet at noon?\n", **header: str | None) -> bytes:
    """A mail; a header that is given replaces the usual one, null removes it."""
    named = {name.replace("_", "-"): value for name, value in header.items()}
    lines = [
        f"{name}: {value}".encode()
        for name, value in {**HEADER, **named}.items()
        if value is not None
    ]
    content = body if isinstance(body, bytes) else body.encode()
    return b"\n".join([*lines, b"", content])


def multipart(kind: str, *parts: str | bytes) -> tuple[str, bytes]:
    """A content type, and the body of parts that each begin with their own headers."""
    encoded = (part if isinstance(part, bytes) else part.encode() for part in parts)
    body = b"".join(b"--b\n" + part + b"\n" for part in encoded) + b"--b--\n"
    return f'multipart/{kind}; boundary="b"', body


def parts(kind: str, *content: str | bytes, **header: str | None) -> bytes:
    """A mail of parts."""
    content_type, body = multipart(kind, *content)
    return letter(body, **{"Content_Type": content_type, **header})


def readings(*mails: bytes, owner: ActorRef = OWNER, path: str = "a.eml") -> list[Reading]:
    """What the lake makes of mails that lie in a file each."""
    files = [SampleFile(path, one) for one in mails]
    items = read_files(PARSER, files, owner=owner)
    return readings_of(PARSER, [item for item in items if isinstance(item, RawEvent)])


def said(*mails: bytes, owner: ActorRef = OWNER, path: str = "a.eml") -> list[Observation]:
    """All observations, each once."""
    found = readings(*mails, owner=owner, path=path)
    assert [one.reject for one in found if one.reject] == []
    return [*{one.id: one for reading in found for one in reading.observations}.values()]


def only(mail: bytes, owner: ActorRef = OWNER, path: str = "a.eml") -> Observation:
    """The first observation of a mail: its author's words."""
    return said(mail, owner=owner, path=path)[0]


def text_of(mail: bytes) -> str:
    """What its author says."""
    return only(mail).payload.text


def interaction(mail: bytes) -> Interaction:
    """Its payload."""
    payload = only(mail).payload
    assert isinstance(payload, Interaction)
    return payload


def emails(one: Observation) -> list[str | None]:
    """The address of each actor, the author first."""
    return [next((str(key.value) for key in who.identifiers), None) for who in one.actors]


def mailbox(*mails: bytes, mark: bytes = b"From tom@example.net Tue Mar  3 09:30:00 2026") -> bytes:
    """An mbox file."""
    return b"".join(mark + b"\n" + one.rstrip(b"\n") + b"\n\n" for one in mails)


def split_file(content: bytes, path: str = "all.mbox") -> tuple[list[RawEvent], list[Skipped]]:
    """The events of a file, and what was skipped."""
    items = read_files(PARSER, [SampleFile(path, content)])
    return (
        [item for item in items if isinstance(item, RawEvent)],
        [item for item in items if isinstance(item, Skipped)],
    )
