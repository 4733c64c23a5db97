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

    def scores(self, terms: Iterable[str]) -> list[float]:
        """The score of every document for these terms."""
        scores = [0.0] * self._count
        for term in dict.fromkeys(terms):
            postings = self._postings.get(term, [])
            rarity = math.log(1 + (self._count - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, frequency in postings:
                share = frequency / (frequency + self._damping[number])
                scores[number] += rarity * (SATURATION + 1) * share
        return scores
