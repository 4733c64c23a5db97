"""The requests to forget: how far each has come, and what the lake still has to be told."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from psycopg.rows import class_row, tuple_row
from roxabi_contracts.ids import canonical_json

from cortex_memory.model import IdentifierId
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection, Pool, reading
from cortex_memory.store.evidence import ObservationId, id_columns
from cortex_memory.store.queries import query

ASKED: Final = "asked"
ERASED: Final = "erased"
FINISHED: Final = "finished"
REVISIONS: Final = "revisions"
"""The scope that only the lake asks for: revisions by their ids, in which a secret was left."""


@dataclass(frozen=True, slots=True)
class Forgetting:
    """A request; `subject` is the entity whose memory it is about."""

    project: str
    id: str
    subject: str
    scope: str
    target: str | None
    mode: str
    requested_by: str
    requested_at: int
    state: str = ASKED
    removed: Mapping[str, int] = field(default_factory=dict[str, int])
    kept_digests: int = 0


@dataclass(frozen=True, slots=True)
class LakeRow:
    """What the lake has to forget."""

    position: int
    owner: list[str]
    source: str | None
    source_ref: str | None
    until: int | None


@dataclass(frozen=True, slots=True)
class OwnIdentifier:
    """By which somebody is known."""

    id: str
    scheme: str
    value: str


@dataclass(frozen=True, slots=True)
class NamedObservation:
    """What names the record of an observation."""

    id: str
    subject_identifier: IdentifierId
    source: str
    source_ref: str


async def ask(transaction: Connection, request: Forgetting) -> bool:
    """Have a request carried out; false: it was asked for before."""
    row = {
        "project": request.project,
        "id": request.id,
        "subject": request.subject,
        "scope": request.scope,
        "target": request.target,
        "mode": request.mode,
        "requested_by": request.requested_by,
        "requested_at": request.requested_at,
    }
    return await (await transaction.execute(query("forgetting.ask"), row)).fetchone() is not None


async def find(transaction: Connection, project: str, forget_id: str) -> Forgetting | None:
    """A request, if it was ever asked for."""
    cursor = transaction.cursor(row_factory=class_row(Forgetting))
    await cursor.execute(query("forgetting.find"), {"project": project, "id": forget_id})
    return await cursor.fetchone()


async def hold_unfinished(transaction: Connection) -> Forgetting | None:
    """The next request to work on, held until the transaction ends."""
    cursor = transaction.cursor(row_factory=class_row(Forgetting))
    await cursor.execute(query("forgetting.hold_unfinished"))
    return await cursor.fetchone()


async def advance(
    transaction: Connection,
    request: Forgetting,
    *,
    state: str,
    removed: Mapping[str, int],
    kept_digests: int = 0,
) -> None:
    """Note how far a request has come, and what that removed."""
    row = {
        **_named(request),
        "state": state,
        "removed": canonical_json(dict(removed)).decode(),
        "kept_digests": kept_digests,
    }
    await transaction.execute(query("forgetting.advance"), row)


async def finish(transaction: Connection, request: Forgetting) -> None:
    """A request is finished, unless something of it has come again meanwhile."""
    await transaction.execute(query("forgetting.remove_groups"), _named(request))
    await transaction.execute(query("forgetting.finish"), _named(request))


async def lake_rows(transaction: Connection, request: Forgetting, limit: int) -> list[LakeRow]:
    """What the lake has not confirmed yet, the oldest first."""
    cursor = transaction.cursor(row_factory=class_row(LakeRow))
    await cursor.execute(query("forgetting.lake_rows"), {**_named(request), "limit": limit})
    return await cursor.fetchall()


async def remove_lake_rows(transaction: Connection, rows: Sequence[LakeRow]) -> None:
    """The lake has confirmed these."""
    positions = [row.position for row in rows]
    await transaction.execute(query("forgetting.remove_lake_rows"), {"positions": positions})


async def note_groups(
    transaction: Connection, request: Forgetting, groups: Sequence[GroupKey]
) -> None:
    """What was announced of these groups has to go from the stream."""
    if groups:
        columns = columns_of(groups) | {"forget_id": request.id}
        await transaction.execute(query("erasing.note_groups"), columns)


async def noted_groups(transaction: Connection, request: Forgetting) -> set[tuple[str, str, str]]:
    """Subject, about and predicate of the groups whose announcements have to go."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("forgetting.groups"), _named(request))
    return set(await cursor.fetchall())


async def identifiers_of_entity(
    transaction: Connection, project: str, entity: str
) -> list[OwnIdentifier]:
    """By what an entity is known."""
    cursor = transaction.cursor(row_factory=class_row(OwnIdentifier))
    await cursor.execute(query("forgetting.owner"), {"project": project, "subject": entity})
    return await cursor.fetchall()


async def observation_in_memory(
    transaction: Connection, project: str, subject: str, observation_id: str
) -> NamedObservation | None:
    """An observation, if it went to this memory."""
    cursor = transaction.cursor(row_factory=class_row(NamedObservation))
    named = {"project": project, "subject": subject, "id": observation_id}
    await cursor.execute(query("forgetting.observation"), named)
    return await cursor.fetchone()


async def has_memory(transaction: Connection, project: str, identifier: str) -> bool:
    """Whether anything went to the memory of this identifier."""
    named = {"project": project, "identifier": identifier}
    cursor = await transaction.execute(query("forgetting.has_memory"), named)
    return await cursor.fetchone() is not None


async def enqueue(transaction: Connection, observations: Sequence[ObservationId]) -> None:
    """Have these retained once more."""
    if observations:
        await transaction.execute(query("forgetting.enqueue"), id_columns(observations))


async def vacuum(pool: Pool) -> None:
    """Have the database drop rows that were deleted, where no transaction sees them still.

    Raises:
        StoreUnavailable: not all was looked at.
    """
    async with reading(pool) as borrowed:
        await borrowed.execute(query("forgetting.vacuum"))


def _named(request: Forgetting) -> dict[str, object]:
    return {"project": request.project, "id": request.id}
