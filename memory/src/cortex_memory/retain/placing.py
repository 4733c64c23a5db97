"""Where an assertion is folded: its group, the unit that is loaded, folded and written."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import Assertion, Decision, EntityId, Erasure, ProjectId, SlotState
from cortex_memory.retain.assertions import EntityOf
from cortex_memory.retain.group import Scope, fold_group
from cortex_memory.retain.identify import group_of


@dataclass(frozen=True, slots=True, order=True)
class GroupKey:
    """One predicate about one entity in one memory."""

    project: ProjectId
    subject: EntityId
    about: EntityId
    predicate: str


def group_key(assertion: Assertion, entity_of: EntityOf, catalogue: PredicateCatalogue) -> GroupKey:
    """The group of an assertion, by identity as now known and the predicate's canonical name."""
    entry = catalogue.lookup(assertion.predicate)
    return GroupKey(
        project=assertion.key.project,
        subject=entity_of(assertion.key.subject),
        about=entity_of(assertion.about),
        predicate=assertion.predicate if entry is None else entry.name,
    )


def fold_groups(
    groups: Mapping[GroupKey, Sequence[Assertion]],
    decisions: Mapping[GroupKey, Sequence[Decision]],
    erasures: Mapping[GroupKey, Sequence[Erasure]],
    catalogue: PredicateCatalogue,
    now: int,
) -> dict[GroupKey, SlotState]:
    """What each group says at `now`.

    Its assertions are weighed by identity as now known, and its decisions are rebound to them.
    """
    return {
        key: _fold(key, assertions, decisions.get(key, ()), erasures.get(key, ()), catalogue, now)
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
    scope = Scope(key.project, key.subject, key.about)
    group = group_of(names, assertions, catalogue)
    return fold_group(scope, group, assertions, decisions=decisions, erasures=erasures, now=now)
