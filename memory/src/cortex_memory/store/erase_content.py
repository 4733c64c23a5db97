"""Takes the content out of observations whose facts were erased, and keeps their effect."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from psycopg.rows import class_row, tuple_row
from roxabi_contracts.observation import Observation

from cortex_memory.model import Assertion, Erasure, JournalId
from cortex_memory.retain.erasure import covers, residue, without_content
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.turnover import Turnover, census_of
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.episode_rows import relation_rows
from cortex_memory.store.erased_keys import keep_keys, tell_lake
from cortex_memory.store.erasures import erasures_on_groups
from cortex_memory.store.evidence import ASSERTION, ObservationId, id_columns
from cortex_memory.store.identity_register import IdentityRegister
from cortex_memory.store.observations import content_of, observation_of
from cortex_memory.store.queries import query

_REMOVED: Final = {
    "erasing.remove_candidates": "candidates",
    "erasing.remove_kept": "assertions",
    "erasing.remove_jobs": "jobs",
    "erasing.remove_observations": "observations",
}


@dataclass(frozen=True, slots=True)
class _KeptRow:
    project: str
    observation_id: str
    id: str
    content: str


@dataclass(frozen=True, slots=True)
class _Residue:
    project: str
    id: str
    content: str


@dataclass(frozen=True, slots=True)
class _Revision:
    project: str
    id: str
    made_by: list[int]
    content: str


async def all_revisions(
    transaction: Connection, observations: Collection[ObservationId]
) -> list[Observation]:
    """These observations, and all other revisions of their records."""
    cursor = transaction.cursor(row_factory=class_row(_Revision))
    await cursor.execute(query("erasing.revisions"), id_columns(observations))
    return [observation_of(row.id, row.made_by, row.content) for row in await cursor.fetchall()]


async def erase_content(
    transaction: Connection,
    covered: Mapping[ObservationId, JournalId],
    keys: Mapping[str, bytes],
) -> Counter[str]:
    """Leave nothing to read in these observations; how many rows of each kind lost something.

    Each goes with the erasure that covers something it says. What else it says stays, without
    its evidence. The lake is told, and no revision of the record is stored again.
    """
    if not covered:
        return Counter()
    revisions = await all_revisions(transaction, covered)
    current = {(seen.project_id, seen.id): seen for seen in revisions}
    kept = {identity: residue(current[identity]) for identity in covered}
    others = [identity for identity in current if identity not in covered]
    removed = await remove_observations(transaction, others)
    await _keep_assertions(transaction, covered)
    await _keep_residues(transaction, kept)
    await _keep_relations(transaction, kept, keys)
    await _forget_names(transaction, current, kept, keys)
    by_request: defaultdict[JournalId, list[Observation]] = defaultdict(list)
    for identity, forget_id in covered.items():
        by_request[forget_id].append(current[identity])
    for forget_id, seen in sorted(by_request.items()):
        await keep_keys(transaction, seen, forget_id, keys)
        await tell_lake(transaction, seen, forget_id)
    removed["observations"] += len(kept)
    return removed


async def remove_observations(
    transaction: Connection, observations: Collection[ObservationId]
) -> Counter[str]:
    """Take observations out of the journal; how many rows of each kind went."""
    removed = Counter[str]()
    if observations:
        for name, what in _REMOVED.items():
            cursor = await transaction.execute(query(name), id_columns(observations))
            removed[what] += cursor.rowcount
    return removed


async def _keep_assertions(
    transaction: Connection, observations: Collection[ObservationId]
) -> None:
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasing.assertions_of"), id_columns(observations))
    said: defaultdict[GroupKey, list[Assertion]] = defaultdict(list)
    for project, subject, about, predicate, content in await cursor.fetchall():
        key = GroupKey(project, subject, about, predicate)
        said[key].append(ASSERTION.validate_json(content))
    erasures = await erasures_on_groups(transaction, said)
    rows = [
        _kept_row(assertion, erasures.get(key, ()))
        for key, assertions in said.items()
        for assertion in assertions
    ]
    if rows:
        await transaction.execute(query("erasing.rewrite_assertions"), columns_of(rows))
        await transaction.execute(query("erasing.keep_assertions"), columns_of(rows))


def _kept_row(assertion: Assertion, erasures: Sequence[Erasure]) -> _KeptRow:
    is_covered = any(covers(erasure, assertion) for erasure in erasures)
    kept = without_content(assertion) if is_covered else replace(assertion, evidence=None)
    content = ASSERTION.dump_json(kept).decode()
    return _KeptRow(assertion.key.project, assertion.observation_id, assertion.id, content)


async def _keep_residues(
    transaction: Connection, kept: Mapping[ObservationId, Observation]
) -> None:
    rows = [
        _Residue(project, identity, content_of(seen).decode())
        for (project, identity), seen in kept.items()
    ]
    ids = id_columns(kept)
    await transaction.execute(query("erasing.rewrite_observations"), columns_of(rows))
    await transaction.execute(query("erasing.empty_candidates"), ids)
    await transaction.execute(query("erasing.rewrite_episodes"), ids)
    await transaction.execute(query("erasing.remove_episode_vectors"), ids)
    await transaction.execute(query("apply.remove_backlog"), ids | {"kind": "episode"})


async def _keep_relations(
    transaction: Connection,
    kept: Mapping[ObservationId, Observation],
    keys: Mapping[str, bytes],
) -> None:
    """Relations to what can no longer be named go."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasing.memories"), id_columns(kept))
    rows = [
        row
        for project, identity, subject in await cursor.fetchall()
        for row in relation_rows(kept[project, identity], subject, keys[project])
    ]
    await transaction.execute(query("apply.remove_relations"), id_columns(kept))
    if rows:
        await transaction.execute(query("apply.add_relations"), columns_of(rows))


async def _forget_names(
    transaction: Connection,
    before: Mapping[ObservationId, Observation],
    kept: Mapping[ObservationId, Observation],
    keys: Mapping[str, bytes],
) -> None:
    """They call nobody by a name any more."""
    changes: defaultdict[str, list[Turnover]] = defaultdict(list)
    for identity, seen in kept.items():
        changes[identity[0]].append(Turnover(entering=seen, leaving=before[identity]))
    censuses = {project: census_of(each, keys[project]) for project, each in changes.items()}
    await IdentityRegister(transaction, censuses, owned=False).count()
