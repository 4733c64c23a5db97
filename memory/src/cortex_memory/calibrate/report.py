"""The measurement as tables that a person reads."""

from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import quantiles
from typing import Final

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.calibrate.families import Languages, NamePair, Split
from cortex_memory.calibrate.measure import Confusion, Judged, Measured, at_limit, confusion
from cortex_memory.retain.match_names import Tier

_HEAD: Final = f"{'':24}{'joined':>16}{'kept apart':>18}{'precision':>12}{'recall':>9}"
_SUBHEAD: Final = f"{'':24}{'right':>8}{'wrong':>8}{'wrong':>9}{'right':>9}"
_STEPS: Final = 12
_NEAREST: Final = 5


def known_table(pairs: Iterable[NamePair], catalogue: PredicateCatalogue) -> str:
    """Of how many pairs the catalogue knows both names: what it gets right there it was told."""
    lines = [
        "pairs whose names the catalogue knows",
        f"{'':24}{'pairs':>8}{'known':>8}{'share':>9}",
    ]
    counts = Counter((pair.split, _is_known(pair, catalogue)) for pair in pairs)
    for split in Split:
        known, every = counts[split, True], counts[split, True] + counts[split, False]
        share = known / every if every else None
        lines.append(f"{split.value:24}{every:8}{known:8}{_share(share):>9}")
    return "\n".join(lines)


def _is_known(pair: NamePair, catalogue: PredicateCatalogue) -> bool:
    return None not in (catalogue.lookup(pair.first), catalogue.lookup(pair.second))


def confusion_table(title: str, judged: Sequence[Judged]) -> str:
    """What was joined and kept apart: in all, by tier, by languages.

    The recall of a tier is its share of all same pairs, so that the tiers add up to the whole.
    """
    same = sum(item.pair.same for item in judged)
    lines = [title, _HEAD, _SUBHEAD, _row("all", confusion(judged), same)]
    for tier in Tier:
        decided = [item for item in judged if item.verdict.tier is tier]
        if decided:
            lines.append(_row(f"tier {tier.value}", confusion(decided), same))
    for languages in Languages:
        part = [item for item in judged if item.pair.languages is languages]
        lines.append(_row(languages.value, confusion(part), sum(i.pair.same for i in part)))
    return "\n".join(lines)


def _row(name: str, counted: Confusion, same: int) -> str:
    recall = counted.accepted_same / same if same else None
    return (
        f"{name:24}{counted.accepted_same:8}{counted.accepted_different:8}"
        f"{counted.refused_same:9}{counted.refused_different:9}"
        f"{_share(counted.precision):>12}{_share(recall):>9}"
    )


def _share(share: float | None) -> str:
    return "-" if share is None else f"{share:.3f}"


def mistakes(judged: Iterable[Judged]) -> str:
    """Every pair that was joined wrongly, with what joined it."""
    wrong = [item for item in judged if item.verdict.same and not item.pair.same]
    lines = [
        f"  {item.pair.family}: {item.pair.first} | {item.pair.second}"
        f" ({item.verdict.tier.value}: {item.verdict.reason.value})"
        for item in wrong
    ]
    return "\n".join(("wrongly joined:", *(lines or ["  none"])))


def distance_table(measured: Sequence[Measured]) -> str:
    """How far apart a model puts the pairs that only it can decide, split by split."""
    return "\n".join(_distances_of(split, measured) for split in Split)


def _distances_of(split: Split, measured: Iterable[Measured]) -> str:
    part = [item for item in measured if item.pair.split is split]
    lines = [f"distances, {split.value}: {len(part)} pairs that the words leave open"]
    for name, same in (("same", True), ("different", False)):
        lines.append(f"  {name:10}{_spread([i.distance for i in part if i.pair.same is same])}")
    lines.append("  within    same  different  precision")
    for limit in _steps(part):
        joined = at_limit(part, limit)
        lines.append(
            f"  {limit:.4f}{joined.accepted_same:8}{joined.accepted_different:11}"
            f"{_share(joined.precision):>11}"
        )
    nearest = sorted((i for i in part if not i.pair.same), key=lambda item: item.distance)
    lines.append("  nearest different pairs:")
    lines.extend(
        f"    {item.distance:.4f}  {item.pair.first} | {item.pair.second}"
        for item in nearest[:_NEAREST]
    )
    return "\n".join(lines)


def _spread(found: Sequence[float]) -> str:
    if len(found) < 2:
        return f"{len(found)} pairs"
    lower, middle, upper = quantiles(found, n=4)
    return (
        f"least {min(found):.4f}  quarter {lower:.4f}  half {middle:.4f}  "
        f"three quarters {upper:.4f}  most {max(found):.4f}"
    )


def _steps(measured: Iterable[Measured]) -> list[float]:
    """Distances of same pairs at which to show what a limit would join, evenly spread."""
    same = sorted({item.distance for item in measured if item.pair.same})
    return same[:: max(1, len(same) // _STEPS)]
