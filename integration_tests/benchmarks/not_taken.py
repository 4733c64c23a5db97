"""Orders that were tried for the default profile and brought nothing: kept to be tried again.

Each takes the episodes with their scores, best first, and puts them into another order.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from cortex_memory.lexical.bm25 import Bm25
from cortex_memory.lexical.terms import query_terms
from cortex_memory.recall.candidate import EpisodeCandidate
from numpy.typing import NDArray

_NAME: Final = re.compile(r"\b[A-ZÀ-Ý][a-zà-ÿ]{2,}")
_READ: Final = 10
_NAMES: Final = 2
_SPREAD: Final = 60


@dataclass(frozen=True)
class Found:
    """A question, what was found for it, and what is known of all that was said.

    `places` tells where an episode's vector and words stand.
    """

    question: str
    ranked: Sequence[tuple[EpisodeCandidate, float]]
    places: Mapping[str, int]
    vectors: NDArray[np.float32]
    words: Bm25


Order: TypeAlias = Callable[[Found], list[str]]


def as_scored(found: Found) -> list[str]:
    """The best first."""
    return [one.id for one, _ in found.ranked]


def second_pass(weight: float) -> Order:
    """What also holds the names that the first ones hold, and the question does not."""

    def order(found: Found) -> list[str]:
        asked = frozenset(query_terms(found.question))
        counts = Counter(
            term
            for one, _ in found.ranked[:_READ]
            for name in sorted(set(_NAME.findall(one.text)))
            for term in query_terms(name)
            if term not in asked
        )
        scores = found.words.scores(term for term, _ in counts.most_common(_NAMES))
        best = max(scores, default=0.0) or 1.0
        return _sorted(
            [
                (one.id, score + weight * scores[found.places[one.id]] / best)
                for one, score in found.ranked
            ]
        )

    return order


def diversity(weight: float) -> Order:
    """The best that says the least of what was taken before it (maximal marginal relevance)."""

    def order(found: Found) -> list[str]:
        left = dict(found.ranked[:_SPREAD])
        repeated = dict.fromkeys(left, 0.0)
        taken: list[str] = []
        while left:
            best = max(left, key=lambda one: (left[one] - weight * repeated[one], one.id))
            del left[best]
            taken.append(best.id)
            vector = found.vectors[found.places[best.id]]
            for one in left:
                nearness = float(found.vectors[found.places[one.id]] @ vector)
                repeated[one] = max(repeated[one], nearness)
        return [*taken, *(one.id for one, _ in found.ranked[_SPREAD:])]

    return order


NOT_TAKEN: Final[Mapping[str, Order]] = {
    "with a second pass, .1": second_pass(0.1),
    "with a second pass, .3": second_pass(0.3),
    "with diversity, .3": diversity(0.3),
    "with diversity, .6": diversity(0.6),
}


def _sorted(scored: Sequence[tuple[str, float]]) -> list[str]:
    return [id for id, _ in sorted(scored, key=lambda pair: (-pair[1], pair[0]))]
