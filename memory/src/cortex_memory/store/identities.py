"""Who is who: identifiers, the links between them, and the entities that follow."""

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
from cortex_memory.retain.turnover import Census, is_growth
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


@dataclass(frozen=True, slots=True)
class _Count:
    project: str
    id: str
    scheme: str
    value: str
    observations: int
    memories: int


@dataclass(frozen=True, slots=True)
class _LinkCount:
    project: str
    id: str
    first: str
    second: str
    rule: str
    rule_version: int
    observations: int


@dataclass(frozen=True, slots=True)
class _MentionCount:
    project: str
    identifier: str
    kind: str
    name: str
    observations: int


class IdentityRegister:
    """The identifiers, links and names of one transaction's observations.

    Args:
        transaction: It shares the projects' lock, or owns it.
        censuses: What changes, by project.
        owned: Whether the transaction owns the projects' lock.
    """

    def __init__(
        self, transaction: Connection, censuses: Mapping[str, Census], *, owned: bool
    ) -> None:
        self._transaction = transaction
        self._owned = owned
        self._is_growth = all(is_growth(census) for census in censuses.values())
        self._identifiers = _identifier_counts(censuses)
        self._links = _link_counts(censuses)
        self._mentions = _mention_counts(censuses)

    async def settle(self) -> list[Moved]:
        """Make known who is new; tell which identifiers are of another entity now.

        Raises:
            IdentityChanges: others may rely on who was who, and the projects are not owned.
        """
        added = await self._add()
        ends = await self._new_links()
        if not self._owned:
            if not self._is_growth or not ends <= added or await self._new_owners(added):
                raise IdentityChanges
            await self._count_links([link for link in self._links if _ends(link) <= added])
            return await self._settle_entities(added)
        touched = {(count.project, count.id) for count in self._identifiers}
        touched |= {end for link in self._links for end in _ends(link)}
        await self.count()
        return await self._settle_entities(touched)

    async def count(self) -> None:
        """Count who is named, how and with whom; last in a transaction: others wait for it."""
        if self._identifiers:
            columns = columns_of(self._identifiers)
            await self._transaction.execute(query("identities.count"), columns)
            if not self._is_growth:
                await self._transaction.execute(query("identities.remove_unnamed"), columns)
        await self._count_links(self._links)
        if self._mentions:
            columns = columns_of(self._mentions)
            await self._transaction.execute(query("identities.count_mentions"), columns)
            if any(mention.observations < 0 for mention in self._mentions):
                await self._transaction.execute(query("identities.remove_unused_mentions"), columns)
        self._identifiers, self._links, self._mentions = [], [], []

    async def _add(self) -> set[Key]:
        if not self._identifiers:
            return set()
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.add"), columns_of(self._identifiers))
        return set(await cursor.fetchall())

    async def _new_links(self) -> set[Key]:
        """The ends of links that nobody has stated so far."""
        if not self._links:
            return set()
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.unknown_links"), columns_of(self._links))
        unknown = set(await cursor.fetchall())
        new = [link for link in self._links if (link.project, link.id) in unknown]
        return {end for link in new for end in _ends(link)}

    async def _new_owners(self, added: Collection[Key]) -> bool:
        """Whether an identifier of before comes to own a memory."""
        owning = [
            (count.project, count.id)
            for count in self._identifiers
            if count.memories > 0 and (count.project, count.id) not in added
        ]
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.without_memory"), _keys(owning))
        return bool(await cursor.fetchall())

    async def _count_links(self, links: list[_LinkCount]) -> None:
        if not links:
            return
        columns = columns_of(links)
        await self._transaction.execute(query("identities.count_links"), columns)
        if not self._is_growth:
            await self._transaction.execute(query("identities.remove_unstated_links"), columns)
        self._links = [link for link in self._links if link not in links]

    async def _settle_entities(self, touched: Collection[Key]) -> list[Moved]:
        """Find the components of what was touched anew, and store who is of another entity."""
        cursor = self._transaction.cursor(row_factory=class_row(_Known))
        await cursor.execute(query("identities.reachable"), _keys(sorted(touched)))
        known = await cursor.fetchall()
        links = await _links_of(self._transaction, known)
        moved: list[Moved] = []
        for project, rows in _by_project(known).items():
            owners = {row.id for row in rows if row.memories > 0} | self._owners(project)
            identifiers = [Identifier(row.id, row.scheme, row.value) for row in rows]
            entities = entities_of(identifiers, links.get(project, ()), owners)
            moved += [
                Moved(project, row.id, row.entity, entity)
                for row in rows
                if (entity := entities.entity_of(row.id)) != row.entity
            ]
        if moved:
            await self._transaction.execute(query("identities.set_entity"), columns_of(moved))
        return moved

    def _owners(self, project: str) -> set[IdentifierId]:
        """Who comes to own a memory and is not counted yet."""
        return {
            IdentifierId(count.id)
            for count in self._identifiers
            if count.project == project and count.memories > 0
        }


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
    await cursor.execute(query("identities.entities_of"), _keys(sorted(set(identifiers))))
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


async def _links_of(
    transaction: Connection, known: Collection[_Known]
) -> Mapping[str, list[IdentityLink]]:
    keys = _keys([(row.project, row.id) for row in known])
    cursor = transaction.cursor(row_factory=class_row(LinkRow))
    await cursor.execute(query("identities.links_of"), keys)
    links: defaultdict[str, list[IdentityLink]] = defaultdict(list)
    for row in await cursor.fetchall():
        links[row.project].append(row.link())
    return links


def _identifier_counts(censuses: Mapping[str, Census]) -> list[_Count]:
    """Who is named more or less than before, sorted: all transactions lock in this order."""
    return [
        _Count(
            project=project,
            id=identity,
            scheme=identifier.scheme,
            value=identifier.value,
            observations=census.observations[identity],
            memories=census.memories[identity],
        )
        for project, census in sorted(censuses.items())
        for identity, identifier in sorted(census.identifiers.items())
        if census.observations[identity] or census.memories[identity]
    ]


def _link_counts(censuses: Mapping[str, Census]) -> list[_LinkCount]:
    return [
        _LinkCount(
            project=project,
            id=link.id,
            first=link.first,
            second=link.second,
            rule=link.rule,
            rule_version=link.rule_version,
            observations=count,
        )
        for project, census in sorted(censuses.items())
        for link, count in sorted(census.links.items(), key=lambda item: item[0].id)
        if count
    ]


def _mention_counts(censuses: Mapping[str, Census]) -> list[_MentionCount]:
    rows = [
        _MentionCount(project, naming.identifier, naming.kind, naming.name, count)
        for project, census in censuses.items()
        for naming, count in census.namings.items()
        if count
    ]
    return sorted(rows, key=lambda row: (row.project, row.identifier, row.kind, row.name))


def _ends(link: _LinkCount) -> set[Key]:
    return {(link.project, link.first), (link.project, link.second)}


def _by_project(known: Iterable[_Known]) -> Mapping[str, list[_Known]]:
    grouped: defaultdict[str, list[_Known]] = defaultdict(list)
    for row in known:
        grouped[row.project].append(row)
    return grouped


def _keys(keys: Collection[Key]) -> dict[str, list[str]]:
    return {"project": [project for project, _ in keys], "id": [identity for _, identity in keys]}
