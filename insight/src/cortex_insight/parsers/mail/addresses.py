"""Addresses in a header, whatever its writer made of the grammar."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cortex_insight.parsers.mail.words import header_text, plain_text

_ADDRESS: Final = re.compile(
    r"[^\s\x00-\x20\x7f-\x9f@<>()\",;:\\]+@[^\s\x00-\x20\x7f-\x9f@<>()\",;:\\]+"
)
_ANGLE: Final = re.compile(r"<([^<>]*)>")
_COMMENT: Final = re.compile(r"\(((?:[^()\\]|\\.)*)\)")
_GROUP: Final = re.compile(r"^\s*[^<>@\",:;]*:(?!/)")
_NOBODY: Final = re.compile(
    r"un(?:disclosed|listed)[- ]recipients?\b|recipient list not shown", re.I
)
_LONGEST_NAME: Final = 512
_LONGEST_ADDRESS: Final = 320


@dataclass(frozen=True)
class Address:
    """A name and an address; one of them may be missing."""

    name: str | None
    email: str | None
    """The domain in lower case, in the letters of DNS where it can be."""


def read_addresses(raw: str) -> list[Address]:
    """The addresses of a header; those of a group without the group's name.

    A comma that stands unquoted in a name cuts it: `Last, First <address>` is put together again.
    """
    found: list[Address] = []
    for piece in _pieces(plain_text(raw)):
        one = _address(piece)
        if one is None:
            continue
        last = found[-1] if found else None
        cut = last is not None and last.email is None and one.email is not None
        if last is not None and cut and one.name and "<" in piece:
            found[-1] = Address(f"{last.name}, {one.name}"[:_LONGEST_NAME], one.email)
        else:
            found.append(one)
    return found


def _pieces(raw: str) -> Iterator[str]:
    """What stands between the commas and semicolons that are in no quotes, brackets, comments."""
    piece: list[str] = []
    quoted, angle, depth, escaped = False, False, 0, False
    for letter in raw:
        if escaped:
            escaped = False
        elif letter == "\\":
            escaped = True
        elif letter == '"' and not depth:
            quoted = not quoted
        elif not quoted:
            depth = max(0, depth + (letter == "(") - (letter == ")"))
            angle = (angle or letter == "<") and letter != ">"
            if letter in ",;" and not angle and not depth:
                yield "".join(piece)
                piece.clear()
                continue
        piece.append(letter)
    if quoted or angle or depth:
        yield from re.split("[,;]", "".join(piece))
    else:
        yield "".join(piece)


def _address(piece: str) -> Address | None:
    text = piece if '"' in piece.split(":", 1)[0] else _GROUP.sub("", piece, count=1)
    angle = next(iter(_ANGLE.findall(text)[::-1]), None)
    if angle is not None:
        email = _email(angle.rsplit(":", 1)[-1])
        name = _name(_ANGLE.sub(" ", text)) or (None if email else _name(angle))
        return Address(name, email) if name or email else None
    bare = _squeezed(_COMMENT.sub(" ", text))
    email = _email(bare)
    if email is not None:
        comment = _COMMENT.search(text)
        rest = _name(_ADDRESS.sub(" ", bare, count=1))
        return Address(rest or (_name(comment[1]) if comment else None), email)
    name = _name(_COMMENT.sub(" ", text))
    return Address(name, None) if name else None


def _email(text: str) -> str | None:
    """The address in a text; null: it holds none, or not exactly one."""
    squeezed = _squeezed(_COMMENT.sub("", text)).strip("'\"")
    found = _ADDRESS.findall(squeezed)
    if len(found) != 1 or squeezed.count("@") != 1 or len(found[0]) > _LONGEST_ADDRESS:
        return None
    local, _, domain = found[0].rpartition("@")
    return f"{local}@{_domain(domain)}"


def _squeezed(text: str) -> str:
    """Without the space that old programs put around dots and at signs."""
    return re.sub(r"\s*([.@])\s*", r"\1", text).strip() if "@" in text else text


def _domain(domain: str) -> str:
    lowered = domain.rstrip(".").lower()
    try:
        return lowered.encode("idna").decode("ascii")
    except UnicodeError:
        return lowered


def _name(text: str) -> str | None:
    name = header_text(text.replace('\\"', '"')).strip(" \t\"'")
    words = " ".join(name.replace('"', "").split())
    return None if not words or _NOBODY.match(words) else words[:_LONGEST_NAME]
