"""The outbox of announcements: written with the change itself, emptied by the publisher."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.rows import class_row
from roxabi_contracts.changes import Change

from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class WaitingChange:
    """A change that the stream has not confirmed."""

    position: int
    project: str
    id: str
    message: bytes


class ChangeOutbox:
    """The publisher's side of the outbox."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def oldest(self, limit: int) -> list[WaitingChange]:
        """What has waited longest."""
        async with connection(self._pool) as transaction:
            cursor = transaction.cursor(row_factory=class_row(WaitingChange))
            await cursor.execute(query("changes.unpublished"), {"limit": limit})
            return await cursor.fetchall()

    async def forget(self, positions: Sequence[int]) -> None:
        """The stream has confirmed these."""
        async with connection(self._pool) as transaction:
            await transaction.execute(
                query("changes.forget_published"), {"positions": list(positions)}
            )


async def append_changes(transaction: Connection, changes: Sequence[Change]) -> None:
    """Have the changes announced once the transaction has committed."""
    if changes:
        columns = {
            "projects": [change.project for change in changes],
            "ids": [change.id for change in changes],
            "messages": [change.model_dump_json().encode() for change in changes],
        }
        await transaction.execute(query("changes.append"), columns)
