"""Vectors are read in a store that fails, and let go while they are being read."""

import asyncio

import pytest
from cortex_memory import vector_shelves
from cortex_memory.recall.held_vectors import HeldVectors
from cortex_memory.store.db import Connection, Pool, connection, open_pool
from cortex_memory.store.vectors import Shelf, read_vectors
from cortex_memory.vector_shelves import LEAST_HELD, VectorShelves
from recall.shelving import (
    MEGABYTE,
    QUERY,
    SOON,
    Vectors,
    held,
    nobody_reads,
    of,
    proposes,
    read_all,
)
from structlog.testing import capture_logs


async def test_while_the_store_is_down_nothing_is_held_and_later_all_again(
    database: str, vectors: Vectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    await vectors.memories("alice")
    async with open_pool(database, size=1, patience=SOON) as narrow:
        shelves = VectorShelves(narrow, MEGABYTE)
        with capture_logs() as logs:
            async with connection(narrow):
                assert not await proposes(shelves, of("alice"))
                await asyncio.sleep(4 * SOON)
            assert not await proposes(shelves, of("alice"))
        assert [log["event"] for log in logs] == ["vectors_not_read"]
        monkeypatch.setattr(vector_shelves, "UNHELD_SECONDS", 0)
        await held(shelves, of("alice"), "fact")
        await shelves.close()


async def test_a_fault_while_reading_is_told_and_read_again_later(
    pool: Pool, vectors: Vectors, shelves: VectorShelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def failing(transaction: Connection, shelf: Shelf) -> HeldVectors:
        raise RuntimeError("a fault")

    await vectors.memories("alice", "last")
    with capture_logs() as logs, monkeypatch.context() as faulty:
        faulty.setattr(vector_shelves, "read_vectors", failing)
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON)
    assert [log["event"] for log in logs] == ["vectors_failed"]
    await read_all(shelves)
    assert not await proposes(shelves, of("alice"))
    monkeypatch.setattr(vector_shelves, "UNHELD_SECONDS", 0)
    await held(shelves, of("alice"), "fact")


async def test_what_is_cleared_is_held_no_more(
    database: str, vectors: Vectors, shelves: VectorShelves
) -> None:
    await vectors.memories("alice", "last")
    await held(shelves, of("alice"), "fact")
    shelves.clear()
    assert not await proposes(shelves, of("alice"))
    async with nobody_reads(database):
        await asyncio.sleep(SOON)
        shelves.clear()
    await read_all(shelves)
    assert not await proposes(shelves, of("alice"))


async def test_a_reader_that_does_not_hear_of_it_does_not_put_back_what_is_cleared(
    vectors: Vectors, shelves: VectorShelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A wait that was over already may swallow that its task is cancelled."""
    reads, read_on = asyncio.Event(), asyncio.Event()

    async def deaf(transaction: Connection, shelf: Shelf) -> HeldVectors:
        found = await read_vectors(transaction, shelf)
        reads.set()
        try:
            await read_on.wait()
        except asyncio.CancelledError:
            await asyncio.sleep(SOON)
        return found

    await vectors.memories("alice", size=LEAST_HELD + 1)
    monkeypatch.setattr(vector_shelves, "read_vectors", deaf)
    with capture_logs() as logs:
        assert not await proposes(shelves, of("alice"))
        await reads.wait()
        shelves.clear()
        await vectors.remove("fact", (await vectors.nearest("fact", "alice", QUERY))[:1])
        assert not await proposes(shelves, of("alice"))  # begins anew, and would end later
        await asyncio.sleep(2 * SOON)
        assert not await proposes(shelves, of("alice"))
        read_on.set()
        await held(shelves, of("alice"), "fact")
    assert logs == []


async def test_it_is_cleared_at_any_moment(vectors: Vectors, shelves: VectorShelves) -> None:
    await vectors.memories("alice")
    for moment in range(40):
        await shelves.propose(of("alice"), "fact")
        await asyncio.sleep(moment / 2000)
        shelves.clear()
        await asyncio.sleep(0.02)
        assert not await proposes(shelves, of("alice"))
        shelves.clear()
    await held(shelves, of("alice"), "fact")


async def test_nobody_reads_on_when_it_is_closed(
    database: str, pool: Pool, vectors: Vectors
) -> None:
    await vectors.memories("alice")
    shelves = VectorShelves(pool, MEGABYTE)
    async with nobody_reads(database):
        assert not await proposes(shelves, of("alice", "bob"))
        await asyncio.sleep(SOON)
        assert len(readers()) == 2
        await shelves.close()
        assert readers() == []


def readers() -> list[str]:
    return [repr(task) for task in asyncio.all_tasks() if "VectorShelves" in repr(task)]
