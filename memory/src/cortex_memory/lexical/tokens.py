"""From text to tokens: words, the compounds that they stand in, and the grams of other scripts."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

MAXIMUM_CHARACTERS: Final = 20_000
"""How much of a text is read."""
LONGEST: Final = 64
"""How much of a word is kept."""

_UNSPACED: Final = (
    "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003fffd"
)
_PART: Final = re.compile(rf"[{_UNSPACED}]+|[^\W_{_UNSPACED}]+")
_COMPOUND: Final = re.compile(r"[^\W_]+(?:[._/\\:@#+=&?~-]+[^\W_]+)+")
_GROUPED: Final = re.compile(r"\d{1,3}(?:[,.\u2019\u00a0\u202f]\d{3})+(?![\d.,]?\d)")
_HUMP: Final = re.compile(
    r"(?<=[a-zà-öø-ÿ0-9])(?=[A-ZÀ-ÖØ-Þ])|(?<=[A-ZÀ-ÖØ-Þ])(?=[A-ZÀ-ÖØ-Þ][a-z])"
)
_ACCENTS: Final = re.compile("[\u0300-\u036f]")
_UNSPACED_RUN: Final = re.compile(f"[{_UNSPACED}]+")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text in lower case; of a word, and of nothing else, there is a stem."""

    text: str
    is_word: bool


def tokens_of(text: str) -> Iterator[Token]:
    """The words, with compounds and grouped numbers whole and in parts, and the grams.

    A compound is a path, an identifier, an address, a version or a date: words joined without
    space, or by humps as in `camelCase`. Scripts that put no space between words go by two signs.
    """
    written = text[:MAXIMUM_CHARACTERS]
    plain = unicodedata.normalize("NFKC", written)
    for compound in _COMPOUND.findall(plain):
        yield _whole(compound)
    # As written: in the compatible form a space that may not be broken is like any other.
    for grouped in _GROUPED.findall(written):
        digits = unicodedata.normalize("NFKC", "".join(filter(str.isdigit, grouped)))
        yield _whole(digits)
    for part in _PART.findall(plain):
        if _UNSPACED_RUN.match(part):
            yield from _grams(part)
            continue
        humps = _HUMP.split(part)
        if len(humps) > 1:
            yield _whole(part)
        for hump in humps:
            yield Token(hump.casefold()[:LONGEST], is_word=True)


def single_signs(text: str) -> tuple[str, ...]:
    """The signs that stand beside others in a script without spaces, each once.

    By pairs alone a word of one sign would be found only where it stands by itself.
    """
    if text.isascii():
        return ()
    plain = unicodedata.normalize("NFKC", text[:MAXIMUM_CHARACTERS])
    runs = (run for run in _UNSPACED_RUN.findall(plain) if len(run) > 1)
    return tuple(dict.fromkeys(sign for run in runs for sign in run))


def without_accents(word: str) -> str:
    """A word as it is typed in haste."""
    if word.isascii():
        return word
    apart = unicodedata.normalize("NFD", word)
    return unicodedata.normalize("NFC", _ACCENTS.sub("", apart))


def _whole(text: str) -> Token:
    return Token(text.casefold()[:LONGEST], is_word=False)


def _grams(run: str) -> Iterator[Token]:
    if len(run) == 1:
        yield _whole(run)
    for start in range(len(run) - 1):
        yield _whole(run[start : start + 2])
