"""The identity of predicates: which names speak of one thing, inside (project, subject, about)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TypeAlias

from roxabi_contracts.payloads import Cardinality
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import Assertion, OrderKey, Pairs, PredicateVerdict
from cortex_memory.retain.components import components
from cortex_memory.retain.fold.ledger import SlotRules

StandingVerdicts: TypeAlias = Mapping[tuple[str, str], PredicateVerdict]
"""The positive verdict that holds, by the sorted pair of its names."""


@dataclass(frozen=True, slots=True)
class PredicateGroup:
    """Names of one predicate and how its facts behave.

    `identifying` are the qualifiers that tell slots apart; null: all of them do, since nobody has
    said what the qualifiers of such a predicate mean.
    """

    names: frozenset[str]
    canonical: str
    cardinality: Cardinality
    identifying: frozenset[str] | None
    rules: SlotRules


def name_components(
    names: Iterable[str], standing: StandingVerdicts, catalogue: PredicateCatalogue
) -> list[frozenset[str]]:
    """Which of the names present belong together.

    No model's verdict joins two predicates of the catalogue, not even through a third name: such
    a component falls back to what the catalogue and persons say.
    """
    present = frozenset(names)
    canonical = {name: found.name for name in present if (found := catalogue.lookup(name))}
    nodes = present.union(canonical.values())
    joined = _joined(nodes, standing)
    confirmed = [pair for pair in joined if standing[pair].model is None]
    sure = [*canonical.items(), *confirmed]
    parts: list[frozenset[str]] = []
    for component in components(nodes, [*sure, *joined]):
        is_refused = len({canonical[name] for name in component & canonical.keys()}) > 1
        parts.extend(components(component, sure) if is_refused else [component])
    return [part & present for part in parts if part & present]


def _joined(nodes: frozenset[str], standing: StandingVerdicts) -> list[tuple[str, str]]:
    """The pairs of these names that a verdict joins, found from the fewer side."""
    if len(nodes) ** 2 > 2 * len(standing):
        return [(one, other) for one, other in standing if one in nodes and other in nodes]
    return [pair for pair in combinations(sorted(nodes), 2) if pair in standing]


def standing_verdicts(verdicts: Iterable[PredicateVerdict]) -> StandingVerdicts:
    """The verdicts that hold: of each pair a person's before a model's, then the latest."""
    latest: dict[tuple[str, str], PredicateVerdict] = {}
    for verdict in sorted(verdicts, key=_verdict_rank):
        first, second = sorted((verdict.first, verdict.second))
        latest[first, second] = verdict
    return {pair: verdict for pair, verdict in latest.items() if verdict.same}


def _verdict_rank(verdict: PredicateVerdict) -> tuple[bool, int, str]:
    return (verdict.model is None, verdict.at, verdict.id)


def canonical_spelling(name: str, catalogue: PredicateCatalogue) -> str:
    """The catalogue's name for a predicate, else the name as it was said."""
    entry = catalogue.lookup(name)
    return name if entry is None else entry.name


def group_of(
    names: frozenset[str], assertions: Sequence[Assertion], catalogue: PredicateCatalogue
) -> PredicateGroup:
    """How the facts of a component behave; `assertions` are all of its own, about one entity."""
    canonical = canonical_name(names, assertions, catalogue)
    entry = catalogue.lookup(canonical)
    if entry is not None:
        return PredicateGroup(
            names=names,
            canonical=canonical,
            cardinality=entry.cardinality,
            identifying=frozenset(entry.qualifiers),
            rules=SlotRules(entry.change, entry.kind, entry.volatility),
        )
    says_many = any(assertion.cardinality is Cardinality.MANY for assertion in assertions)
    return PredicateGroup(
        names=names,
        canonical=canonical,
        cardinality=Cardinality.MANY if says_many else Cardinality.ONE,
        identifying=None,
        rules=SlotRules(),
    )


def canonical_name(
    names: frozenset[str], assertions: Sequence[Assertion], catalogue: PredicateCatalogue
) -> str:
    """The catalogue's name, else that of the earliest assertion."""
    earliest: dict[str, OrderKey] = {}
    for said in assertions:
        if said.predicate not in earliest or said.order < earliest[said.predicate]:
            earliest[said.predicate] = said.order
    by_place = sorted(earliest, key=earliest.__getitem__) or sorted(names)
    known = [entry.name for name in by_place if (entry := catalogue.lookup(name))]
    return known[0] if known else by_place[0]


def identifying_pairs(assertion: Assertion, group: PredicateGroup) -> Pairs:
    """The qualifiers of an assertion that tell its slot from others."""
    pairs = assertion.qualifiers.pairs
    if group.identifying is None:
        return pairs
    return tuple(pair for pair in pairs if pair[0] in group.identifying)
