"""What is known of entities, for persons who look at them, and what persons say of them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from psycopg.rows import class_row, tuple_row

from cortex_memory.model import EntityId, Identifier, IdentifierId, IdentityLink
from cortex_memory.retain.name_attendees import Attendance
from cortex_memory.retain.propose_links import KnownKey
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.identities import Key, LinkRow
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class KeyRow:
    """An identifier, and what it is called, the most used first."""

    id: IdentifierId
    scheme: str
    value: str
    entity: EntityId
    observations: int
    memories: int
    kinds: list[str] | None
    names: list[str] | None

    def known(self) -> KnownKey:
        """The same, as candidates are looked for."""
        return KnownKey(
            identifier=Identifier(self.id, self.scheme, self.value),
            entity=self.entity,
            names=frozenset(self.names or ()),
            kinds=frozenset(self.kinds or ()),
        )


async def add_links(transaction: Connection, links: Sequence[IdentityLink]) -> tuple[int, set[Key]]:
    """Append to the journal what it does not hold; how many, and whom they speak of.

    The projects are owned.
    """
    rows = [
        LinkRow(
            project=link.project,
            id=link.id,
            first=link.first,
            second=link.second,
            relation=link.relation.value,
            status=link.status.value,
            rule=link.rule,
            rule_version=link.rule_version,
            evidence=link.evidence,
            at=link.at,
        )
        for link in links
    ]
    if not rows:
        return 0, set()
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("entities.add_links"), columns_of(rows))
    added = await cursor.fetchall()
    return len(added), {(project, end) for project, *ends in added for end in ends}


async def links_of(
    transaction: Connection, project: str, identifiers: Collection[str] | None = None
) -> list[IdentityLink]:
    """Every link of a project, or all that touch one of these identifiers."""
    cursor = transaction.cursor(row_factory=class_row(LinkRow))
    ids = None if identifiers is None else sorted(identifiers)
    await cursor.execute(query("entities.links_of_project"), {"project": project, "ids": ids})
    return [row.link() for row in await cursor.fetchall()]


async def links_of_rule(
    transaction: Connection, project: str, rule: str, version: int | None
) -> list[IdentityLink]:
    """All that was ever said of the pairs of which the rule says something."""
    cursor = transaction.cursor(row_factory=tuple_row)
    wanted = {"project": project, "rule": rule, "rule_version": version}
    await cursor.execute(query("entities.ends_of_rule"), wanted)
    ends = {end for pair in await cursor.fetchall() for end in pair}
    return await links_of(transaction, project, ends)


async def keys_of(
    transaction: Connection, project: str, entities: Collection[str] | None, limit: int
) -> list[KeyRow]:
    """The identifiers of some entities, or of all, those named most first."""
    cursor = transaction.cursor(row_factory=class_row(KeyRow))
    wanted = {
        "project": project,
        "entities": None if entities is None else sorted(entities),
        "limit": limit,
    }
    await cursor.execute(query("entities.keys"), wanted)
    return await cursor.fetchall()


async def attendances(transaction: Connection, project: str) -> list[Attendance]:
    """Who takes part in which traces, of those that have a key."""
    cursor = transaction.cursor(row_factory=class_row(Attendance))
    await cursor.execute(query("entities.attendances"), {"project": project})
    return await cursor.fetchall()


async def find_entities(transaction: Connection, project: str, text: str, limit: int) -> list[str]:
    """The entities one of whose keys or names holds the text, those named most first."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("entities.find"), {"project": project, "text": text, "limit": limit})
    return [entity for (entity,) in await cursor.fetchall()]


async def ids_beginning(transaction: Connection, project: str, beginning: str) -> list[str]:
    """The ids of identifiers that begin so; two at most."""
    cursor = transaction.cursor(row_factory=tuple_row)
    wanted = {"project": project, "beginning": beginning}
    await cursor.execute(query("entities.beginning_with"), wanted)
    return [identity for (identity,) in await cursor.fetchall()]
