"""Which stored rows differ from what was folded."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import ConflictSet, Fact, SlotState
from cortex_memory.retain.announce import Gone
from cortex_memory.store.rows import (
    ConflictRow,
    FactRow,
    conflict_row,
    fact_row,
    slot_digest,
    value_digest,
)

_LIVE: Final = {FactStatus.ACTIVE.value, FactStatus.CANDIDATE.value}


@dataclass(frozen=True, slots=True)
class StoredFact:
    """What is needed of a stored fact to tell whether it differs."""

    project: str
    id: str
    subject: str
    about: str
    predicate: str
    slot: str
    status: str
    value_digest: str
    row_digest: bytes

    @property
    def was_live(self) -> bool:
        """Whether it was active or contested an active one."""
        return self.status in _LIVE

    def gone(self) -> Gone:
        """What is announced of it once it is not there."""
        return Gone("fact", self.id, self.project, self.subject, self.about, self.predicate)


@dataclass(frozen=True, slots=True)
class StoredConflict:
    """What is needed of a stored conflict set to tell whether it differs."""

    project: str
    id: str
    subject: str
    about: str
    predicate: str
    closed_at: int | None
    row_digest: bytes

    @property
    def was_live(self) -> bool:
        """Whether it was open."""
        return self.closed_at is None

    def gone(self) -> Gone:
        """What is announced of it once it is not there."""
        return Gone("conflict", self.id, self.project, self.subject, self.about, self.predicate)


def stored_fact(fact: Fact) -> StoredFact:
    """What is stored of a fact, without its digest: that it differs is known."""
    return StoredFact(
        project=fact.slot.project,
        id=fact.id,
        subject=fact.slot.subject,
        about=fact.slot.about,
        predicate=fact.slot.predicate,
        slot=slot_digest(fact.slot),
        status=fact.status.value,
        value_digest=value_digest(fact.value),
        row_digest=b"",
    )


def stored_conflict(conflict: ConflictSet) -> StoredConflict:
    """The same of a conflict set."""
    return StoredConflict(
        project=conflict.slot.project,
        id=conflict.id,
        subject=conflict.slot.subject,
        about=conflict.slot.about,
        predicate=conflict.slot.predicate,
        closed_at=conflict.closed_at,
        row_digest=b"",
    )


@dataclass(frozen=True, slots=True)
class StoredRows:
    """What was made of some groups so far."""

    facts: Sequence[StoredFact]
    conflicts: Sequence[StoredConflict]


@dataclass(frozen=True, slots=True)
class FactChange:
    """A fact to be written, and what is stored of it so far.

    `former` is the whole fact that is stored; null where that is not known.
    """

    fact: Fact
    row: FactRow
    before: StoredFact | None
    former: Fact | None = None

    @property
    def is_new_row(self) -> bool:
        """Whether no row of it can stay: there is none, or it is of another slot."""
        return self.before is None or self.before.slot != self.row.slot

    @property
    def has_grown(self) -> bool:
        """Whether it is known to have lost none of the sources that are stored."""
        if self.former is None or self.is_new_row:
            return False
        return {each.assertion_id for each in self.former.sources} <= {
            each.assertion_id for each in self.fact.sources
        }

    @property
    def added(self) -> Fact:
        """The fact with those sources alone that are not stored, or not like this."""
        known = set(() if self.former is None else self.former.sources)
        return replace(
            self.fact, sources=tuple(each for each in self.fact.sources if each not in known)
        )

    @property
    def is_new_text(self) -> bool:
        """Whether it may be served from now on and has no vector of its present text."""
        if self.row.status not in _LIVE:
            return False
        before = self.before
        return (
            before is None
            or self.is_new_row
            or before.status not in _LIVE
            or before.value_digest != self.row.value_digest
        )


@dataclass(frozen=True, slots=True)
class ConflictChange:
    """A conflict set to be written, and what is stored of it so far."""

    conflict: ConflictSet
    row: ConflictRow
    before: StoredConflict | None


@dataclass(frozen=True, slots=True)
class Difference:
    """Between what the store says of some groups and what it should."""

    facts: Sequence[FactChange]
    conflicts: Sequence[ConflictChange]
    gone_facts: Sequence[StoredFact]
    gone_conflicts: Sequence[StoredConflict]


def difference(stored: StoredRows, states: Iterable[SlotState]) -> Difference:
    """Which rows differ from what was folded."""
    folded = list(states)
    facts = {(known.project, known.id): known for known in stored.facts}
    conflicts = {(known.project, known.id): known for known in stored.conflicts}
    changed_facts: list[FactChange] = []
    for fact in (fact for state in folded for fact in state.facts):
        row = fact_row(fact)
        before = facts.pop((row.project, row.id), None)
        if before is None or before.row_digest != row.row_digest:
            changed_facts.append(FactChange(fact, row, before))
    changed_conflicts: list[ConflictChange] = []
    for conflict in (conflict for state in folded for conflict in state.conflicts):
        set_row = conflict_row(conflict)
        known = conflicts.pop((set_row.project, set_row.id), None)
        if known is None or known.row_digest != set_row.row_digest:
            changed_conflicts.append(ConflictChange(conflict, set_row, known))
    return Difference(
        changed_facts, changed_conflicts, list(facts.values()), list(conflicts.values())
    )


def kept_difference(before: SlotState, after: SlotState) -> Difference:
    """The same between what was folded last, all of which is stored, and what was now."""
    former = {fact.id: fact for fact in before.facts}
    found = difference(
        StoredRows(
            [stored_fact(fact) for fact in before.facts],
            [stored_conflict(conflict) for conflict in before.conflicts],
        ),
        [after],
    )
    facts = [replace(change, former=former.get(change.fact.id)) for change in found.facts]
    return replace(found, facts=facts)


def all_differences(parts: Iterable[Difference]) -> Difference:
    """Those of several groups as one."""
    known = list(parts)
    return Difference(
        [change for part in known for change in part.facts],
        [change for part in known for change in part.conflicts],
        [gone for part in known for gone in part.gone_facts],
        [gone for part in known for gone in part.gone_conflicts],
    )
