"""Writing what was decided: only rows that differ, in an order that the constraints allow."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from psycopg.rows import tuple_row
from roxabi_contracts.operations import FactStatus

from cortex_memory.model import Assertion, ConflictSet, Fact, SlotState
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.evidence import (
    ASSERTION,
    CANDIDATES,
    ObservationId,
    StoredConflict,
    StoredFact,
    StoredRows,
    id_columns,
    stored_conflict,
    stored_fact,
)
from cortex_memory.store.identities import Moved
from cortex_memory.store.queries import query
from cortex_memory.store.rows import (
    ConflictRow,
    EpisodeRow,
    FactRow,
    RelationRow,
    conflict_row,
    fact_row,
    member_rows,
    source_rows,
)

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_ACTIVE: Final = FactStatus.ACTIVE.value
_SERVABLE: Final = {FactStatus.ACTIVE.value, FactStatus.CANDIDATE.value}
_FACT_KIND: Final = {"kind": "fact"}
_EPISODE_KIND: Final = {"kind": "episode"}
_MOVING: Final = (
    "apply.move_episodes",
    "apply.move_episode_vectors",
    "apply.move_episode_backlog",
    "apply.move_relations",
)


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
        if self.row.status not in _SERVABLE:
            return False
        before = self.before
        return (
            before is None
            or self.is_new_row
            or before.status not in _SERVABLE
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


async def write_difference(transaction: Connection, changes: Difference) -> None:
    """Write facts, what stands behind them, and conflict sets."""
    await _remove_rows(transaction, changes)
    rows = [change.row for change in changes.facts]
    await _execute(transaction, "apply.write_facts", [row for row in rows if row.status != _ACTIVE])
    await _execute(transaction, "apply.write_facts", [row for row in rows if row.status == _ACTIVE])
    await _write_sources(transaction, changes.facts)
    waiting = [
        _Waiting(change.row.project, change.row.subject, change.row.id, change.row.first_said_at)
        for change in changes.facts
        if change.is_new_text
    ]
    await _execute(transaction, "apply.queue_facts", waiting)
    conflicts = [change.row for change in changes.conflicts]
    await _execute(transaction, "apply.write_conflicts", conflicts)
    members = [row for change in changes.conflicts for row in member_rows(change.conflict)]
    await _execute(transaction, "apply.write_members", members)


async def _remove_rows(transaction: Connection, changes: Difference) -> None:
    """Remove what is gone, and what no update could bring where it belongs."""
    rewritten = [change.before for change in changes.conflicts if change.before is not None]
    old_sets = [*changes.gone_conflicts, *rewritten]
    if old_sets:
        columns = id_columns((known.project, known.id) for known in old_sets)
        await transaction.execute(query("apply.remove_conflicts"), columns)
    moved = [change.before for change in changes.facts if change.before and change.is_new_row]
    old_facts = [*changes.gone_facts, *moved]
    if old_facts:
        columns = id_columns((known.project, known.id) for known in old_facts)
        await transaction.execute(query("apply.remove_facts"), columns)
        await transaction.execute(query("apply.remove_backlog"), columns | _FACT_KIND)


async def _write_sources(transaction: Connection, changes: Sequence[FactChange]) -> None:
    grown = [change for change in changes if change.has_grown]
    others = [change for change in changes if not change.has_grown]
    sources = [row for change in others for row in source_rows(change.fact)]
    updated = [change.row for change in others if not change.is_new_row]
    if updated:
        facts = id_columns((row.project, row.id) for row in updated)
        await transaction.execute(query("apply.remove_other_sources"), columns_of(sources) | facts)
    added = [row for change in grown for row in source_rows(change.added)]
    await _execute(transaction, "apply.write_sources", [*sources, *added])


async def leave(transaction: Connection, observations: Collection[ObservationId]) -> None:
    """Let observations count no longer, nor what they said."""
    if observations:
        columns = id_columns(observations)
        await transaction.execute(query("apply.remove_relations"), columns)
        await transaction.execute(query("apply.remove_assertions"), columns)
        await transaction.execute(query("apply.remove_episodes"), columns)
        await transaction.execute(query("apply.remove_backlog"), columns | _EPISODE_KIND)


async def enter(
    transaction: Connection, episodes: Sequence[EpisodeRow], relations: Sequence[RelationRow]
) -> None:
    """Let observations count, and the relations that they state."""
    await _execute(transaction, "apply.add_episodes", episodes)
    await _execute(transaction, "apply.add_relations", relations)


async def place(transaction: Connection, groups: Mapping[GroupKey, Sequence[Assertion]]) -> None:
    """Store assertions in their groups."""
    rows = [
        _AssertionRow(
            project=key.project,
            subject=key.subject,
            about=key.about,
            predicate=key.predicate,
            id=assertion.id,
            observation_id=assertion.observation_id,
            author=assertion.author,
            content=ASSERTION.dump_json(assertion).decode(),
        )
        for key, assertions in groups.items()
        for assertion in assertions
    ]
    await _execute(transaction, "apply.add_assertions", rows)


async def displace(transaction: Connection, groups: Mapping[GroupKey, Sequence[Assertion]]) -> None:
    """Take assertions out of their groups."""
    rows = [
        _Placed(key.project, key.subject, key.about, key.predicate, assertion.id)
        for key, assertions in groups.items()
        for assertion in assertions
    ]
    await _execute(transaction, "apply.remove_placed", rows)


async def record_candidates(
    transaction: Connection, found: Mapping[ObservationId, CandidateSet]
) -> set[ObservationId]:
    """Append to the journal of candidates, where the first writer wins; for which we were."""
    if not found:
        return set()
    rows = [
        _CandidateRow(
            project=project,
            observation_id=observation_id,
            extractor=candidates.extractor,
            version=candidates.version,
            candidates=CANDIDATES.dump_json(candidates.facts).decode(),
        )
        for (project, observation_id), candidates in sorted(found.items())
    ]
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("apply.add_candidates"), columns_of(rows))
    return set(await cursor.fetchall())


async def set_due(transaction: Connection, states: Mapping[GroupKey, SlotState]) -> None:
    """Note when time alone will change these groups."""
    if states:
        await transaction.execute(query("apply.clear_due"), columns_of(sorted(states)))
    rows = [
        _Due(key.project, key.subject, key.about, key.predicate, state.next_due)
        for key, state in sorted(states.items())
        if state.next_due is not None
    ]
    await _execute(transaction, "apply.set_due", rows)


async def move_memories(transaction: Connection, moved: Sequence[Moved]) -> None:
    """Let episodes and their vectors follow identifiers to other entities."""
    if moved:
        columns = columns_of(moved)
        for name in _MOVING:
            await transaction.execute(query(name), columns)


async def count_outcomes(transaction: Connection, outcomes: Mapping[tuple[str, str], int]) -> None:
    """Count what became of candidates, by project and outcome."""
    rows = [_Tally(project, outcome, n) for (project, outcome), n in sorted(outcomes.items())]
    await _execute(transaction, "apply.count_outcomes", rows)


async def _execute(transaction: Connection, name: str, rows: "Sequence[DataclassInstance]") -> None:
    if rows:
        await transaction.execute(query(name), columns_of(rows))


@dataclass(frozen=True, slots=True)
class _Placed:
    project: str
    subject: str
    about: str
    predicate: str
    id: str


@dataclass(frozen=True, slots=True)
class _AssertionRow:
    project: str
    subject: str
    about: str
    predicate: str
    id: str
    observation_id: str
    author: str
    content: str


@dataclass(frozen=True, slots=True)
class _CandidateRow:
    project: str
    observation_id: str
    extractor: str
    version: int
    candidates: str


@dataclass(frozen=True, slots=True)
class _Due:
    project: str
    subject: str
    about: str
    predicate: str
    due_at: int


@dataclass(frozen=True, slots=True)
class _Waiting:
    project: str
    subject: str
    id: str
    said_at: int


@dataclass(frozen=True, slots=True)
class _Tally:
    project: str
    outcome: str
    candidates: int
