"""Reads the vectors of a memory, all at once or those written since."""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray
from psycopg.rows import tuple_row

from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.held_vectors import HeldVectors
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

_HEADER: Final = 2
"""Half numbers before those of each vector, as it is sent: its dimensions, and nothing."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Whose vectors of which kind, and by which model."""

    project: str
    subject: str
    model: int
    kind: Kind


async def read_vectors(
    transaction: Connection, shelf: Shelf, most: int, since: str | None = None
) -> HeldVectors:
    """At most so many vectors; only those written from a transaction on, if one is given."""
    cursor = transaction.cursor(row_factory=tuple_row, binary=True)
    asked = {**_where(shelf), "since": since, "most": most}
    await cursor.execute(query(f"vectors.{shelf.kind}s"), asked)
    row = await cursor.fetchone()
    assert row is not None  # an aggregate has one
    horizon, ids, sent = row
    if ids is None:
        return HeldVectors.of((), np.zeros((0, 0), np.float32), str(horizon))
    return HeldVectors.of(ids, _numbers(sent, len(ids)), str(horizon))


async def count_vectors(transaction: Connection, shelf: Shelf) -> int:
    """How many there are."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query(f"vectors.count_{shelf.kind}s"), _where(shelf))
    row = await cursor.fetchone()
    assert row is not None  # an aggregate has one
    return int(row[0])


def _where(shelf: Shelf) -> dict[str, object]:
    return {"project": shelf.project, "subject": shelf.subject, "model": shelf.model}


def _numbers(sent: bytes, count: int) -> NDArray[np.float32]:
    """The numbers of vectors as the server sends them, each with its header."""
    rows = np.frombuffer(sent, ">f2").reshape(count, -1)
    return rows[:, _HEADER:].astype(np.float32)
