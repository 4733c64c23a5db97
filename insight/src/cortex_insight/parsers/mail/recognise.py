"""Whether a file holds mail, by the lines at its beginning."""

import re
from typing import Final

from cortex_insight.event import FileHead
from cortex_insight.parser import Confidence
from cortex_insight.parsers.mail.mailboxes import is_header_line, is_postmark

_TELLING: Final = frozenset(
    ("message-id", "received", "return-path", "delivered-to", "mime-version")
)
_COMMON: Final = frozenset(
    ("from", "to", "date", "subject", "cc", "reply-to", "sender", "content-type", "references")
)
KNOWN_HEADERS: Final = _TELLING | _COMMON
"""Any one of them makes a mail of what is said to be one."""
_LINES: Final = 200


def recognise(head: FileHead) -> Confidence:
    """How surely a file is mail."""
    lines = head.content.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n").split(b"\n")[:_LINES]
    if len(lines) > 1 and is_postmark(lines[0]) and is_header_line(lines[1]):
        return Confidence.CERTAIN
    if lines and re.fullmatch(rb"\s*\d{1,12}\s*", lines[0]):
        lines = lines[1:]
    names = _header_names(lines)
    if names & _TELLING and names & _COMMON:
        return Confidence.CERTAIN
    return Confidence.LIKELY if len(names & _COMMON) >= 3 and "from" in names else Confidence.NONE


def _header_names(lines: list[bytes]) -> set[str]:
    """The names of the headers up to the first line that is none."""
    names: set[str] = set()
    for line in lines:
        if not line.strip():
            break
        if line[:1] in b" \t" and names:
            continue
        if not is_header_line(line):
            return names if len(names) > 3 else set()
        names.add(line.split(b":", 1)[0].strip().decode("ascii").lower())
    return names
