"""Decisions point at assertions that a re-parse may have renamed: point them at today's."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import TypeAlias

from cortex_memory.model import (
    Assertion,
    AssertionId,
    AssertionReference,
    Decision,
    FactReference,
    IdentifierId,
    ObservationKey,
    Pairs,
    Resolve,
)

_Said: TypeAlias = tuple[ObservationKey, IdentifierId, Pairs]


class Rebinder:
    """Finds named assertions among the current ones: by id, else by what was said where.

    One observation may say equal values of several predicates; an id that still exists settles
    which of them was meant.

    Args:
        current: The assertions to find.
        elsewhere: Ids of others that are current too.
    """

    def __init__(self, current: Iterable[Assertion], elsewhere: Iterable[AssertionId] = ()) -> None:
        self._known = set(elsewhere)
        self._by_said: defaultdict[_Said, list[AssertionReference]] = defaultdict(list)
        for assertion in current:
            reference = reference_to(assertion)
            self._known.add(assertion.id)
            self._by_said[reference.key, reference.about, reference.pairs].append(reference)

    def rebound(self, decision: Decision) -> Decision:
        """The decision with every name that no longer exists replaced by what it means now."""
        if isinstance(decision, Resolve):
            return replace(
                decision,
                keep=None if decision.keep is None else self._fact(decision.keep),
                lose=tuple(self._fact(reference) for reference in decision.lose),
            )
        return replace(decision, fact=self._fact(decision.fact))

    def _fact(self, reference: FactReference) -> FactReference:
        return FactReference(
            frozenset(now for name in reference.assertions for now in self._assertions(name))
        )

    def _assertions(self, name: AssertionReference) -> list[AssertionReference]:
        if name.id in self._known:
            return [name]
        return self._by_said.get((name.key, name.about, name.pairs), [])


def reference_to(assertion: Assertion) -> AssertionReference:
    """The name by which a decision speaks of an assertion."""
    return AssertionReference(
        id=assertion.id, key=assertion.key, about=assertion.about, pairs=assertion.value.pairs
    )
