"""Who is who: the entities of identifiers, and the links from which they follow."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from psycopg.rows import class_row, tuple_row

from cortex_memory.model import (
    EntityId,
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.assertions import EntityOf
from cortex_memory.retain.entities import entities_of
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

Key: TypeAlias = tuple[str, str]
"""A project, and an id in it."""


class IdentityChanges(Exception):
    """What is new concerns identifiers that others rely on: the projects have to be owned."""


@dataclass(frozen=True, slots=True)
class Moved:
    """An identifier that is of another entity than before."""

    project: str
    id: IdentifierId
    before: EntityId
    entity: EntityId


async def settle_entities(
    transaction: Connection, touched: Collection[Key], new_owners: Collection[Key] = ()
) -> list[Moved]:
    """Find the components of what was touched anew, and store who is of another entity.

    `new_owners` come to own a memory, and are not counted yet.
    """
    cursor = transaction.cursor(row_factory=class_row(_Known))
    await cursor.execute(query("identities.reachable"), key_columns(sorted(touched)))
    known = await cursor.fetchall()
    links = await links_from(transaction, [(row.project, row.id) for row in known])
    moved: list[Moved] = []
    for project, rows in _by_project(known).items():
        owners = {row.id for row in rows if row.memories or (project, row.id) in new_owners}
        identifiers = [Identifier(row.id, row.scheme, row.value) for row in rows]
        entities = entities_of(identifiers, links.get(project, ()), owners)
        moved += [
            Moved(project, row.id, row.entity, entity)
            for row in rows
            if (entity := entities.entity_of(row.id)) != row.entity
        ]
    if moved:
        await transaction.execute(query("identities.set_entity"), columns_of(moved))
    return moved


class EntityLookup:
    """The entities of identifiers; one that no observation names is an entity of its own."""

    def __init__(self, known: Mapping[Key, EntityId]) -> None:
        self._known = known

    def within(self, project: str) -> EntityOf:
        """The lookup of one project's identifiers."""
        known = self._known
        return lambda identifier: known.get((project, identifier), EntityId(identifier))


async def entities_by_identifier(
    transaction: Connection, identifiers: Iterable[Key]
) -> EntityLookup:
    """The entities of these identifiers of projects."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("identities.entities_of"), key_columns(sorted(set(identifiers))))
    rows = await cursor.fetchall()
    return EntityLookup({(project, identity): entity for project, identity, entity in rows})


@dataclass(frozen=True, slots=True)
class _Known:
    project: str
    id: IdentifierId
    scheme: str
    value: str
    entity: EntityId
    memories: int


@dataclass(frozen=True, slots=True)
class LinkRow:
    """A link between two identifiers, as it is stored."""

    project: str
    id: str
    first: str
    second: str
    relation: str
    status: str
    rule: str
    rule_version: int
    evidence: str | None
    at: int

    def link(self) -> IdentityLink:
        """The link that the row stands for."""
        return IdentityLink(
            id=JournalId(self.id),
            at=self.at,
            project=ProjectId(self.project),
            first=IdentifierId(self.first),
            second=IdentifierId(self.second),
            relation=LinkRelation(self.relation),
            status=LinkStatus(self.status),
            rule=self.rule,
            rule_version=self.rule_version,
            evidence=self.evidence,
        )


async def links_from(
    transaction: Connection, identifiers: Collection[Key]
) -> Mapping[str, list[IdentityLink]]:
    """The links whose first identifier is one of these, by project."""
    cursor = transaction.cursor(row_factory=class_row(LinkRow))
    await cursor.execute(query("identities.links_of"), key_columns(identifiers))
    links: defaultdict[str, list[IdentityLink]] = defaultdict(list)
    for row in await cursor.fetchall():
        links[row.project].append(row.link())
    return links


def key_columns(keys: Collection[Key]) -> dict[str, list[str]]:
    """Ids of projects as the columns that queries expect."""
    return {"project": [project for project, _ in keys], "id": [identity for _, identity in keys]}


def _by_project(known: Iterable[_Known]) -> Mapping[str, list[_Known]]:
    grouped: defaultdict[str, list[_Known]] = defaultdict(list)
    for row in known:
        grouped[row.project].append(row)
    return grouped
