"""Where and what to look for, and how many of what is found are looked at."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.times import Span

PER_ARM: Final = 64
LEAST_PER_ARM: Final = 40
MOST_PER_ARM: Final = 128
LEAST_SURROUNDED: Final = 16
MOST_SURROUNDED: Final = 96
SMALL_BUDGET: Final = 900
TOKENS_A_TEXT: Final = 40
"""What a text costs, about: so many tokens beyond a small budget call for one more candidate."""
SPARE: Final = 16
"""So many of the nearest facts may be retired, and so many proposals gone from the store, before
all is measured there."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """The vector of the query, and the model that made it."""

    model: int
    vector: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Proposals:
    """The nearest by vectors that are held elsewhere: ids, and of which memory each is.

    `horizons` are transactions, one for each memory asked: what they or later ones wrote is not
    among what was held.
    """

    ids: tuple[str, ...]
    subjects: tuple[str, ...]
    horizons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """Where and what to look for; without a meaning, by words alone.

    `until` (epoch ms) bounds when an episode was said; null: there is no bound. `terms` are looked
    for by their rarity, and `times` besides; null: the query is looked for by full text. Facts are
    also looked for by the terms of the `predicates` that the query names otherwise. `contested`:
    what contradicts a fact is looked for with it. By `now` (epoch ms) it is told which facts time
    has changed that are not folded again yet.
    """

    project: str
    subjects: tuple[str, ...]
    about: str | None
    query: str
    meaning: Meaning | None
    until: int | None = None
    times: tuple[Span, ...] = ()
    terms: tuple[str, ...] | None = None
    predicates: tuple[str, ...] = ()
    budget_tokens: int = 0
    contested: bool = False
    now: int = 0

    def terms_for(self, kind: Kind) -> tuple[str, ...]:
        """The terms that texts of a kind are looked for by."""
        return (*(self.terms or ()), *(self.predicates if kind == "fact" else ()))

    @property
    def per_arm(self) -> int:
        """How many candidates each arm finds."""
        return PER_ARM if self.terms is None else fused_per_arm(self.budget_tokens)

    @property
    def is_for_some(self) -> bool:
        """Whether it leaves out some of the memory, whatever is near."""
        return self.about is not None or self.until is not None

    def wanted(self, kind: Kind) -> int:
        """How many of the nearest are looked at: of facts, some are retired."""
        return self.per_arm + (SPARE if kind == "fact" else 0)

    def proposals(self, kind: Kind) -> int:
        """How many of the nearest of each memory have to be proposed."""
        return self.wanted(kind) + SPARE


def fused_per_arm(budget_tokens: int) -> int:
    """How many candidates each arm finds: more, where a large budget can hold them."""
    return min(MOST_PER_ARM, LEAST_PER_ARM + _more_for(budget_tokens))


def surrounded(budget_tokens: int) -> int:
    """Of how many hits of each arm the texts said around them are candidates, too."""
    return min(MOST_SURROUNDED, LEAST_SURROUNDED + _more_for(budget_tokens))


def _more_for(budget_tokens: int) -> int:
    return max(0, budget_tokens - SMALL_BUDGET) // TOKENS_A_TEXT
