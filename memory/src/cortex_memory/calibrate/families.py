"""The labelled pairs of predicate names."""

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import Final

from cortex_memory.calibrate.shipped import shipped_data

_FRENCH: Final = "fr:"


class Split(StrEnum):
    """What a family is for."""

    CALIBRATION = "calibration"
    HELD_OUT = "held_out"
    UNSEEN = "unseen"


class Languages(StrEnum):
    """In which languages the names of a pair are."""

    ENGLISH = "English"
    FRENCH = "French"
    MIXED = "mixed"


@dataclass(frozen=True, slots=True)
class NamePair:
    """Two names of a family, and whether they mean the same."""

    family: str
    split: Split
    languages: Languages
    first: str
    second: str
    same: bool


def pairs_from_toml(text: str) -> tuple[NamePair, ...]:
    """Every pair of names inside each family of a families file."""
    found: list[NamePair] = []
    for family, table in tomllib.loads(text).items():
        split = Split(table.pop("split"))
        named = [(name, meaning) for meaning, names in table.items() for name in names]
        for (first, one), (second, other) in combinations(named, 2):
            languages = _languages(first, second)
            names = first.removeprefix(_FRENCH), second.removeprefix(_FRENCH)
            found.append(NamePair(family, split, languages, *names, same=one == other))
    return tuple(found)


def _languages(first: str, second: str) -> Languages:
    french = first.startswith(_FRENCH), second.startswith(_FRENCH)
    if french[0] != french[1]:
        return Languages.MIXED
    return Languages.FRENCH if all(french) else Languages.ENGLISH


@cache
def labelled_pairs() -> tuple[NamePair, ...]:
    """The labelled set that the warehouse ships."""
    return pairs_from_toml((shipped_data() / "families.toml").read_text("utf-8"))
