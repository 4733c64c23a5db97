"""The profiles: the weights by which candidates are scored, in one place."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """Weights of similarity, full text and recency; facts are served before episodes.

    `relevance_floor` is the least cosine similarity of a candidate that is served; null: no gate.
    """

    cosine: float
    text: float
    recency: float
    recency_days: float
    episodes: int
    """How many episodes are served at most, where the request says nothing of it."""
    relevance_floor: float | None = None


@dataclass(frozen=True, slots=True)
class Fusion:
    """Weights of terms between 0 and 1; facts and episodes are served in one order.

    `relevance_floor` is as in `WeightedSum`.
    """

    meaning: float
    words: float
    neighbour: float
    """Of each text said right before or after an episode; of its own part."""
    second_neighbour: float
    after_question: float
    """Of the question that an episode follows."""
    session: float
    """Of the best in an episode's session."""
    asked_about: float
    """For who is named in the question: the speaker, or whom a fact is about."""
    time: float
    """For what was said in a time that the question names."""
    question: float
    """Taken off an episode that only asks."""
    fact: float
    """Of a fact's own part, once more: what its surroundings bring an episode."""
    hop: float
    """Of the best fact's own part, for a fact that shares a name with one that was chosen."""
    episodes: int
    relevance_floor: float | None = None


Profile: TypeAlias = WeightedSum | Fusion

SEED: Final = WeightedSum(cosine=0.6, text=0.25, recency=0.15, recency_days=30, episodes=8)

# Chosen with `make bench-recall ARGS=--offline` on three conversations of LoCoMo (495 questions),
# bundled model: the share of the evidence in 10 turns, 1,000, 2,000 and 4,000 tokens is .858, .904,
# .933, .964; plain BM25 has .641, .730, .795, .842, plain cosine .507, .671, .753, .847. The run
# prints what each is worth, and that a second pass over names and diversity bring episodes nothing.
# `fact` and `hop`, the second pass over names for facts, are judged by the recall set of the tests
# alone: those conversations have few facts.
DEFAULT: Final = Fusion(
    meaning=1.2,
    words=1.0,
    neighbour=0.35,
    second_neighbour=0.15,
    after_question=0.15,
    session=0.3,
    asked_about=0.3,
    time=1.0,
    question=0.2,
    fact=0.6,
    hop=0.4,
    episodes=256,
)

PROFILES: Final[Mapping[str, Profile]] = {"default": DEFAULT, "seed": SEED}
"""By the names that the settings know."""
