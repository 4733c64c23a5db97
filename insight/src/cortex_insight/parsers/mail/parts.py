"""The parts of a mail: the one its author wrote, and what came along."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message
from typing import Final, cast

from roxabi_contracts.payloads import Attachment

from cortex_insight.parsers.charset import decode_text
from cortex_insight.parsers.mail.flowed import unflow
from cortex_insight.parsers.mail.html import html_to_text
from cortex_insight.parsers.mail.words import header_text

_STUB: Final = re.compile(
    r"(?:view|read|open|see) .{0,40}(?:html|browser|online)"
    r"|(?:html|browser).{0,40}(?:view|required)|does not support html"
    r"|your (?:e?mail|mail) (?:client|reader|program)|afficher.{0,40}navigateur"
    r"|im browser (?:ansehen|anzeigen|öffnen)", re.I
)  # fmt: skip
_LONGEST_STUB: Final = 300
_SIGNED: Final = frozenset(
    ("application/pgp-signature", "application/pkcs7-signature", "application/x-pkcs7-signature")
)
_MEDIA_TYPE: Final = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,60}")
_PARTS_AT_MOST: Final = 500
CUT_MARK: Final = "x-cortex-cut"
"""The header of a part whose content did not come along: its size and digest."""


@dataclass(frozen=True)
class Contents:
    """What a mail holds, beside its headers."""

    text: str
    attachments: tuple[Attachment, ...]
    enclosed: tuple[Message, ...]
    """Mails that came along as attachments."""
    calendars: tuple[Message, ...]
    """Parts that hold calendars, shown or attached."""
    report: str | None
    """What a server reports of a delivery; null: this is no such report."""


def read_contents(mail: Message) -> Contents:
    """Read all parts of a mail."""
    parts = [*_leaves(mail)]
    texts = [part for part in parts if _is_text(part)]
    body = _best_body(texts)
    rest = [part for part in parts if part not in texts and media_type(part) not in _SIGNED]
    report = next(
        (_text_of(part) for part in rest if media_type(part) == "message/delivery-status"),
        None,
    )
    return Contents(
        text=body,
        attachments=tuple(_attachment(part) for part in rest),
        enclosed=tuple(_enclosed(part) for part in rest if _holds_mail(part)),
        calendars=tuple(part for part in rest if _holds_calendar(part)),
        report=report,
    )


def _leaves(mail: Message, limit: int = _PARTS_AT_MOST) -> Iterator[Message]:
    """The parts that hold something themselves; an enclosed mail is one, whole."""
    pending = [mail]
    count = 0
    while pending and count < limit:
        part = pending.pop()
        if part.get_content_maintype() == "multipart":
            pending.extend(reversed(_inside(part) or _plain(part)))
        elif part is mail and _holds_mail(part):
            pending.append(_enclosed(part))
            mail = pending[0]
        else:
            count += 1
            yield part


def _inside(part: Message) -> list[Message]:
    """The parts that a part holds."""
    content = part.get_payload()
    return [*cast("list[Message]", content)] if isinstance(content, list) else []


def _plain(part: Message) -> list[Message]:
    """What stands where the parts should be: the text of a mail whose boundaries are broken."""
    content = part.get_payload()
    if not isinstance(content, str) or not content.strip():
        return []
    drawn = Message()
    drawn.set_payload(content)
    return [drawn]


def media_type(part: Message) -> str:
    """What the part says it is; plain text where it says nothing that means anything."""
    stated = part.get_content_type()
    return stated if _MEDIA_TYPE.fullmatch(stated) else "text/plain"


def _holds_mail(part: Message) -> bool:
    return media_type(part) == "message/rfc822" and part.is_multipart()


def _holds_calendar(part: Message) -> bool:
    named = (_filename(part) or "").lower().endswith(".ics")
    return media_type(part) in ("text/calendar", "application/ics") or named


def _enclosed(part: Message) -> Message:
    return next(iter(_inside(part)), part)


def _is_text(part: Message) -> bool:
    """Whether a part may be what the author wrote: shown in the mail, not beside it."""
    if raw_header(part, "content-disposition").strip().lower().startswith("attachment"):
        return False
    kind = media_type(part)
    return kind in ("text/plain", "text/html") and not _filename(part)


def _best_body(texts: list[Message]) -> str:
    """Plain text unless it is blank or a stub; of a mail in several pieces, all of them."""
    plain = [_text_of(part) for part in texts if media_type(part) == "text/plain"]
    joined = "\n".join(text for text in plain if text.strip())
    is_stub = len(joined) <= _LONGEST_STUB and _STUB.search(joined) is not None
    pages = [part for part in texts if media_type(part) == "text/html"]
    if pages and (not joined.strip() or is_stub):
        drawn = "\n".join(html_to_text(_text_of(part)) for part in pages)
        return drawn if drawn.strip() else joined
    return joined


def _text_of(part: Message) -> str:
    if media_type(part) == "message/delivery-status" and part.is_multipart():
        return "\n".join(
            f"{name}: {header_text(str(value))}"
            for one in _inside(part)
            for name, value in one.raw_items()
        )
    text = decode_text(payload_of(part), parameter(part, "charset"))
    if media_type(part) == "text/plain" and (parameter(part, "format") or "").lower() == "flowed":
        return unflow(text, delete_space=(parameter(part, "delsp") or "").lower() == "yes")
    return text.replace("\r\n", "\n")


def payload_of(part: Message) -> bytes:
    """The bytes of a part without their transfer encoding; as they stand where it is broken."""
    try:
        content = part.get_payload(decode=True)
    except (ValueError, UnicodeError, LookupError):
        content = str(part.get_payload()).encode("utf-8", "surrogateescape")
    return content if isinstance(content, bytes) else b""


def raw_header(part: Message, name: str) -> str:
    """The first header of that name as it stands; empty: there is none."""
    return next((str(value) for key, value in part.raw_items() if key.lower() == name), "")


def raw_headers(part: Message, name: str) -> list[str]:
    """All headers of that name as they stand."""
    return [str(value) for key, value in part.raw_items() if key.lower() == name]


def _attachment(part: Message) -> Attachment:
    cut = raw_header(part, CUT_MARK).split()
    name = _filename(part)
    if len(cut) == 2 and cut[0].isdigit():
        size, digest = int(cut[0]), cut[1]
    else:
        content = _enclosed_bytes(part) if _holds_mail(part) else payload_of(part)
        size, digest = len(content), hashlib.sha256(content).hexdigest()
    return Attachment(name=name, media_type=media_type(part), size=size, sha256=digest)


def _enclosed_bytes(part: Message) -> bytes:
    try:
        return _enclosed(part).as_bytes()
    except (ValueError, UnicodeError, LookupError, TypeError, AttributeError):
        return b""


def _filename(part: Message) -> str | None:
    for header, key in (("content-disposition", "filename"), ("content-type", "name")):
        name = parameter(part, key, header)
        if name:
            return header_text(name)[:512] or None
    return None


def parameter(part: Message, name: str, header: str = "content-type") -> str | None:
    """A parameter of a header, put together and decoded where it was cut into pieces."""
    try:
        value = part.get_param(name, header=header)
    except (ValueError, IndexError, LookupError, UnicodeError, TypeError):
        return None
    if isinstance(value, tuple):
        charset, _, content = value
        return decode_text(str(content).encode("latin-1", "replace"), charset)
    return None if value is None else str(value).strip().strip('"')
