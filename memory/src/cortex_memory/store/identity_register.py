"""Counts who is named, linked and called how by the observations that count."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from psycopg.rows import tuple_row

from cortex_memory.retain.link_identities import DECLARED_RULE
from cortex_memory.retain.turnover import Census, is_growth
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.identities import IdentityChanges, Key, Moved, key_columns, settle_entities
from cortex_memory.store.queries import query


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

    @property
    def joins(self) -> bool:
        """Whether it makes anybody one by itself."""
        return self.rule != DECLARED_RULE


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
        added, are_awaited = await self._add()
        ends = await self._new_links()
        if not self._owned:
            others = are_awaited or not ends <= added or await self._new_owners(added)
            if others or not self._is_growth:
                raise IdentityChanges
            await self._count_links([link for link in self._links if _ends(link) <= added])
            return await settle_entities(self._transaction, added, self._owners())
        touched = {(count.project, count.id) for count in self._identifiers}
        touched |= {end for link in self._links for end in _ends(link)}
        await self.count()
        return await settle_entities(self._transaction, touched, self._owners())

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

    async def _add(self) -> tuple[set[Key], bool]:
        """Who was not known, and whether some link has waited for one of them."""
        if not self._identifiers:
            return set(), False
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.add"), columns_of(self._identifiers))
        rows = await cursor.fetchall()
        added: set[Key] = {(project, identity) for project, identity, _ in rows}
        return added, any(is_awaited for _, _, is_awaited in rows)

    async def _new_links(self) -> set[Key]:
        """The ends of links that join and that nobody has stated so far."""
        if not self._links:
            return set()
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.unknown_links"), columns_of(self._links))
        unknown = set(await cursor.fetchall())
        new = [link for link in self._links if (link.project, link.id) in unknown and link.joins]
        return {end for link in new for end in _ends(link)}

    async def _new_owners(self, added: Collection[Key]) -> bool:
        """Whether an identifier of before comes to own a memory."""
        owning = [
            (count.project, count.id)
            for count in self._identifiers
            if count.memories > 0 and (count.project, count.id) not in added
        ]
        cursor = self._transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("identities.without_memory"), key_columns(owning))
        return bool(await cursor.fetchall())

    async def _count_links(self, links: list[_LinkCount]) -> None:
        if not links:
            return
        columns = columns_of(links)
        await self._transaction.execute(query("identities.count_links"), columns)
        if not self._is_growth:
            await self._transaction.execute(query("identities.remove_unstated_links"), columns)
        self._links = [link for link in self._links if link not in links]

    def _owners(self) -> set[Key]:
        """Who comes to own a memory and is not counted yet."""
        return {(count.project, count.id) for count in self._identifiers if count.memories > 0}


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
