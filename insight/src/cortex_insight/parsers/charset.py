"""Bytes as text: what is declared is tried first, and often wrong."""

import codecs
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from charset_normalizer import from_bytes

from cortex_insight.event import split_lines

_WIDER: Final = {
    "iso-8859-1": "cp1252", "latin-1": "cp1252", "us-ascii": "utf-8", "ascii": "utf-8",
    "gb2312": "gb18030", "gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
    "iso-8859-9": "cp1254", "iso-8859-11": "cp874", "tis-620": "cp874", "shift_jis": "cp932",
    "x-sjis": "cp932", "big5": "big5hkscs", "cp-850": "cp850", "x-mac-roman": "mac_roman",
    "unicode-1-1-utf-7": "utf-7", "x-user-defined": "cp1252", "iso-8859-8-i": "iso-8859-8",
}  # fmt: skip
"""Names by what their writers mean: a wider set that holds the declared one, or a known alias."""

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_ENOUGH: Final = 64
"""Bytes from which a charset can be told from the text itself."""
_SAMPLE: Final = 64 * 1024
_WINDOWS: Final = re.compile(r"(?:windows|x-cp|cp)-?(\d{3,4})")


def decode_text(content: bytes, declared: str | None = None) -> str:
    """The text of these bytes, without what cannot be stored.

    By the declared charset, else strict UTF-8, else what the text itself looks like, else
    Windows-1252; that one never fails.
    """
    return _UNSTORABLE.sub("", _decoded(content, declared))


def decoded_lines(content: Iterable[bytes]) -> Iterator[tuple[int, str]]:
    """The lines of a text file, whichever way they end, with their places in its UTF-8."""
    for line in split_lines(_as_utf8(content)):
        text = line.content.decode("utf-8", "replace")
        text = text.removeprefix("\ufeff") if line.offset == 0 else text
        for part in _UNSTORABLE.sub("", text).removesuffix("\r").split("\r"):
            yield line.offset, part


def _as_utf8(content: Iterable[bytes]) -> Iterator[bytes]:
    """The bytes of a text file in UTF-8; what it is written in shows at its beginning."""
    pieces = iter(content)
    head = b""
    while len(head) < _SAMPLE and (piece := next(pieces, None)) is not None:
        head += piece
    codec = _codec_of(head[:_SAMPLE])
    if codec == "utf-8":
        yield head
        yield from pieces
        return
    decoder = codecs.getincrementaldecoder(codec)("replace")
    for piece in chain([head], pieces):
        yield decoder.decode(piece).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _codec_of(head: bytes) -> str:
    """By its mark, else UTF-8 if it can be, else by what the text looks like."""
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    try:
        codecs.getincrementaldecoder("utf-8")().decode(head)  # a character may be cut at the end
    except UnicodeDecodeError:
        best = from_bytes(head).best() if len(head) >= _ENOUGH else None
        return "cp1252" if best is None else best.encoding
    return "utf-8"


def _decoded(content: bytes, declared: str | None) -> str:
    for charset in filter(None, (_codec(declared), "utf-8")):
        try:
            return content.decode(charset)
        except (UnicodeError, LookupError):
            continue
    if len(content) >= _ENOUGH:
        best = from_bytes(content[:_SAMPLE]).best()
        if best is not None:
            return content.decode(best.encoding, "replace")
    return content.decode("cp1252", "replace")


def _codec(declared: str | None) -> str | None:
    """The codec to try; null: none, or a placeholder, or one that is not for text."""
    name = (declared or "").strip("\"' \t\r\n;").lower()
    windows = _WINDOWS.fullmatch(name)
    name = f"cp{windows[1]}" if windows else _WIDER.get(name, name)
    if not name.isascii() or not name:
        return None
    try:
        found = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return found.name if getattr(found, "_is_text_encoding", False) else None
