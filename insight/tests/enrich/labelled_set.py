"""The labelled texts, a third of them held out, and how readings of them are scored."""

import hashlib
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

_FOLDER: Final = Path(__file__).parent / "labelled"

Part = Literal["development", "held out"]


@dataclass(frozen=True)
class Labelled:
    """A text, and what should be claimed from it."""

    text: str
    claims: tuple[str, ...]
    """As `described` writes them."""
    language: str

    @property
    def part(self) -> Part:
        """Held out: rules are not written by looking at it."""
        digest = hashlib.sha256(self.text.encode()).digest()
        return "held out" if digest[0] % 3 == 0 else "development"


def labelled() -> tuple[Labelled, ...]:
    """The whole set, file by file; a file is of the language that its name begins with."""
    return tuple(
        Labelled(text, tuple(claims), path.stem.partition("_")[0])
        for path in sorted(_FOLDER.glob("*.toml"))
        for texts in tomllib.loads(path.read_text("utf-8")).values()
        for text, claims in texts.items()
    )


@dataclass(frozen=True)
class Score:
    """What was claimed rightly, wrongly and not at all; of a claim all has to be right."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """The share of what was claimed that is right; 1 of nothing."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """The share of what is to be claimed that was; 1 of nothing."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


def score(read: Iterable[tuple[Labelled, tuple[str, ...]]]) -> Mapping[str, Score]:
    """The score of each predicate, and under `all` of everything."""
    right, wrong, missed = Counter[str](), Counter[str](), Counter[str]()
    for item, found in read:
        expected, claimed = Counter(item.claims), Counter(found)
        _count(right, expected & claimed)
        _count(wrong, claimed - expected)
        _count(missed, expected - claimed)
    names = sorted(right.keys() | wrong.keys() | missed.keys())
    whole = Score(right.total(), wrong.total(), missed.total())
    return {name: Score(right[name], wrong[name], missed[name]) for name in names} | {"all": whole}


def table(title: str, scores: Mapping[str, Score]) -> str:
    """The confusion as lines of text, a predicate a line."""
    head = (
        f"{title}\n{'predicate':22}{'right':>7}{'wrong':>7}{'missed':>8}{'prec.':>8}{'recall':>8}"
    )
    lines = (
        f"{name:22}{one.right:7}{one.wrong:7}{one.missed:8}{one.precision:8.3f}{one.recall:8.3f}"
        for name, one in scores.items()
    )
    return "\n".join((head, *lines))


def _count(counts: Counter[str], claims: Counter[str]) -> None:
    for claim, times in claims.items():
        counts[claim.partition("=")[0].partition(" ")[2]] += times
