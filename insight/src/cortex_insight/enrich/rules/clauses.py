"""The clauses of a text in which somebody speaks for themself, with their place in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cortex_insight.enrich.rules import guards

LONGEST_CLAUSE: Final = 400
"""Longer stretches without a full stop are no plain statements."""

HIDDEN: Final = "\ufffc"
"""Stands where something was said that is not the speaker's own plain words."""

_FOREIGN: Final = (
    re.compile(r"^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|\Z)", re.MULTILINE),
    re.compile(r"^(?:[ \t]*>|\t| {4}).*$", re.MULTILINE),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|(?<!\w)'[^'\n]*'(?!\w)"),
    re.compile(r"<[^<>\n]{1,200}>|https?://\S+"),
)
"""Code blocks, quoted and indented lines, code of several words, quotations, tags and addresses."""

_SPELLING: Final = str.maketrans({"’": "'", "\u00a0": " ", "\u202f": " "})
_MARKUP: Final = str.maketrans({"`": " ", "*": " "})

_FULL_STOP: Final = re.compile(r"[.!?…]+(?=[\s)]|$)", re.MULTILINE)
_BREAK: Final = re.compile(
    r"(?:[,;:—–]|\s-|,?\s(?:and|but|so|because|et|mais|donc|car|puisque))\s+"
    r"(?=(?:(?:also|now|currently|then|aussi|maintenant)\s+)?"
    r"(?:i|i'm|i've|we|we've|my|our|je|j'\w+|nous|on|mon|ma|mes|"
    r"you|he|she|it|they|the|this|that|there|tu|il|elle|ils|elles|le|la|les|ce|c'est|ça)\b)"
    r"|,\s(?:but|so|because|mais|donc|car)\s+",
    re.IGNORECASE,
)
"""Where somebody or something else becomes the subject of the sentence."""

_OPENING: Final = re.compile(
    r"(?:\s|[-+•#(]|\d{1,2}[.)]\s"
    r"|(?:hi|hello|hey|thanks|ok|okay|well|so|also|and|but|actually|btw|by\s+the\s+way|fyi|"
    r"for\s+the\s+record|note|reminder|now|currently|these\s+days|honestly|personally|yes|no|"
    r"yeah|oh|ah|right|good\s+morning|big\s+news|sorry|correction|update|"
    r"bonjour|salut|coucou|alors|bon|"
    r"donc|et|mais|en\s+fait|au\s+fait|d'ailleurs|pour\s+info|maintenant|aujourd'hui|"
    r"actuellement|personnellement|finalement|oui|non|pardon|merci(?!\s+de))\b[\s,:!.-]*){0,6}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A stretch of a text: `text` is fit for matching, `start:end` is where it was said."""

    text: str
    start: int
    end: int
    opens_sentence: bool
    supposed: bool
    """Its sentence holds under a condition only."""


def clauses(text: str) -> Iterator[Clause]:
    """The clauses that state something: no questions, reports, wishes, jokes or quotations."""
    plain = hide_foreign(text)
    for line in re.finditer(r"[^\n]+", plain):
        if guards.joking(line[0]):
            continue
        for start, end in _sentences(plain, line.start(), line.end()):
            if not guards.unasserted(plain[start:end]):
                yield from _clauses_of(plain, start, end)


def hide_foreign(text: str) -> str:
    """The text, of the same length, without what the speaker quotes."""
    plain = text.translate(_SPELLING)
    for pattern in _FOREIGN:
        plain = pattern.sub(_hidden, plain)
    return plain.translate(_MARKUP)


def _hidden(found: re.Match[str]) -> str:
    said = found[0]
    if said.startswith("`") and not said.startswith("```") and len(said.split()) == 1:
        return said
    return re.sub(r"[^\n]", HIDDEN, said)


def _sentences(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for stop in _FULL_STOP.finditer(plain, start, end):
        yield start, stop.end()
        start = stop.end()
    if start < end:
        yield start, end


def _clauses_of(plain: str, start: int, end: int) -> Iterator[Clause]:
    supposed = guards.supposing(plain[start:end])
    last = start + len(plain[start:end].rstrip(" \t\r.!…"))
    breaks = [found.span() for found in _BREAK.finditer(plain, start, last)]
    starts = [start, *(after for _, after in breaks)]
    ends = [*(before for before, _ in breaks), last]
    for first, stop in zip(starts, ends, strict=True):
        opening = _OPENING.match(plain, first, stop)
        begin = opening.end() if opening else first
        speaks = begin < stop <= begin + LONGEST_CLAUSE and plain[begin].isalpha()
        if speaks and not guards.wishing(plain[begin:stop]):
            yield Clause(plain[begin:stop], begin, stop, first == start, supposed)
