"""Shows facts: those of one memory, or those of given ids."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from psycopg.rows import dict_row, tuple_row
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import FactRecord

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

_TIMES = ("valid_from", "valid_until", "last_confirmed")


async def list_facts(
    transaction: Connection, project: str, subject: str, *, statuses: Iterable[str], limit: int
) -> list[FactRecord]:
    """The facts of one memory that have one of these statuses, by predicate, then by time."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(
        query("facts.listing"),
        {"project": project, "subject": subject, "statuses": sorted(statuses), "limit": limit},
    )
    return await records(transaction, project, [found for (found,) in await cursor.fetchall()])


async def records(transaction: Connection, project: str, ids: Collection[str]) -> list[FactRecord]:
    """These facts, by predicate, then by time."""
    cursor = transaction.cursor(row_factory=dict_row)
    await cursor.execute(query("facts.records"), {"project": project, "ids": sorted(ids)})
    return [_record(row) for row in await cursor.fetchall()]


def _record(row: Mapping[str, Any]) -> FactRecord:
    times = {name: None if row[name] is None else from_epoch_ms(row[name]) for name in _TIMES}
    return FactRecord.model_validate(dict(row) | times)
