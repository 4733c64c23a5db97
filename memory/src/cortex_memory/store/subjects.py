"""Who is meant: from an identifier, or an entity's id, to the entity as it is known now."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from psycopg.rows import tuple_row
from roxabi_contracts.actor import Identifier

from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


async def entities_of(
    transaction: Connection, project: str, references: Sequence[str]
) -> dict[str, str]:
    """The entity of each reference that is known in the project; the others are left out."""
    key = await _project_key(transaction, project)
    if key is None:
        return {}
    ids = {reference: _identifier_id(project, reference, key) for reference in references}
    cursor = await transaction.execute(
        query("subjects.entities"), {"project": project, "ids": sorted(set(ids.values()))}
    )
    entities = {str(found): str(entity) for found, entity in await cursor.fetchall()}
    return {reference: entities[found] for reference, found in ids.items() if found in entities}


@dataclass(frozen=True, slots=True)
class Known:
    """The entities of the references that are known, as a snapshot of the store shows them.

    `snapshot` is null where the look found nobody.
    """

    entities: dict[str, str]
    snapshot: str | None


class SubjectLookup:
    """Finds entities in one round trip: the key of a project never changes, so it is kept."""

    def __init__(self) -> None:
        self._keys: dict[str, bytes] = {}

    async def find(self, transaction: Connection, project: str, references: Sequence[str]) -> Known:
        """The entity of each reference that is known in the project."""
        key = self._keys.get(project) or await _project_key(transaction, project)
        if key is None:
            return Known({}, None)
        self._keys[project] = key
        ids = {reference: _identifier_id(project, reference, key) for reference in references}
        given = {"project": project, "ids": sorted(set(ids.values()))}
        cursor = transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("subjects.entities_now"), given)
        rows = await cursor.fetchall()
        entities = {str(found): str(entity) for found, entity, _ in rows}
        known = {reference: entities[id] for reference, id in ids.items() if id in entities}
        return Known(known, str(rows[0][2]) if rows else None)


async def _project_key(transaction: Connection, project: str) -> bytes | None:
    cursor = await transaction.execute(query("subjects.project_key"), {"project": project})
    row = await cursor.fetchone()
    if row is None:
        return None
    key = row[0]
    assert isinstance(key, bytes)
    return key


def _identifier_id(project: str, reference: str, project_key: bytes) -> str:
    try:
        identifier = Identifier.parse(reference)
    except ValueError:
        return reference
    return strong_identifier(project, identifier.scheme, identifier.value, project_key).id


async def names_of(
    transaction: Connection, project: str, entities: Iterable[str]
) -> dict[str, str]:
    """What these entities are called most."""
    cursor = await transaction.execute(
        query("subjects.names"), {"project": project, "entities": sorted(set(entities))}
    )
    return {str(entity): str(name) for entity, name in await cursor.fetchall()}
