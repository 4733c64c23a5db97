"""JSON as Telegram Desktop wrote it in some years, made whole while it streams by."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

_HEX_ESCAPE: Final = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|.)", re.S)
_UNQUOTED: Final = re.compile(rb'("document_id":\s*)([^"\s\d\[{\-tfn][^\n\r",}]*)')
_HELD_AT_MOST: Final = 1024 * 1024
_BOM: Final = b"\xef\xbb\xbf"


def repaired(content: Iterable[bytes]) -> Iterator[bytes]:
    r"""The bytes with `\x0C` as `\u000C`, and ids of emoji that lack their quotes quoted, in UTF-8.

    Lines are taken whole, as no escape goes over a line break; of a very long line, what ends
    before its last escape.
    """
    held = b""
    first = True
    for chunk in content:
        held += chunk.removeprefix(_BOM) if first else chunk
        first = False
        end = held.rfind(b"\n") + 1 or (_safe_end(held) if len(held) > _HELD_AT_MOST else 0)
        if end:
            yield _repair(held[:end])
            held = held[end:]
    if held:
        yield _repair(held)


def _safe_end(held: bytes) -> int:
    """A place inside no escape and no character: before the backslashes nearest to the end."""
    end = len(held)
    while end > 0 and held[end - 1] & 0x80:
        end -= 1
    place = held.rfind(b"\\", max(0, end - 8), end)
    if place < 0:
        return end
    while place > 0 and held[place - 1] == 0x5C:
        place -= 1
    return place


def _repair(part: bytes) -> bytes:
    if b"\\x" in part:
        part = _HEX_ESCAPE.sub(_as_unicode, part)
    if b'"document_id"' in part:
        part = _UNQUOTED.sub(rb'\1"\2"', part)
    try:
        part.decode()
    except UnicodeDecodeError:
        return part.decode("utf-8", "replace").encode()
    return part


def _as_unicode(found: re.Match[bytes]) -> bytes:
    return b"\\u00" + found[1] if found[1] else found[0]
