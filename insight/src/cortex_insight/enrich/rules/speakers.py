"""Who speaks in words that do not say it: a note without its `I`, or a second verb after `and`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

_ELLIPSES: Final = (
    (
        "I ",
        re.compile(
            r"(?:(?:just|finally|recently|also)\s+)*(?:moved\s+(?:back\s+)?(?:to|from)|"
            r"started\s+(?:working\s+)?at|joined|lost\s+my\s+job|started\s+(?:volunteering|playing)|turned\s+\d|quit\s+my|sold\s+my|bought\s+an?|"
            r"adopted\s+an?|got\s+an?|switched\s+(?:to|from)|born)\s",
            re.IGNORECASE,
        ),
    ),
    ("I've ", re.compile(r"been\s+(?:living|working|using|learning|playing)\s", re.IGNORECASE)),
    (
        "I'm ",
        re.compile(
            r"(?:(?:living|based|working|located)\s+(?:in|at|for|out)|off\s+to|"
            r"(?:currently\s+)?reading)\s",
            re.IGNORECASE,
        ),
    ),
    ("j'ai ", re.compile(r"(?:dé|em)ménagé\s", re.IGNORECASE)),
    ("je suis ", re.compile(r"passée?\s+(?:à|de|sous)\s", re.IGNORECASE)),
)
"""What a note leaves out of who speaks, and how such a note begins."""

_GOES_ON: Final = re.compile(
    r",?\s(?:and|but|et|mais)\s+(?=(?:(?:also|now)\s+)?"
    r"(?:(?P<i>live\s+in|speak|prefer|own\s+an?|drive\s+an?|play\s+the|"
    r"work\s+(?:at|for|as|remotely|from)|(?<=but\s)(?:love|hate|use|like))"
    r"|(?P<am>allergic|based|married|living|working)"
    r"|(?P<je>vis|travaille|parle|préfère|déteste|joue)"
    r"|(?P<suis>allergique|basée?|mariée?))\s)",
    re.IGNORECASE,
)
"""Where the same person goes on without saying so again."""
_SPEAKERS: Final = {"i": "I ", "am": "I'm ", "je": "je ", "suis": "je suis "}
_SPEAKS: Final = re.compile(r"(?:i|i'm|i've|we|je|j'\w+|nous|on)\s", re.IGNORECASE)
_OF_OTHERS: Final = re.compile(
    r"\b(?:who|that|which|what|people|they|he|she|it|you|qui|que|il|elle|ils|elles|tu|vous)\b",
    re.IGNORECASE,
)
_IN_PASSING: Final = re.compile(
    r"(?:as\s+(?=an?\s)|(?P<tant>en\s+tant\s+qu(?:e\s+|')))", re.IGNORECASE
)
_THEN_SPEAKS: Final = re.compile(r",?\s+(?:i|my|je|j'|mon|ma)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Spoken:
    """Words with their speaker, and how far they reach in what was said."""

    said: str
    end: int


def spoken(said: str, follows: str, *, opens: bool) -> Iterator[Spoken]:
    """The words of a clause, part by part, each with the speaker that it leaves out.

    Args:
        said: The clause.
        follows: What stands behind it.
        opens: It opens its sentence, so that who speaks may be left out.
    """
    parts = [] if _OF_OTHERS.search(said) or not _SPEAKS.match(said) else [*_GOES_ON.finditer(said)]
    ends = [*(part.start() for part in parts), len(said)]
    first = said[: ends[0]]
    yield Spoken(_in_passing(first, follows) or _with_speaker(first, opens=opens), ends[0])
    for part, end in zip(parts, ends[1:], strict=True):
        speaker = next(_SPEAKERS[name] for name, word in part.groupdict().items() if word)
        yield Spoken(speaker + said[part.end() : end], end)


def _with_speaker(said: str, *, opens: bool) -> str:
    speaker = next((who for who, told in _ELLIPSES if opens and told.match(said)), "")
    return speaker + said


def _in_passing(said: str, follows: str) -> str | None:
    """`I'm a nurse` for `As a nurse`, if it is the speaker who goes on."""
    found = _IN_PASSING.match(said)
    if found is None or not _THEN_SPEAKS.match(follows):
        return None
    return ("je suis " if found["tant"] else "I'm ") + said[found.end() :]
