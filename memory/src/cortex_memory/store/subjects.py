"""Who is meant: from an identifier, or an entity's id, to the entity as it is known now."""

from collections.abc import Iterable, Sequence

from roxabi_contracts.actor import Identifier

from cortex_memory.retain.resolve_actors import strong_identifier
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


async def entities_of(
    transaction: Connection, project: str, references: Sequence[str]
) -> dict[str, str]:
    """The entity of each reference that is known in the project; the others are left out."""
    cursor = await transaction.execute(query("subjects.project_key"), {"project": project})
    row = await cursor.fetchone()
    if row is None:
        return {}
    key = row[0]
    assert isinstance(key, bytes)
    ids = {reference: _identifier_id(project, reference, key) for reference in references}
    cursor = await transaction.execute(
        query("subjects.entities"), {"project": project, "ids": sorted(set(ids.values()))}
    )
    entities = {str(found): str(entity) for found, entity in await cursor.fetchall()}
    return {reference: entities[found] for reference, found in ids.items() if found in entities}


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
