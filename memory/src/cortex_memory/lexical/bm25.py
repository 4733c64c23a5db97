"""BM25: how much a document shares with a query, the rarer the terms the more."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

SATURATION: Final = 1.2
"""How fast another occurrence of a term counts for less: k1."""
LENGTH_SHARE: Final = 0.5
"""How much of a document's length counts against it: b."""


class Bm25:
    """Scores of documents in memory, as the store scores its own.

    Args:
        documents: The terms of each.
    """

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._count = len(documents)
        average = sum(map(len, documents)) / max(1, len(documents))
        self._damping = [
            SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * len(terms) / max(1.0, average))
            for terms in documents
        ]
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, terms in enumerate(documents):
            for term, frequency in Counter(terms).items():
                self._postings.setdefault(term, []).append((number, frequency))

    @property
    def rarest(self) -> float:
        """What a term would bring at least that occurs in one document alone; none: nothing."""
        return self._rarity(1) if self._count else 0.0

    def scores(self, terms: Iterable[str]) -> list[float]:
        """The score of every document for these terms."""
        scores = [0.0] * self._count
        for term in dict.fromkeys(terms):
            postings = self._postings.get(term, [])
            rarity = self._rarity(len(postings))
            for number, frequency in postings:
                share = frequency / (frequency + self._damping[number])
                scores[number] += rarity * (SATURATION + 1) * share
        return scores

    def _rarity(self, documents: int) -> float:
        """What a term counts for that occurs in so many."""
        return math.log(1 + (self._count - documents + 0.5) / (documents + 0.5))
