"""Lists the facts of one memory."""

from collections.abc import Mapping
from typing import Any

from psycopg.rows import dict_row
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import FactRecord

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

_TIMES = ("valid_from", "valid_until", "last_confirmed")


async def list_facts(
    transaction: Connection, project: str, subject: str, *, history: bool, limit: int
) -> list[FactRecord]:
    """The facts by predicate, then by time; without `history` only those that are active."""
    cursor = transaction.cursor(row_factory=dict_row)
    await cursor.execute(
        query("facts.listing"),
        {"project": project, "subject": subject, "history": history, "limit": limit},
    )
    return [_record(row) for row in await cursor.fetchall()]


def _record(row: Mapping[str, Any]) -> FactRecord:
    times = {name: None if row[name] is None else from_epoch_ms(row[name]) for name in _TIMES}
    return FactRecord.model_validate(dict(row) | times)
