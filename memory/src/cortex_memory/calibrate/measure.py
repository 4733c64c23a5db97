"""Labelled pairs through the cascade: what it gets right, and the limit that a model may have."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from cortex_memory.calibrate.families import NamePair
from cortex_memory.retain.match_names import (
    DistanceWanted,
    ModelLimit,
    NameMatcher,
    NameVerdict,
    judge_distance,
)

PRECISION: Final = 0.98
"""The share of accepted pairs that have to be right."""
MINIMUM_ACCEPTED: Final = 10
"""Below so many accepted pairs a precision says nothing, and no limit is stored."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A labelled pair and the verdict on it."""

    pair: NamePair
    verdict: NameVerdict


@dataclass(frozen=True, slots=True)
class Measured:
    """A labelled pair that only a model can decide, and the distance that it gives."""

    pair: NamePair
    distance: float


@dataclass(frozen=True, slots=True)
class Confusion:
    """How many pairs were judged how, against their labels."""

    accepted_same: int
    accepted_different: int
    refused_same: int
    refused_different: int

    @property
    def accepted(self) -> int:
        """How many pairs were joined."""
        return self.accepted_same + self.accepted_different

    @property
    def precision(self) -> float | None:
        """The share of joined pairs that are the same; null: none was joined."""
        return self.accepted_same / self.accepted if self.accepted else None

    @property
    def recall(self) -> float | None:
        """The share of same pairs that were joined; null: there are none."""
        same = self.accepted_same + self.refused_same
        return self.accepted_same / same if same else None


def undecided(
    pairs: Iterable[NamePair], matcher: NameMatcher
) -> list[tuple[NamePair, DistanceWanted]]:
    """The pairs on which a model has to be asked, each with the question."""
    asked: list[tuple[NamePair, DistanceWanted]] = []
    for pair in pairs:
        answer = matcher.match(pair.first, pair.second)
        if isinstance(answer, DistanceWanted):
            asked.append((pair, answer))
    return asked


def judge(
    pairs: Iterable[NamePair],
    matcher: NameMatcher,
    distances: Mapping[DistanceWanted, float],
    limit: ModelLimit | None,
) -> list[Judged]:
    """The verdict of the whole cascade on each pair.

    Raises:
        KeyError: a distance that is wanted is not among `distances`.
    """
    judged: list[Judged] = []
    for pair in pairs:
        answer = matcher.match(pair.first, pair.second)
        if isinstance(answer, DistanceWanted):
            answer = judge_distance(distances[answer], limit)
        judged.append(Judged(pair, answer))
    return judged


def confusion(judged: Iterable[Judged]) -> Confusion:
    """Count verdicts against labels."""
    counts = Counter((item.verdict.same, item.pair.same) for item in judged)
    return Confusion(
        accepted_same=counts[True, True],
        accepted_different=counts[True, False],
        refused_same=counts[False, True],
        refused_different=counts[False, False],
    )


def choose_limit(measured: Sequence[Measured]) -> tuple[float, Confusion] | None:
    """The largest distance of a same pair up to which the precision holds, and what it joins.

    Null: at no distance are enough pairs joined with that precision.
    """
    best: tuple[float, Confusion] | None = None
    for limit in sorted({item.distance for item in measured if item.pair.same}):
        joined = at_limit(measured, limit)
        precision = joined.precision
        if precision is not None and precision >= PRECISION and joined.accepted >= MINIMUM_ACCEPTED:
            best = limit, joined
    return best


def at_limit(measured: Iterable[Measured], limit: float) -> Confusion:
    """What a limit joins and refuses."""
    counts = Counter((item.distance <= limit, item.pair.same) for item in measured)
    return Confusion(
        accepted_same=counts[True, True],
        accepted_different=counts[True, False],
        refused_same=counts[False, True],
        refused_different=counts[False, False],
    )
