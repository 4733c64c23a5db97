"""Synthetic loads: observations with one claim each, of one shape over few or many memories."""

import random
from collections.abc import Iterator, Sequence
from typing import Final

from memory.observing import actor, claim, observe
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import Claim

PROJECT: Final = "bench"
BEGIN_MS: Final = 1_700_000_000_000
STEP_MS: Final = 1_000
SLOTS: Final = 10
SAYINGS: Final = 10
LATE_SHARE: Final = 0.2
LATE_BY: Final = 1_000


def spread(count: int, people: int, start: int = 0) -> list[Observation]:
    """`count` sayings, in the order of their times, each person's over `SLOTS` slots."""
    return [
        _said(number % people, _claim(number // people % SLOTS, number // (people * SLOTS)), number)
        for number in range(start, start + count)
    ]


def one_subject(count: int) -> list[Observation]:
    """The sayings of `spread`, all of one person: a tenth as many slots as sayings."""
    slots = max(1, count // SAYINGS)
    return [_said(0, _claim(number % slots, number // slots), number) for number in range(count)]


def one_slot(count: int) -> list[Observation]:
    """One person moves at every tenth saying, and confirms it nine times."""
    return [_said(0, claim("lives_in", f"Town{number // 10}"), number) for number in range(count)]


def one_value(count: int) -> list[Observation]:
    """One person says the same again and again."""
    return [_said(0, claim("lives_in", "Paris"), number) for number in range(count)]


def many_values(count: int) -> list[Observation]:
    """One person uses something new at every saying."""
    return [_said(0, claim("uses", f"Tool{number}"), number) for number in range(count)]


def late(said: Sequence[Observation]) -> list[Observation]:
    """The same sayings, a share of them delivered long after their turn."""
    generator = random.Random(7)

    def arrival(number: int) -> int:
        return number + (LATE_BY if generator.random() < LATE_SHARE else 0)

    arrivals = sorted((arrival(number), number) for number in range(len(said)))
    return [said[number] for _, number in arrivals]


def slices(said: Sequence[Observation], size: int) -> Iterator[Sequence[Observation]]:
    """The sayings, so many at a time."""
    for start in range(0, len(said), size):
        yield said[start : start + size]


def _claim(slot: int, saying: int) -> Claim:
    """Half of the slots hold one of many values; in the others every third saying is a change."""
    if slot % 2:
        return claim("uses", f"Tool{slot}")
    return claim(f"trait_{slot}", f"Value{saying // 3}")


def _said(person: int, said: Claim, number: int) -> Observation:
    return observe(
        said,
        at=BEGIN_MS + number * STEP_MS,
        ref=f"note-{number}",
        actors=[actor(f"person{person}@example.org")],
        project=PROJECT,
    )
