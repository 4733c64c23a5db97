"""How a value is cut out of the words of a clause."""

import re
from collections.abc import Callable
from typing import Final

from cortex_insight.enrich.rules.clauses import HIDDEN
from cortex_insight.enrich.rules.lexicon.calendar import MONTHS, WEEKDAYS
from cortex_insight.enrich.rules.lexicon.function_words import (
    BORDER_WORDS,
    NEVER_A_VALUE,
    POINTING,
)
from cortex_insight.enrich.rules.lexicon.words import words

Form = Callable[[str], tuple[str, ...]]
"""The values in the words that a pattern caught; none: there is nothing to claim."""

LONGEST: Final = 80

_BORDER: Final = re.compile(
    rf"[;:()!?—–\n{HIDDEN}]|\s-|(?:^|\s)(?:{BORDER_WORDS})(?!\S)", re.IGNORECASE
)
_LIST: Final = re.compile(
    r",\s*(?:and\s|or\s|et\s|ou\s)?\s*|\s+(?:and|et|or|ou|&|\+)\s+", re.IGNORECASE
)
_ARTICLE: Final = re.compile(
    r"(?:(?:an?|the|some|une?|les?|la|des|du|de\s+la)\s+|l'|d'|de\s+l'|(?:au|aux|à\s+la)\s+|à\s+l')",
    re.IGNORECASE,
)
_CONJUNCTION: Final = re.compile(r"\s(?:and|or|et|ou|&)\s", re.IGNORECASE)
_THIS_TIME: Final = re.compile(
    r"\bthis\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|afternoon|evening|morning)\b"
)
_CONNECTORS: Final = words("de du des da di la le les of the sur en van von der den & d")
_PRONOUNS: Final = words("I I'm I've Je J'ai We On Nous")


def proper_name(said: str) -> str:
    """The capitalised name that the words begin with; empty: none."""
    name: list[str] = []
    for word in said.split():
        bare = word.rstrip(",;:.!)")
        follows = bool(name) and (bare.lower() in _CONNECTORS)
        if bare in _PRONOUNS or not (bare[:1].isupper() or follows):
            break
        if name and bare.lower() in MONTHS | WEEKDAYS:
            break
        name.append(bare)
        if bare != word:
            break
    while name and name[-1].lower() in _CONNECTORS:
        name.pop()
    return " ".join(name)[:LONGEST]


def listed(said: str) -> list[str]:
    """The items of a list; the first alone where no `and` says that it is one."""
    items = _LIST.split(said)
    return items if _CONJUNCTION.search(said) else items[:1]


def without_article(said: str) -> str:
    """The words after an article, if they begin with one."""
    article = _ARTICLE.match(said)
    return said[article.end() :] if article else said


def cut(said: str) -> str:
    """The words up to where another phrase begins."""
    border = _BORDER.search(said)
    return said[: border.start()] if border else said


def is_whole(said: str) -> bool:
    """Whether no other phrase begins in the words."""
    return _BORDER.search(said) is None


def noun(said: str) -> str:
    """The first noun phrase of the words, in small letters and without its article."""
    return " ".join(without_article(cut(said)).split(",")[0].split()).lower().strip(" .'")


def named(name: str) -> tuple[str, ...]:
    """The name, if there is one and none of it was quoted."""
    return (name,) if name and HIDDEN not in name else ()


def plain(said: str, longest: int = 6) -> tuple[str, ...]:
    """The words as a value, if they are few and stand for themselves."""
    value = " ".join(said.split()).strip(" ,.;:!'")
    parts = value.lower().split()
    if not parts or len(parts) > longest or len(value) > LONGEST or HIDDEN in value:
        return ()
    ends = {parts[0], parts[0].partition("'")[0], parts[-1]}
    return () if ends & NEVER_A_VALUE else (value,)


def points_elsewhere(said: str) -> bool:
    """Whether one has to know what was said before to understand the words."""
    stripped = _THIS_TIME.sub(" ", said.lower())
    return HIDDEN in said or bool(POINTING & set(re.findall(r"[\w']+", stripped)))


def is_calendar(name: str) -> bool:
    """Whether the word names a month or a day of the week."""
    word = name.lower()
    return word in MONTHS or word.removesuffix("s") in WEEKDAYS
