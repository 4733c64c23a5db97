"""Writing what was decided: only rows that differ, in an order that the constraints allow."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import Assertion, SlotState
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.difference import Difference, FactChange
from cortex_memory.store.episode_rows import EpisodeRow, RelationRow
from cortex_memory.store.evidence import ASSERTION, CANDIDATES, ObservationId, id_columns
from cortex_memory.store.identities import Moved
from cortex_memory.store.queries import query
from cortex_memory.store.rows import member_rows, source_rows

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_ACTIVE: Final = FactStatus.ACTIVE.value
_FACT_KIND: Final = {"kind": "fact"}
_EPISODE_KIND: Final = {"kind": "episode"}
_MOVING: Final = (
    "apply.move_episodes",
    "apply.move_episode_vectors",
    "apply.move_episode_backlog",
    "apply.move_relations",
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
) -> None:
    """Append to the journal of candidates, where the first writer wins."""
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
    await _execute(transaction, "apply.add_candidates", rows)


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
