"""BM25 over texts in memory, the reference that the store's own is compared with."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

SATURATION: Final = 1.2
LENGTH_SHARE: Final = 0.75


class Bm25:
    """Scores of documents, each given as its terms."""

    def __init__(self, documents: Sequence[Sequence[str]]) -> None:
        self._count = len(documents)
        self._lengths = np.array([len(terms) for terms in documents], dtype=np.float64)
        self._postings: dict[str, list[tuple[int, int]]] = {}
        for number, terms in enumerate(documents):
            for term, frequency in Counter(terms).items():
                self._postings.setdefault(term, []).append((number, frequency))

    def scores(self, terms: Iterable[str]) -> NDArray[np.float64]:
        """The score of every document for these terms."""
        scores = np.zeros(self._count)
        shares = self._lengths / max(float(self._lengths.mean()), 1.0)
        for term in dict.fromkeys(terms):
            postings = self._postings.get(term, [])
            rarity = math.log(1 + (self._count - len(postings) + 0.5) / (len(postings) + 0.5))
            for number, frequency in postings:
                damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * shares[number])
                scores[number] += rarity * (SATURATION + 1) * frequency / (frequency + damping)
        return scores
