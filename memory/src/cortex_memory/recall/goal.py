"""What the asker is after: candidates that speak of it count for more, three times at most."""

import re
import unicodedata
from dataclasses import dataclass
from typing import Final

MAXIMUM_BOOST: Final = 3.0

_WORD: Final = re.compile(r"[^\W_]{4,}")
"""Shorter ones are in every text; the words of a predicate are joined by underscores."""


@dataclass(frozen=True, slots=True)
class Goal:
    """The words of a goal."""

    words: frozenset[str]

    def boost(self, text: str) -> float:
        """By how much a text counts for more: 1 with no word of the goal, 3 with all of them."""
        shared = len(self.words & words_of(text))
        return 1 + (MAXIMUM_BOOST - 1) * shared / len(self.words)


def goal_of(text: str | None) -> Goal | None:
    """The goal that a text states; null: none that could be told from any other."""
    words = words_of(text or "")
    return Goal(words) if words else None


def words_of(text: str) -> frozenset[str]:
    """The words of a text that may tell it from others, in one case and composed form."""
    composed = unicodedata.normalize("NFC", text)
    return frozenset(word.casefold() for word in _WORD.findall(composed))
