"""Files of mail as single mails: one a file, or many behind lines that begin with `From `."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from cortex_insight.event import Line, split_lines

LONGEST_HELD: Final = 64 * 1024 * 1024
"""Bytes of one mail that are held; the rest of a longer one is left out, and counted."""

_HEADER_LINE: Final = re.compile(rb"[!-9;-~]{1,76}[ \t]*:")
_POSTMARK: Final = re.compile(
    rb"From (?:-?\s*$|- +[A-Z][a-z]{2},? |\S+ +(?:[A-Z][a-z]{2},? +[A-Z]|\d)|\S+@\S+\s*$)"
)
_STRICT_POSTMARK: Final = re.compile(
    rb"From (?:-\s*$|-? ?\S* *[A-Z][a-z]{2},? +[A-Z][a-z]{2} +\d{1,2} +\d\d:\d\d)"
)
_ESCAPED: Final = re.compile(rb">+From ")
_COUNT_LINE: Final = re.compile(rb"\s*(\d{1,12})\s*")


@dataclass
class FoundMail:
    """A mail as it stands in its file."""

    offset: int
    postmark: str | None = None
    """The line before it in a file of many."""
    lines: list[bytes] = field(default_factory=list[bytes])
    size: int = 0
    left_out: int = 0
    """Bytes that were not held."""

    def add(self, line: bytes) -> None:
        """Take a line in, or count it."""
        if self.size + len(line) > LONGEST_HELD:
            self.left_out += len(line) + 1
            return
        self.lines.append(line)
        self.size += len(line) + 1

    @property
    def content(self) -> bytes:
        """The mail alone."""
        return b"\n".join(self.lines)


def is_header_line(line: bytes) -> bool:
    """Whether a line begins a header."""
    return _HEADER_LINE.match(line) is not None


def is_postmark(line: bytes) -> bool:
    """Whether a line may stand before a mail in a file of many."""
    return _POSTMARK.match(line) is not None


def split_mails(content: Iterable[bytes]) -> Iterator[FoundMail]:
    """The mails of a file, as it is read.

    A line that begins with `From ` stands between two mails only if a header follows it, and if
    it comes after a blank line or has a date; else somebody wrote it.
    """
    lines = _with_next(split_lines(content))
    mail: FoundMail | None = None
    limit: int | None = None
    before = b""
    many = False
    for line, following in lines:
        if mail is None and not line.content.strip():
            continue
        if mail is None:
            many = is_postmark(line.content) and is_header_line(following)
            counted = _COUNT_LINE.fullmatch(line.content) if is_header_line(following) else None
            mail = FoundMail(line.offset, _text(line.content) if many else None)
            if counted is not None:
                limit = int(counted[1])
            elif not many:
                mail.add(line.content.removeprefix(b"\xef\xbb\xbf"))
        elif many and _is_boundary(line.content, before, following):
            yield mail
            mail = FoundMail(line.offset, _text(line.content))
        elif limit is None or mail.size < limit:
            escaped = many and _ESCAPED.match(line.content)
            mail.add(line.content[1:] if escaped else line.content)
        before = line.content
    if mail is not None and (mail.lines or mail.left_out):
        yield mail


def _is_boundary(line: bytes, before: bytes, following: bytes) -> bool:
    if not line.startswith(b"From ") or not is_header_line(following):
        return False
    if not before.strip():
        return is_postmark(line)
    return _STRICT_POSTMARK.match(line) is not None


def _with_next(lines: Iterator[Line]) -> Iterator[tuple[Line, bytes]]:
    current = next(lines, None)
    while current is not None:
        following = next(lines, None)
        yield current, b"" if following is None else following.content
        current = following


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").replace("\0", "").strip()
