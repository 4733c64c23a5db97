"""Shares of evidence that a ranking or a packet holds, by category, as a table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from roxabi_contracts.render import count_tokens

from benchmarks.conversations import CATEGORIES, Asked, Turn

FIRST: Final = 10
BUDGETS: Final = (1_000, 2_000, 4_000)
COLUMNS: Final = (f"@{FIRST}", *(f"{budget // 1000}k" for budget in BUDGETS))
KEYS: Final = (f"recall_at_{FIRST}", *(f"recall_{budget // 1000}k" for budget in BUDGETS))


@dataclass(frozen=True)
class Held:
    """Which turns the first ten places and the packet of each budget hold."""

    sets: tuple[frozenset[str], ...]

    def shares(self, evidence: frozenset[str]) -> tuple[float, ...]:
        """How much of the evidence each of them holds."""
        return tuple(len(evidence & held) / len(evidence) for held in self.sets)


@dataclass(frozen=True)
class Measured:
    """What became of one question."""

    asked: Asked
    held: Held


def held_by_ranking(ranked: Sequence[Turn]) -> Held:
    """What a plain ranking holds, each turn at the price of its bare text."""
    packets = (_within(ranked, budget) for budget in BUDGETS)
    return Held((frozenset(turn.id for turn in ranked[:FIRST]), *packets))


def print_table(name: str, measured: Sequence[Measured]) -> None:
    """A line for every category and one for all."""
    print_heading(name)
    for category, title in CATEGORIES.items():
        print_line(title, [one for one in measured if one.asked.category == category])
    print_line("all", measured)
    print()


def print_heading(name: str) -> None:
    """The head of a table."""
    print(f"{name:28} questions " + "".join(f"{column:>7}" for column in COLUMNS))


def overall(measured: Sequence[Measured]) -> list[float]:
    """The means over all questions, in the order of `COLUMNS`."""
    shares = [one.held.shares(one.asked.evidence) for one in measured]
    return [fmean(column) for column in zip(*shares, strict=True)]


def summary(measured: Sequence[Measured]) -> Mapping[str, float | int]:
    """The figures of the last line."""
    means = overall(measured)
    figures = {key: round(mean, 4) for key, mean in zip(KEYS, means, strict=True)}
    return figures | {"questions": len(measured)}


def print_line(title: str, measured: Sequence[Measured]) -> None:
    """The means of some questions, if there are any."""
    if measured:
        means = overall(measured)
        print(f"  {title:26} {len(measured):9} " + "".join(f"{mean:7.3f}" for mean in means))


def _within(ranked: Sequence[Turn], budget: int) -> frozenset[str]:
    held: list[str] = []
    for turn in ranked:
        tokens = count_tokens(turn.text)
        if tokens <= budget:
            budget -= tokens
            held.append(turn.id)
    return frozenset(held)
