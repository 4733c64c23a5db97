"""Mail files as events: each mail whole, but for what is too large to send."""

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.payloads import TimeSource

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.mail.dates import bounds_of, read_date
from cortex_insight.parsers.mail.mailboxes import FoundMail, is_header_line, split_mails
from cortex_insight.parsers.mail.message_ids import message_id
from cortex_insight.parsers.mail.parts import CUT_MARK, payload_of, raw_header, raw_headers

SOURCE: Final = "mail"
MEDIA_TYPE: Final = "message/rfc822"
ENVELOPE_TIME: Final = "envelope_at"
FILE_TIME: Final = "file_modified_at"
LEFT_OUT: Final = "bytes_left_out"

LONGEST: Final = 4 * 1024 * 1024
"""Bytes of a mail that goes into the lake."""
_LONGEST_AS_FOUND: Final = 256 * 1024
"""Up to here a mail goes in as it is; of longer ones the attachments stay behind."""
_LONGEST_ATTACHMENT: Final = 32 * 1024
_MAILDIR: Final = re.compile(r"(?:^|/)(cur|new|tmp)/[^/]*$")
_DELIVERED: Final = re.compile(r"(?:^|/)(?:cur|new)/(\d{9,10})\.[^/]*$")


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The mails of a file: one, or many behind `From ` lines."""
    folder = _MAILDIR.search(context.path)
    if folder is not None and folder[1] == "tmp":
        yield Skipped(0, "a mail that was still being delivered")
        return
    for found in split_mails(content):
        if not found.lines or not _has_header(found):
            yield Skipped(found.offset, "no mail: it has no header")
        else:
            yield _event(found, context)


def _has_header(found: FoundMail) -> bool:
    return any(is_header_line(line) for line in found.lines[:50])


def _event(found: FoundMail, context: FileContext) -> RawEvent:
    content, left_out = _shortened(found.content)
    attributes = _times(content, found, context)
    if left_out or found.left_out:
        attributes[LEFT_OUT] = left_out + found.left_out
    name = message_id(message_from_header(content))
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=name or f"content:{hashlib.sha256(content).hexdigest()[:32]}",
        media_type=MEDIA_TYPE,
        body=body_of(content),
        owner=context.owner,
        attributes=attributes,
    )


def message_from_header(content: bytes) -> Message:
    """The headers of a mail alone."""
    end = re.search(rb"\r?\n\r?\n", content)
    return message_from_bytes(content[: end.end() if end else len(content)])


def _times(content: bytes, found: FoundMail, context: FileContext) -> dict[str, JsonValue]:
    """Bounds from around the mail, for one that has no time of its own."""
    header = message_from_header(content)
    if bounds_of(raw_header(header, "date") or None, raw_headers(header, "received")):
        return {}
    marked = read_date(_postmark_date(found.postmark), TimeSource.ENVELOPE)
    delivered = _DELIVERED.search(context.path)
    if marked is not None and marked.moment is not None:
        return {ENVELOPE_TIME: marked.moment.isoformat()}
    if delivered is not None:
        return {ENVELOPE_TIME: datetime.fromtimestamp(int(delivered[1]), tz=UTC).isoformat()}
    if context.modified_at is not None:
        return {FILE_TIME: context.modified_at.isoformat()}
    return {}


def _postmark_date(postmark: str | None) -> str:
    """The date of a `From ` line, which puts the year last, as mail writes it."""
    found = re.search(
        r"[A-Z][a-z]{2},? +([A-Z][a-z]{2}) +(\d{1,2}) +(\d\d:\d\d(?::\d\d)?)(.*?) +(\d{4})(.*)",
        (postmark or "")[:200],
    )
    if found is None:
        return ""
    return f"{found[2]} {found[1]} {found[5]} {found[3]} {found[4].strip() or found[6].strip()}"


def _shortened(content: bytes) -> tuple[bytes, int]:
    """The mail without its large attachments, and how many bytes more had to stay behind."""
    if len(content) > _LONGEST_AS_FOUND:
        try:
            mail = message_from_bytes(content)
            for part in mail.walk():
                _cut(part)
            content = mail.as_bytes()
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            pass  # it stays as it is, up to the longest
    return content[:LONGEST], max(0, len(content) - LONGEST)


def _cut(part: Message) -> None:
    if part.is_multipart() or part.get_content_maintype() == "text":
        return
    content = payload_of(part)
    if len(content) > _LONGEST_ATTACHMENT:
        part.set_payload("")
        part[CUT_MARK] = f"{len(content)} {hashlib.sha256(content).hexdigest()}"
