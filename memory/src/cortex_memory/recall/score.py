"""How well a candidate answers: a weighted sum, and an order without chance."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from typing import TypeVar

from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY
from cortex_memory.recall.goal import Goal
from cortex_memory.recall.profiles import Profile, WeightedSum

AnyCandidate = TypeVar("AnyCandidate", bound=FactCandidate | EpisodeCandidate)


@dataclass(frozen=True, slots=True)
class Score:
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
    return in_order(scored)


def boosted(score: Score, candidate: FactCandidate | EpisodeCandidate, goal: Goal | None) -> Score:
    """The score with what the goal adds to it; nothing to one that is below zero."""
    if goal is None:
        return score
    gain = goal.boost(candidate.content.decode()) - 1
    return Score(score.terms | {"goal": max(0.0, score.total) * gain})


def is_below_floor(candidate: FactCandidate | EpisodeCandidate, profile: Profile) -> bool:
    """Whether the recall gate refuses a candidate; one of unknown distance passes."""
    cosine = candidate.closeness.cosine
    return (
        profile.relevance_floor is not None
        and cosine is not None
        and cosine < profile.relevance_floor
    )


def in_order(scored: Iterable[tuple[AnyCandidate, Score]]) -> list[tuple[AnyCandidate, Score]]:
    """The best first; ties by time (latest first), content, id."""
    placed = [((-score.total, -candidate.moment), candidate, score) for candidate, score in scored]
    placed.sort(key=lambda each: each[0])
    ranked: list[tuple[AnyCandidate, Score]] = []
    for _, tied in groupby(placed, key=lambda each: each[0]):
        # What it says is written out for those alone that nothing else tells apart.
        equal = [(candidate, score) for _, candidate, score in tied]
        ranked += sorted(equal, key=_content) if len(equal) > 1 else equal
    return ranked


def _content(scored: tuple[FactCandidate | EpisodeCandidate, Score]) -> tuple[bytes, str]:
    candidate, _ = scored
    return candidate.content, candidate.id
