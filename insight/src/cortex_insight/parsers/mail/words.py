"""Header values as text: encoded words, raw bytes, comments and folds."""

import base64
import binascii
import quopri
import re
from typing import Final

from cortex_insight.parsers.charset import decode_text

_WORD: Final = re.compile(r"=\?([^?\s*]+)(?:\*[^?\s]*)?\?([bBqQ])\?([^?]*)\?=")
_FOLD: Final = re.compile(r"\r?\n[ \t]?|\r")
_BETWEEN: Final = re.compile(r"(\?=)[ \t\r\n]+(?==\?)")
_CONTROL: Final = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f\x80-\x9f\u200b\u200e\u200f\u202a-\u202e\ufeff]"
)


def header_text(raw: str) -> str:
    """A header as a person reads it, in one line."""
    value = _BETWEEN.sub(r"\1", _FOLD.sub(" ", plain_text(raw)))
    decoded = "".join(_decoded(value))
    return " ".join(_CONTROL.sub("", decoded).split())


def plain_text(raw: str) -> str:
    """The raw bytes of a header, which the reader kept as surrogates, as text."""
    try:
        return decode_text(raw.encode("ascii", "surrogateescape"))
    except UnicodeEncodeError:
        return raw.encode("utf-8", "replace").decode("utf-8")


def _decoded(value: str) -> list[str]:
    """The parts of a header with its encoded words decoded.

    Neighbours of one charset are joined before they are decoded, as a character may be split
    between them; the payload of each is decoded by itself, as each may be padded.
    """
    parts: list[str] = []
    pending: tuple[str, bytes] | None = None
    position = 0
    for word in _WORD.finditer(value):
        between = value[position : word.start()]
        position = word.end()
        charset = word[1].lower()
        if pending is not None and (between or pending[0] != charset):
            parts.append(decode_text(pending[1], pending[0]))
            pending = None
        parts.append(between)
        pending = (charset, (pending[1] if pending else b"") + _payload(word[2], word[3]))
    if pending is not None:
        parts.append(decode_text(pending[1], pending[0]))
    return [*parts, value[position:]]


def _payload(encoding: str, text: str) -> bytes:
    raw = text.encode("utf-8", "replace")
    if encoding in "qQ":
        return quopri.decodestring(raw, header=True)
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", raw)
    try:
        return base64.b64decode(letters[: len(letters) - (len(letters) % 4 == 1)] + b"==")
    except binascii.Error:
        return raw
