"""Who is who: identifiers, the links between them, and the entities that follow."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

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
from cortex_memory.retain.resolve_actors import entities_of
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class Seen:
    """An identifier as an observation names it."""

    project: str
    id: IdentifierId
    scheme: str
    value: str
    owner: bool


@dataclass(frozen=True, slots=True)
class Known:
    """An identifier as it is stored, with the entity that it was found to be of."""

    project: str
    id: IdentifierId
    scheme: str
    value: str
    entity: EntityId
    owner: bool


@dataclass(frozen=True, slots=True)
class Moved:
    """An identifier that is of another entity than before."""

    project: str
    id: IdentifierId
    before: EntityId
    entity: EntityId


class IdentityChanges(Exception):
    """What is new concerns identifiers that others may be using: the project has to be owned."""


async def record_identities(
    transaction: Connection,
    seen: Collection[Seen],
    links: Collection[IdentityLink],
    *,
    owned: bool,
) -> list[Moved]:
    """Store identifiers and links; who is of another entity now.

    Args:
        transaction: It shares the projects' lock, or owns it.
        seen: Identifiers, each once, sorted.
        links: Links, each once, sorted.
        owned: Whether it owns the projects' lock.

    Raises:
        IdentityChanges: identifiers of before are concerned, and the projects are not owned.
    """
    incoming = columns_of(seen)
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("identities.add"), incoming)
    added = {(project, identity) for project, identity in await cursor.fetchall()}
    await cursor.execute(query("identities.new_owners"), incoming)
    owners = sorted(await cursor.fetchall())
    fresh = await _new_links(transaction, links)
    ends = {(link.project, end) for link in fresh for end in (link.first, link.second)}
    if not owned and (owners or not ends <= added):
        raise IdentityChanges
    if owners:
        await transaction.execute(query("identities.set_owner"), _keys(owners))
    await transaction.execute(query("identities.respell"), incoming)
    if fresh:
        await transaction.execute(query("identities.add_links"), _link_columns(fresh))
    return await _settle_entities(transaction, sorted({*added, *owners, *ends}))


async def _new_links(
    transaction: Connection, links: Collection[IdentityLink]
) -> list[IdentityLink]:
    if not links:
        return []
    cursor = transaction.cursor(row_factory=tuple_row)
    keys = [(link.project, link.id) for link in links]
    await cursor.execute(query("identities.new_links"), _keys(keys))
    unknown = set(await cursor.fetchall())
    return [link for link in links if (link.project, link.id) in unknown]


async def _settle_entities(
    transaction: Connection, touched: Collection[tuple[str, str]]
) -> list[Moved]:
    """Find the components of what was touched anew, and store who is of another entity now."""
    cursor = transaction.cursor(row_factory=class_row(Known))
    await cursor.execute(query("identities.reachable"), _keys(touched))
    known = await cursor.fetchall()
    links = await _links_of(transaction, known)
    moved: list[Moved] = []
    for project, identifiers in _by_project(known).items():
        entities = entities_of(
            [Identifier(row.id, row.scheme, row.value) for row in identifiers],
            [link for link in links if link.project == project],
            {row.id for row in identifiers if row.owner},
        )
        moved += [
            Moved(project, row.id, row.entity, entity)
            for row in identifiers
            if (entity := entities.entity_of(row.id)) != row.entity
        ]
    if moved:
        await transaction.execute(query("identities.set_entity"), columns_of(moved))
    return moved


async def _links_of(transaction: Connection, known: Collection[Known]) -> list[IdentityLink]:
    cursor = transaction.cursor(row_factory=class_row(_LinkRow))
    await cursor.execute(
        query("identities.links_of"), _keys([(row.project, row.id) for row in known])
    )
    return [row.link() for row in await cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class _LinkRow:
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


async def entities_by_identifier(
    transaction: Connection, identifiers: Iterable[tuple[str, IdentifierId]]
) -> Mapping[tuple[str, IdentifierId], EntityId]:
    """The entity of each of these identifiers of a project; one never seen is in none."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("identities.entities_of"), _keys(sorted(set(identifiers))))
    return {(project, identity): entity for project, identity, entity in await cursor.fetchall()}


def _link_columns(links: Collection[IdentityLink]) -> dict[str, list[object]]:
    columns = columns_of(links)
    columns["linked_at"] = columns.pop("at")
    return columns


def _by_project(known: Iterable[Known]) -> Mapping[str, list[Known]]:
    grouped: defaultdict[str, list[Known]] = defaultdict(list)
    for row in known:
        grouped[row.project].append(row)
    return grouped


def _keys(keys: Collection[tuple[str, str]]) -> dict[str, list[str]]:
    return {"project": [project for project, _ in keys], "id": [identity for _, identity in keys]}
