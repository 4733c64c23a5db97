"""Reads all that is derived of a project, for the dump."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.rows import class_row, tuple_row

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query
from cortex_memory.store.rows import ConflictRow, FactRow, MemberRow, SourceRow


@dataclass(frozen=True, slots=True)
class Everything:
    """The derived state of one project, in no order."""

    facts: Sequence[FactRow]
    sources: Sequence[SourceRow]
    conflicts: Sequence[ConflictRow]
    members: Sequence[MemberRow]
    identifiers: Sequence[tuple[str, str]]
    """Entity and identifier."""
    mentions: Sequence[tuple[str, str, str, int]]
    """Identifier, kind, name, and how many current observations call it so."""
    relations: Sequence[tuple[str, str, str, str, str]]
    """Subject, origin, kind, target, and the observation that states it."""
    episodes: Sequence[tuple[str, str]]
    """Subject and observation."""


async def load_everything(transaction: Connection, project: str) -> Everything:
    """All that is derived of a project."""
    of_project = {"project": project}
    facts = transaction.cursor(row_factory=class_row(FactRow))
    sources = transaction.cursor(row_factory=class_row(SourceRow))
    conflicts = transaction.cursor(row_factory=class_row(ConflictRow))
    members = transaction.cursor(row_factory=class_row(MemberRow))
    identifiers = transaction.cursor(row_factory=tuple_row)
    mentions = transaction.cursor(row_factory=tuple_row)
    relations = transaction.cursor(row_factory=tuple_row)
    episodes = transaction.cursor(row_factory=tuple_row)
    await facts.execute(query("dump.facts"), of_project)
    await sources.execute(query("dump.sources"), of_project)
    await conflicts.execute(query("dump.conflicts"), of_project)
    await members.execute(query("dump.members"), of_project)
    await identifiers.execute(query("dump.identifiers"), of_project)
    await mentions.execute(query("dump.mentions"), of_project)
    await relations.execute(query("dump.relations"), of_project)
    await episodes.execute(query("dump.episodes"), of_project)
    return Everything(
        facts=await facts.fetchall(),
        sources=await sources.fetchall(),
        conflicts=await conflicts.fetchall(),
        members=await members.fetchall(),
        identifiers=await identifiers.fetchall(),
        mentions=await mentions.fetchall(),
        relations=await relations.fetchall(),
        episodes=await episodes.fetchall(),
    )
