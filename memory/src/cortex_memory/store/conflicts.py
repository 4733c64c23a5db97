"""Lists conflicts with the facts that contradict each other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from psycopg.rows import class_row
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.decisions import ConflictRecord
from roxabi_contracts.operations import FactRecord

from cortex_memory.store import facts, subjects
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class _ConflictRow:
    id: str
    subject: str
    about: str
    predicate: str
    opened_at: int
    closed_at: int | None
    members: Sequence[str]

    def record(self, members: Mapping[str, FactRecord], name: str | None) -> ConflictRecord:
        closed_at = self.closed_at
        return ConflictRecord(
            id=self.id,
            subject=self.subject,
            about=self.about,
            about_name=name,
            predicate=self.predicate,
            opened_at=from_epoch_ms(self.opened_at),
            settled_at=None if closed_at is None else from_epoch_ms(closed_at),
            # A fact may have gone since the conflicts were read.
            members=tuple(members[member] for member in self.members if member in members),
        )


async def list_conflicts(
    transaction: Connection, project: str, subject: str | None, *, settled: bool, limit: int
) -> list[ConflictRecord]:
    """Conflicts of a project, or of one memory, the oldest first."""
    cursor = transaction.cursor(row_factory=class_row(_ConflictRow))
    await cursor.execute(
        query("conflicts.listing"),
        {"project": project, "subject": subject, "settled": settled, "limit": limit},
    )
    rows = await cursor.fetchall()
    wanted = {member for row in rows for member in row.members}
    members = {one.id: one for one in await facts.records(transaction, project, wanted)}
    names = await subjects.names_of(transaction, project, {row.about for row in rows})
    return [row.record(members, names.get(row.about)) for row in rows]
