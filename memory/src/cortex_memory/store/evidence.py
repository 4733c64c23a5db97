"""Loading what a decision needs: revisions, candidates, and the groups that they touch."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from psycopg.rows import class_row, tuple_row
from pydantic import TypeAdapter
from roxabi_contracts.observation import Observation

from cortex_memory.model import Assertion
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.validate import ExtractedFact
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.difference import StoredConflict, StoredFact, StoredRows
from cortex_memory.store.identities import Moved
from cortex_memory.store.jobs import Job
from cortex_memory.store.observations import observation_of
from cortex_memory.store.queries import query

ASSERTION: Final = TypeAdapter(Assertion)
CANDIDATES: Final = TypeAdapter(tuple[ExtractedFact, ...])

ObservationId: TypeAlias = tuple[str, str]
"""A project, and the id of an observation in it."""


@dataclass(frozen=True, slots=True)
class RecordKey:
    """What all revisions of one record in one memory share."""

    project: str
    record: str
    subject_identifier: str


Records: TypeAlias = dict[RecordKey, list[Observation]]


class ObservationReader:
    """Reads stored observations; each revision is parsed once."""

    def __init__(self) -> None:
        self._parsed: dict[tuple[str, str, tuple[int, ...], int], Observation] = {}

    async def revisions(self, transaction: Connection, jobs: Sequence[Job]) -> Records:
        """All revisions of the records that the jobs are about."""
        cursor = transaction.cursor(row_factory=class_row(_ObservationRow))
        await cursor.execute(query("evidence.revisions"), _job_keys(jobs))
        records: Records = {}
        for row in await cursor.fetchall():
            key = RecordKey(row.project, row.record, row.subject_identifier)
            records.setdefault(key, []).append(self._read(row))
        return records

    def _read(self, row: "_ObservationRow") -> Observation:
        # The content of one that is known may have been erased since.
        key = (row.project, row.id, tuple(row.made_by), len(row.content))
        if key not in self._parsed:
            self._parsed[key] = observation_of(row.id, row.made_by, row.content)
        return self._parsed[key]


@dataclass(frozen=True, slots=True)
class _ObservationRow:
    project: str
    id: str
    subject_identifier: str
    record: str
    made_by: list[int]
    content: str


async def counted_observations(
    transaction: Connection, records: Collection[RecordKey]
) -> dict[RecordKey, str]:
    """Which observation counts so far, of each record that has one."""
    if not records:
        return {}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("evidence.counted"), columns_of(list(records)))
    return {
        RecordKey(project, record, identifier): observation_id
        for project, record, identifier, observation_id in await cursor.fetchall()
    }


@dataclass(frozen=True, slots=True)
class _CandidateRow:
    project: str
    observation_id: str
    extractor: str
    version: int
    candidates: list[object]


async def recorded_candidates(
    transaction: Connection, observations: Iterable[ObservationId]
) -> dict[ObservationId, list[CandidateSet]]:
    """What the highest version of each extractor found."""
    cursor = transaction.cursor(row_factory=class_row(_CandidateRow))
    await cursor.execute(query("evidence.candidates"), id_columns(observations))
    found: dict[ObservationId, list[CandidateSet]] = {}
    for row in await cursor.fetchall():
        facts = CANDIDATES.validate_python(row.candidates)
        candidates = CandidateSet(row.observation_id, row.extractor, row.version, facts)
        found.setdefault((row.project, row.observation_id), []).append(candidates)
    return found


async def groups_of_observations(
    transaction: Connection, observations: Iterable[ObservationId]
) -> set[GroupKey]:
    """The groups in which these observations said something."""
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    await cursor.execute(query("evidence.groups_of_observations"), id_columns(observations))
    return set(await cursor.fetchall())


async def groups_of_moved(transaction: Connection, moved: Sequence[Moved]) -> set[GroupKey]:
    """The groups that look different now that these identifiers are of other entities."""
    if not moved:
        return set()
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    await cursor.execute(query("evidence.moved_groups"), columns_of(moved))
    return set(await cursor.fetchall())


async def due_groups(transaction: Connection, now: int, limit: int) -> set[GroupKey]:
    """Groups that time alone has changed, the longest due first."""
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    await cursor.execute(query("evidence.due_groups"), {"now": now, "limit": limit})
    return set(await cursor.fetchall())


async def stored_assertions(
    transaction: Connection, groups: Collection[GroupKey]
) -> dict[GroupKey, list[Assertion]]:
    """Everything said in those of the groups where anything is."""
    if not groups:
        return {}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("evidence.assertions"), columns_of(sorted(groups)))
    assertions: dict[GroupKey, list[Assertion]] = {}
    for project, subject, about, predicate, content in await cursor.fetchall():
        key = GroupKey(project, subject, about, predicate)
        assertions.setdefault(key, []).append(ASSERTION.validate_json(content))
    return assertions


async def stored_rows(transaction: Connection, groups: Collection[GroupKey]) -> StoredRows:
    """The facts and conflict sets of these groups."""
    if not groups:
        return StoredRows((), ())
    wanted = columns_of(sorted(groups))
    facts = transaction.cursor(row_factory=class_row(StoredFact))
    await facts.execute(query("evidence.facts"), wanted)
    conflicts = transaction.cursor(row_factory=class_row(StoredConflict))
    await conflicts.execute(query("evidence.conflicts"), wanted)
    return StoredRows(await facts.fetchall(), await conflicts.fetchall())


def id_columns(observations: Iterable[ObservationId]) -> dict[str, list[str]]:
    """Ids as the columns that queries expect."""
    ordered = sorted(set(observations))
    return {
        "project": [project for project, _ in ordered],
        "id": [identity for _, identity in ordered],
    }


def _job_keys(jobs: Sequence[Job]) -> dict[str, list[str]]:
    return id_columns((job.project, job.observation_id) for job in jobs)
