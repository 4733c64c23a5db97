"""Where an assertion is folded: its group, the unit that is loaded, folded and written."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Decision,
    EntityId,
    Erasure,
    ProjectId,
    SlotState,
)
from cortex_memory.retain.families import NameFamilies
from cortex_memory.retain.group import Scope, fold_group
from cortex_memory.retain.group_fold import GroupFold
from cortex_memory.retain.identify import canonical_name, group_of, name_components


@dataclass(frozen=True, slots=True, order=True)
class GroupKey:
    """One predicate about one entity in one memory."""

    project: ProjectId
    subject: EntityId
    about: EntityId
    predicate: str


@dataclass(frozen=True, slots=True)
class Arrangement:
    """All that is said in some groups by now, what comes to be said there, and what no longer is.

    A group that is left empty is among `groups`.
    """

    groups: Mapping[GroupKey, list[Assertion]]
    arriving: Mapping[GroupKey, list[Assertion]]
    leaving: Mapping[GroupKey, list[Assertion]]


def key_in(scope: Scope, predicate: str) -> GroupKey:
    """The group of a predicate in a scope."""
    return GroupKey(scope.project, scope.subject, scope.about, predicate)


def scope_of(key: GroupKey) -> Scope:
    """The scope of a group."""
    return Scope(key.project, key.subject, key.about)


def within_reach(
    newly: Mapping[Scope, Iterable[Assertion]],
    touched: Iterable[GroupKey],
    families: Mapping[str, NameFamilies],
) -> set[GroupKey]:
    """Every group in which something is folded with what is new or touched, now or so far."""
    names = {(scope, each.predicate) for scope, said in newly.items() for each in said}
    names |= {(scope_of(key), key.predicate) for key in touched}
    return {
        key_in(scope, place)
        for scope, name in names
        for place in families[scope.project].places_of(name)
    }


def within_reach_of(
    stored: Mapping[GroupKey, Iterable[Assertion]], families: Mapping[str, NameFamilies]
) -> set[GroupKey]:
    """The same of all that is stored: a group may hold names that belong elsewhere by now."""
    names = {(key, each.predicate) for key, said in stored.items() for each in said}
    return {
        key_in(scope_of(key), place)
        for key, name in names
        for place in families[key.project].places_of(name)
    }


def arrange(
    stored: Mapping[GroupKey, Sequence[Assertion]],
    newly: Mapping[Scope, Sequence[Assertion]],
    families: Mapping[str, NameFamilies],
) -> Arrangement:
    """Put what is stored and what is new where it belongs by the names as now known.

    `stored` is whole: of every group within reach, all that is said there.
    """
    said: defaultdict[Scope, list[Assertion]] = defaultdict(list)
    home: dict[tuple[Scope, AssertionId], GroupKey] = {}
    for key, assertions in stored.items():
        scope = scope_of(key)
        said[scope] += assertions
        home.update(((scope, each.id), key) for each in assertions)
    for scope, assertions in newly.items():
        said[scope] += assertions
    groups: dict[GroupKey, list[Assertion]] = {key: [] for key in stored}
    arriving: defaultdict[GroupKey, list[Assertion]] = defaultdict(list)
    leaving: defaultdict[GroupKey, list[Assertion]] = defaultdict(list)
    for scope, assertions in said.items():
        for key, members in _placed(scope, assertions, families[scope.project]).items():
            groups[key] = members
            for each in members:
                former = home.get((scope, each.id))
                if former != key:
                    arriving[key].append(each)
                if former is not None and former != key:
                    leaving[former].append(each)
    return Arrangement(groups, arriving, leaving)


def _placed(
    scope: Scope, assertions: Iterable[Assertion], families: NameFamilies
) -> dict[GroupKey, list[Assertion]]:
    """Each assertion in its group: the reference's, of a scope's own names."""
    alone: defaultdict[str, list[Assertion]] = defaultdict(list)
    joined: defaultdict[frozenset[str], list[Assertion]] = defaultdict(list)
    for each in assertions:
        if families.is_joined(each.predicate):
            joined[families.places_of(each.predicate)].append(each)
        else:
            alone[families.place_of(each.predicate)].append(each)
    for said in joined.values():
        names = {each.predicate for each in said}
        for part in name_components(names, families.standing, families.catalogue):
            members = [each for each in said if each.predicate in part]
            alone[canonical_name(part, members, families.catalogue)] = members
    return {key_in(scope, predicate): members for predicate, members in alone.items()}


def fold_groups(
    groups: Mapping[GroupKey, Sequence[Assertion]],
    decisions: Mapping[GroupKey, Sequence[Decision]],
    erasures: Mapping[GroupKey, Sequence[Erasure]],
    catalogues: Catalogues,
    now: int,
) -> dict[GroupKey, SlotState]:
    """What each group says at `now`, by the catalogue of its project.

    Its assertions are weighed by identity as now known, and its decisions are rebound to them.
    """
    return {
        key: _fold(
            key,
            assertions,
            decisions.get(key, ()),
            erasures.get(key, ()),
            catalogues.for_project(key.project),
            now,
        )
        for key, assertions in groups.items()
    }


def _fold(
    key: GroupKey,
    assertions: Sequence[Assertion],
    decisions: Sequence[Decision],
    erasures: Sequence[Erasure],
    catalogue: PredicateCatalogue,
    now: int,
) -> SlotState:
    if not assertions:
        return SlotState(facts=(), conflicts=(), next_due=None)
    names = frozenset(assertion.predicate for assertion in assertions)
    group = group_of(names, assertions, catalogue)
    return fold_group(
        scope_of(key), group, assertions, decisions=decisions, erasures=erasures, now=now
    )


def growing_fold(
    key: GroupKey, assertions: Sequence[Assertion], catalogue: PredicateCatalogue, now: int
) -> GroupFold:
    """The fold of a group of which nothing is decided or erased, to go on with."""
    names = frozenset(assertion.predicate for assertion in assertions)
    return GroupFold(scope_of(key), group_of(names, assertions, catalogue), assertions, now)
