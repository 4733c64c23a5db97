"""The fold of one predicate about one entity: its assertions in their slots, each slot folded."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts.payloads import Cardinality, ClaimAction

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Decision,
    EntityId,
    Erasure,
    FactReference,
    Pairs,
    ProjectId,
    Resolve,
    Slot,
    SlotState,
)
from cortex_memory.retain.fold import fold_slot
from cortex_memory.retain.fold.order import Event
from cortex_memory.retain.identify import PredicateGroup, identifying_pairs
from cortex_memory.retain.values import meets


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memory, and about whom."""

    project: ProjectId
    subject: EntityId
    about: EntityId


def fold_group(
    scope: Scope,
    group: PredicateGroup,
    assertions: Sequence[Assertion],
    *,
    decisions: Iterable[Decision] = (),
    erasures: Iterable[Erasure] = (),
    now: int,
    with_scheduled: bool = True,
) -> SlotState:
    """What the slots of a predicate group say at `now`, together.

    `assertions` are all of the group's, weighed by identity as now known; `decisions` are rebound
    to them; those and the `erasures` that speak of other groups do no harm.
    """
    slots = slots_of(scope, group, assertions)
    relevant = [erasure for erasure in erasures if not group.names.isdisjoint(erasure.predicates)]
    by_assertion = decisions_by_assertion(decisions)
    states: list[SlotState] = []
    for slot, said in slots.items():
        events: list[Event] = [*said, *decisions_on(said, by_assertion), *relevant]
        states.append(fold_slot(slot, events, group.rules, now, with_scheduled=with_scheduled))
    return together(states)


def together(states: Iterable[SlotState]) -> SlotState:
    """Several slots' states as one, sorted by id."""
    known = list(states)
    due = [state.next_due for state in known if state.next_due is not None]
    return SlotState(
        facts=tuple(sorted((f for s in known for f in s.facts), key=lambda fact: fact.id)),
        conflicts=tuple(sorted((c for s in known for c in s.conflicts), key=lambda c: c.id)),
        next_due=min(due, default=None),
    )


def slots_of(
    scope: Scope, group: PredicateGroup, assertions: Iterable[Assertion]
) -> dict[Slot, list[Assertion]]:
    """Each assertion in its slot; where values have slots of their own, a retract is in several."""
    placed: defaultdict[Slot, list[Assertion]] = defaultdict(list)
    retracts: list[Assertion] = []
    is_many = group.cardinality is Cardinality.MANY
    for assertion in assertions:
        if is_many and assertion.action is ClaimAction.RETRACT:
            retracts.append(assertion)
        else:
            value = assertion.value.pairs if is_many else None
            placed[_slot(scope, group, assertion, value)].append(assertion)
    if retracts:
        _place_retracts(scope, group, retracts, placed)
    return dict(placed)


def _place_retracts(
    scope: Scope,
    group: PredicateGroup,
    retracts: Iterable[Assertion],
    placed: dict[Slot, list[Assertion]],
) -> None:
    """Put each retract into the slot of every value that it meets."""
    by_part: defaultdict[tuple[Pairs, Pairs], list[Slot]] = defaultdict(list)
    for slot in placed:
        value = slot.value or ()
        for part in ((), *((pair,) for pair in value)):
            by_part[slot.qualifiers, part].append(slot)
    for retract in retracts:
        part = retract.value.pairs[:1]
        for slot in by_part[identifying_pairs(retract, group), part]:
            if meets(retract.value, slot.value or ()):
                placed[slot].append(retract)


def _slot(scope: Scope, group: PredicateGroup, assertion: Assertion, value: Pairs | None) -> Slot:
    return Slot(
        project=scope.project,
        subject=scope.subject,
        about=scope.about,
        predicate=group.canonical,
        qualifiers=identifying_pairs(assertion, group),
        value=value,
    )


def decisions_by_assertion(
    decisions: Iterable[Decision],
) -> Mapping[AssertionId, list[Decision]]:
    """Decisions by each assertion that they name."""
    found: defaultdict[AssertionId, list[Decision]] = defaultdict(list)
    for decision in decisions:
        for name in {name.id for fact in facts_of(decision) for name in fact.assertions}:
            found[name].append(decision)
    return dict(found)


def decisions_on(
    assertions: Iterable[Assertion], by_assertion: Mapping[AssertionId, list[Decision]]
) -> Iterable[Decision]:
    """The decisions that name any of the assertions, each once."""
    found = {
        decision.id: decision
        for assertion in assertions
        for decision in by_assertion.get(assertion.id, ())
    }
    return found.values()


def facts_of(decision: Decision) -> tuple[FactReference, ...]:
    """The facts that a decision speaks of."""
    if isinstance(decision, Resolve):
        return decision.lose if decision.keep is None else (decision.keep, *decision.lose)
    return (decision.fact,)
