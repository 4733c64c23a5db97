"""Reads the vectors of a memory, all at once or those written since."""

import asyncio
from collections.abc import Mapping
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


@dataclass(frozen=True, slots=True)
class Extent:
    """How many vectors there are, and a transaction: what it wrote may be unseen as yet."""

    count: int
    horizon: str


async def read_vectors(transaction: Connection, shelf: Shelf) -> HeldVectors:
    """All vectors."""
    return await _read(transaction, f"vectors.{shelf.kind}s", _where(shelf))


async def read_written(transaction: Connection, shelf: Shelf, since: str, most: int) -> HeldVectors:
    """At most so many of the vectors that were written from a transaction on."""
    asked = {**_where(shelf), "since": since, "most": most}
    return await _read(transaction, f"vectors.written_{shelf.kind}s", asked)


async def extent_of(transaction: Connection, shelf: Shelf) -> Extent:
    """How many vectors there are to be read."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query(f"vectors.extent_of_{shelf.kind}s"), _where(shelf))
    row = await cursor.fetchone()
    assert row is not None  # an aggregate has one
    count, horizon = row
    return Extent(int(count), str(horizon))


async def _read(transaction: Connection, name: str, asked: Mapping[str, object]) -> HeldVectors:
    cursor = transaction.cursor(row_factory=tuple_row, binary=True)
    await cursor.execute(query(name), asked)
    row = await cursor.fetchone()
    assert row is not None  # an aggregate has one
    horizon, ids, sent = row
    if ids is None:
        return HeldVectors.of((), np.zeros((0, 0), np.float32), str(horizon))
    # Of a large memory this takes longer than a request may wait.
    return await asyncio.to_thread(
        lambda: HeldVectors.of(ids, _numbers(sent, len(ids)), str(horizon))
    )


def _where(shelf: Shelf) -> dict[str, object]:
    return {"project": shelf.project, "subject": shelf.subject, "model": shelf.model}


def _numbers(sent: bytes, count: int) -> NDArray[np.float32]:
    """The numbers of vectors as the server sends them, each with its header."""
    rows = np.frombuffer(sent, ">f2").reshape(count, -1)
    return rows[:, _HEADER:].astype(np.float32)
