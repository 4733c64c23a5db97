"""How well a candidate answers: a weighted sum, and an order without chance."""

import math
from collections.abc import Iterable
from typing import NamedTuple, TypeVar

from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY
from cortex_memory.recall.goal import Goal
from cortex_memory.recall.profiles import Profile, WeightedSum

AnyCandidate = TypeVar("AnyCandidate", bound=FactCandidate | EpisodeCandidate)


class Score(NamedTuple):
    """The terms of a score by name, each with its weight applied."""

    terms: dict[str, float]

    @property
    def total(self) -> float:
        """The score."""
        return sum(self.terms.values())


def score_of(candidate: FactCandidate | EpisodeCandidate, now: int, profile: WeightedSum) -> Score:
    """The score of a candidate at `now`; a missing vector adds nothing."""
    age_days = max(0, now - candidate.moment) / DAY
    return Score(
        {
            "cosine": profile.cosine * (candidate.closeness.cosine or 0.0),
            "text": profile.text * candidate.closeness.text_rank,
            "recency": profile.recency * math.exp(-age_days / profile.recency_days),
        }
    )


def rank(
    candidates: Iterable[AnyCandidate], now: int, profile: WeightedSum, goal: Goal | None = None
) -> list[tuple[AnyCandidate, Score]]:
    """The candidates with their scores, best first."""
    scored = [
        (candidate, boosted(score_of(candidate, now, profile), candidate, goal))
        for candidate in candidates
    ]
    return sorted(scored, key=place)


def boosted(score: Score, candidate: FactCandidate | EpisodeCandidate, goal: Goal | None) -> Score:
    """The score with what the goal adds to it; nothing to one that is below zero."""
    if goal is None:
        return score
    gain = goal.boost(candidate.wording) - 1
    return Score(score.terms | {"goal": max(0.0, score.total) * gain})


def is_below_floor(candidate: FactCandidate | EpisodeCandidate, profile: Profile) -> bool:
    """Whether the recall gate refuses a candidate; one of unknown distance passes."""
    cosine = candidate.closeness.cosine
    return (
        profile.relevance_floor is not None
        and cosine is not None
        and cosine < profile.relevance_floor
    )


def place(
    scored: tuple[FactCandidate | EpisodeCandidate, Score],
) -> tuple[float, int, "Wording"]:
    """Where a candidate stands: by score, then the latest, then by content and id."""
    candidate, score = scored
    return -score.total, -candidate.moment, Wording(candidate)


class Wording:
    """What a candidate says, for an order; it is spelled out only where nothing else decides.

    So two of them are never equal, but for one with itself.
    """

    __slots__ = ("_candidate",)

    def __init__(self, candidate: FactCandidate | EpisodeCandidate) -> None:
        self._candidate = candidate

    def __lt__(self, other: "Wording") -> bool:
        mine, others = self._candidate, other._candidate
        return (mine.content, mine.id) < (others.content, others.id)
