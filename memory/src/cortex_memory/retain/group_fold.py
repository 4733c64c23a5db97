"""The fold of a group that grows: what is newly said costs a step, not a fold of all again."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from roxabi_contracts.payloads import Cardinality, ClaimAction

from cortex_memory.model import Assertion, OrderKey, Slot, SlotState
from cortex_memory.retain.fold import SlotFold
from cortex_memory.retain.group import Scope, place_retracts, slots_of, together
from cortex_memory.retain.identify import PredicateGroup

_NOTHING = SlotState(facts=(), conflicts=(), next_due=None)
_FEW = 3
"""Up to so many assertions a slot is folded again: its fold would take more room than they do."""


@dataclass(frozen=True, slots=True)
class GroupChange:
    """The facts and conflict sets that differ, as they were and as they are.

    `next_due` is when time alone changes anything of the group next.
    """

    before: SlotState
    after: SlotState
    next_due: int | None


class GroupFold:
    """The slots of a group without decisions and erasures; its state is that of `fold_group`.

    Args:
        scope: Whose memory, and about whom.
        group: How the predicate behaves.
        assertions: All of the group's, weighed by identity as now known.
        now: Up to when it is folded.
    """

    def __init__(
        self, scope: Scope, group: PredicateGroup, assertions: Sequence[Assertion], now: int
    ) -> None:
        self._scope = scope
        self._group = group
        self._is_many = group.cardinality is Cardinality.MANY
        self._now = now
        self._said: dict[Slot, list[Assertion]] = {}
        """What was said in slots of few assertions; the others have a fold."""
        self._folds: dict[Slot, SlotFold] = {}
        self._states: dict[Slot, SlotState] = {}
        self._retracts: list[Assertion] = []
        self._earliest: OrderKey | None = None
        self.size = 0
        """How many assertions it holds."""
        self.add(assertions, now)

    @property
    def names(self) -> frozenset[str]:
        """The names under which its assertions were said."""
        return self._group.names

    def state(self) -> SlotState:
        """What the group says."""
        return together(self._states.values())

    def can_add(self, assertions: Iterable[Assertion], now: int) -> bool:
        """Whether the predicate stays what it is, and time has not gone back."""
        return now >= self._now and not any(map(self._is_changed_by, assertions))

    def _is_changed_by(self, said: Assertion) -> bool:
        if said.predicate not in self._group.names:
            return True
        if self._group.identifying is not None:
            return False  # the catalogue has said what it is
        is_first = self._earliest is not None and said.order < self._earliest
        renames = is_first and said.predicate != self._group.canonical
        return renames or (said.cardinality is Cardinality.MANY and not self._is_many)

    def add(self, assertions: Sequence[Assertion], now: int) -> GroupChange:
        """Fold assertions that are new to the group, and whatever falls due up to `now`."""
        self._now = now
        self.size += len(assertions)
        known = () if self._earliest is None else (self._earliest,)
        self._earliest = min((*known, *(each.order for each in assertions)), default=None)
        placed = self._place(assertions)
        due = [
            slot
            for slot, state in self._states.items()
            if slot not in placed and state.next_due is not None and state.next_due <= now
        ]
        before, after = [], []
        for slot in [*placed, *due]:
            before.append(self._states.get(slot, _NOTHING))
            self._states[slot] = self._fold(slot, placed.get(slot, ())).state()
            after.append(self._states[slot])
        moments = [each.next_due for each in self._states.values() if each.next_due is not None]
        return _change(together(before), together(after), min(moments, default=None))

    def _fold(self, slot: Slot, new: Sequence[Assertion]) -> SlotFold:
        """A slot's fold with these too."""
        fold, said = self._folds.get(slot), [*self._said.pop(slot, ()), *new]
        fold = (fold or SlotFold(slot, self._group.rules)).with_more(said, self._now)
        if slot in self._folds or len(said) > _FEW:
            self._folds[slot] = fold
        else:
            self._said[slot] = said
        return fold

    def _place(self, assertions: Sequence[Assertion]) -> dict[Slot, list[Assertion]]:
        """Each in its slot; where values have slots of their own, retracts meet old and new."""
        if not self._is_many:
            return slots_of(self._scope, self._group, assertions)
        retracts = [each for each in assertions if each.action is ClaimAction.RETRACT]
        others = [each for each in assertions if each.action is not ClaimAction.RETRACT]
        placed = slots_of(self._scope, self._group, others)
        new = {slot: said for slot, said in placed.items() if slot not in self._states}
        place_retracts(self._group, self._retracts, new)
        if retracts:
            everywhere: dict[Slot, list[Assertion]] = {slot: [] for slot in self._states} | placed
            place_retracts(self._group, retracts, everywhere)
            placed = {slot: said for slot, said in everywhere.items() if said}
        self._retracts += retracts
        return placed


def _change(before: SlotState, after: SlotState, next_due: int | None) -> GroupChange:
    """Leave out what is the same in both."""
    return GroupChange(_beyond(before, after), _beyond(after, before), next_due)


def _beyond(state: SlotState, other: SlotState) -> SlotState:
    facts = {fact.id: fact for fact in other.facts}
    conflicts = {conflict.id: conflict for conflict in other.conflicts}
    return SlotState(
        facts=tuple(fact for fact in state.facts if fact != facts.get(fact.id)),
        conflicts=tuple(each for each in state.conflicts if each != conflicts.get(each.id)),
        next_due=None,
    )
