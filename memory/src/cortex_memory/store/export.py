"""The journal of one memory, read in pages of bounded size."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from psycopg.rows import class_row, tuple_row
from roxabi_contracts.base import JsonObject

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

SETS: Final = (
    *("project", "observation", "candidate", "predicate_verdict"),
    *("identity_link", "decision", "erasure"),
)
"""The project with its key, then the six sets of the journal."""

PAGE_RECORDS: Final = 500
PAGE_BYTES: Final = 1024 * 1024
"""What the records of a page hold together at most, unless one alone holds more."""


@dataclass(frozen=True, slots=True)
class Exported:
    """A record of the journal, and the key that it stands at in its set."""

    key: list[str]
    record: JsonObject


@dataclass(frozen=True, slots=True)
class _Row:
    key: list[str]
    row: dict[str, Any]


async def count_records(transaction: Connection, project: str, memory: str) -> int:
    """How many records the whole export of a memory has now."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("export.count"), {"project": project, "memory": memory})
    row = await cursor.fetchone()
    assert row is not None  # an aggregate always answers
    return int(row[0])


async def read_records(
    transaction: Connection, name: str, project: str, memory: str, after: Sequence[str] | None
) -> list[Exported]:
    """The next records of a set, in the order of their keys; none: it has ended."""
    bounds = {"records": PAGE_RECORDS, "bytes": PAGE_BYTES}
    place = {"project": project, "memory": memory, "after": after}
    cursor = transaction.cursor(row_factory=class_row(_Row))
    await cursor.execute(query(f"export.{name}"), bounds | place)
    return [Exported(row.key, _record(name, row.row)) for row in await cursor.fetchall()]


def _record(name: str, row: dict[str, Any]) -> JsonObject:
    if isinstance(content := row.get("content"), str):  # an observation's, as canonical JSON
        row["content"] = json.loads(content)
    return {"set": name, **row}
