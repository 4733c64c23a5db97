"""Vectors of the memories asked are read beside the requests, kept fresh, bounded, and let go."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from cortex_memory import vector_shelves
from cortex_memory.recall.held_vectors import HeldVectors
from cortex_memory.store.candidates import Search
from cortex_memory.store.db import Connection, Pool, connection, open_pool
from cortex_memory.store.vectors import Shelf, read_vectors
from cortex_memory.vector_shelves import LEAST_HELD, MOST_WRITTEN, VectorShelves
from numpy.typing import NDArray
from polling import NotYet, eventually
from recall.shelving import MEGABYTE, Vectors, assert_same, embed, held, search
from structlog.testing import capture_logs

DIMENSIONS: Final = 8
BYTES: Final = LEAST_HELD * DIMENSIONS * 4
"""What the vectors of the least memory take that is held."""
QUERY: Final = [1.0, -2.0, 3.0, 1.0, 0.0, -1.0, 2.0, 1.0]
FUTURE: Final = "900000000000"
SOON: Final = 0.3


def some(count: int, seed: int = 7) -> NDArray[np.floating]:
    return np.random.default_rng(seed).standard_normal((count, DIMENSIONS))


def of(*subjects: str) -> Search:
    return search(*subjects, vector=QUERY)


@pytest.fixture
def vectors(pool: Pool) -> Vectors:
    return Vectors(pool)


@pytest.fixture
async def shelves(pool: Pool) -> AsyncIterator[VectorShelves]:
    opened = VectorShelves(pool, MEGABYTE)
    yield opened
    await opened.close()


async def memories(vectors: Vectors, *subjects: str, size: int = LEAST_HELD) -> None:
    for seed, subject in enumerate(subjects):
        await vectors.add("fact", subject, some(size, seed))


async def read_all(shelves: VectorShelves) -> None:
    """What is asked for by now is read when this is: one memory is read after the other."""
    await held(shelves, of("last"), "fact")


async def proposes(shelves: VectorShelves, asked: Search) -> bool:
    return await shelves.propose(asked, "fact") is not None


async def requests(pool: Pool) -> int:
    """How many connections have been asked for."""
    return pool.get_stats().get("requests_num", 0)


@asynccontextmanager
async def nobody_reads(database: str) -> AsyncIterator[None]:
    """Who reads vectors has to wait meanwhile."""
    async with open_pool(database, size=1) as pool, connection(pool) as transaction:
        await transaction.execute("LOCK TABLE fact_embedding IN ACCESS EXCLUSIVE MODE")
        yield


async def test_nobody_waits_for_the_vectors_to_be_read(
    database: str, vectors: Vectors, shelves: VectorShelves
) -> None:
    await memories(vectors, "alice")
    async with nobody_reads(database):
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON)
        assert not await proposes(shelves, of("alice"))
    proposals = await held(shelves, of("alice"), "fact")
    assert len(proposals.ids) == of("alice").proposals("fact")


async def test_all_memories_asked_are_held_or_nothing_is_proposed(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await memories(vectors, "alice", "bob", "last")
    await held(shelves, of("alice"), "fact")
    assert not await proposes(shelves, of("alice", "bob"))
    proposals = await held(shelves, of("alice", "bob"), "fact")
    assert set(proposals.subjects) == {"alice", "bob"}
    assert len(proposals.horizons) == 2


async def test_small_memories_are_left_to_the_store(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await memories(vectors, "small", size=LEAST_HELD - 1)
    await memories(vectors, "last")
    assert not await proposes(shelves, of("small"))
    await read_all(shelves)
    assert not await proposes(shelves, of("small"))


async def test_a_memory_of_more_than_half_of_all_is_left_to_the_store(
    pool: Pool, vectors: Vectors
) -> None:
    await memories(vectors, "large", size=LEAST_HELD + 1)
    await memories(vectors, "last")
    shelves = VectorShelves(pool, 2 * BYTES)
    assert not await proposes(shelves, of("large"))
    await read_all(shelves)
    assert not await proposes(shelves, of("large"))


async def test_what_was_not_asked_for_longest_is_let_go(pool: Pool, vectors: Vectors) -> None:
    await memories(vectors, "alice", "bob", "last")
    shelves = VectorShelves(pool, 2 * BYTES)
    await held(shelves, of("alice"), "fact")
    await held(shelves, of("bob"), "fact")
    assert await proposes(shelves, of("alice"))
    await read_all(shelves)
    assert await proposes(shelves, of("alice"))
    assert not await proposes(shelves, of("bob"))
    await shelves.close()


async def test_it_is_known_of_few_memories_only_whether_they_are_worth_holding(
    pool: Pool, vectors: Vectors, shelves: VectorShelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_shelves, "MOST_PLACES", 2)
    await memories(vectors, "last")
    for subject in ("nobody", "no one"):
        assert not await proposes(shelves, of(subject))
    await read_all(shelves)
    before = await requests(pool)
    assert not await proposes(shelves, of("no one"))
    assert await requests(pool) == before
    assert not await proposes(shelves, of("nobody"))
    await asyncio.sleep(SOON)
    assert await requests(pool) > before


async def test_what_was_written_and_deleted_is_noticed_after_a_while(
    vectors: Vectors, shelves: VectorShelves, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memories(vectors, "alice")
    before = await held(shelves, of("alice"), "fact")
    (nearest, *_) = await vectors.nearest("fact", "alice", QUERY)
    (new,) = await vectors.add("fact", "alice", np.array([QUERY]))
    for _ in range(3):
        assert await held(shelves, of("alice"), "fact") == before
        await asyncio.sleep(SOON / 3)
    monkeypatch.setattr(vector_shelves, "REFRESHED_SECONDS", 0)

    async def noticed() -> None:
        found = await held(shelves, of("alice"), "fact")
        if (new in found.ids, nearest in found.ids) != (True, is_there):
            raise NotYet(str(found.ids))

    is_there = True
    await eventually("taking in what was written", noticed)
    await vectors.remove("fact", [nearest])
    is_there = False
    await eventually("letting go what was deleted", noticed)
    after = await held(shelves, of("alice"), "fact")
    assert int(after.horizons[0]) > int(before.horizons[0])


@pytest.mark.parametrize("restored", [MOST_WRITTEN, MOST_WRITTEN - 1])
async def test_a_memory_that_seems_to_be_written_in_the_future_is_left_to_the_store(
    pool: Pool, vectors: Vectors, shelves: VectorShelves, restored: int
) -> None:
    """As after a dump was restored on a younger server; a few of them are measured every time."""
    await memories(vectors, "alice", "last")
    ids = await vectors.texts("fact", "alice", restored)
    async with connection(pool) as transaction:
        pairs = zip(ids, some(restored, seed=9), strict=True)
        await embed(transaction, "fact", "alice", pairs, written=FUTURE)
    assert not await proposes(shelves, of("alice"))
    await read_all(shelves)
    proposals = await shelves.propose(of("alice"), "fact")
    assert (proposals is None) == (restored == MOST_WRITTEN)
    if proposals is not None:
        async with connection(pool) as transaction:
            await assert_same(transaction, of("alice"), "fact", proposals)


async def test_while_the_store_is_down_nothing_is_held_and_later_all_again(
    database: str, vectors: Vectors, monkeypatch: pytest.MonkeyPatch
) -> None:
    await memories(vectors, "alice")
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

    await memories(vectors, "alice", "last")
    with capture_logs() as logs, monkeypatch.context() as faulty:
        faulty.setattr(vector_shelves, "read_vectors", failing)
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON)
    assert [log["event"] for log in logs] == ["vectors_failed"]
    await read_all(shelves)
    assert not await proposes(shelves, of("alice"))
    monkeypatch.setattr(vector_shelves, "UNHELD_SECONDS", 0)
    await held(shelves, of("alice"), "fact")


async def test_who_reads_vectors_leaves_connections_to_others(
    database: str, vectors: Vectors
) -> None:
    await memories(vectors, "alice")
    async with open_pool(database, size=2, patience=5) as narrow:
        shelves = VectorShelves(narrow, MEGABYTE)
        async with nobody_reads(database):
            assert not await proposes(shelves, of("alice", "bob", "carol", "dave"))
            await asyncio.sleep(SOON)
            async with asyncio.timeout(2), connection(narrow) as transaction:
                await transaction.execute("SELECT")
            await shelves.close()


async def test_nothing_is_held_where_no_room_is_given(pool: Pool, vectors: Vectors) -> None:
    await memories(vectors, "alice")
    before = await requests(pool)
    shelves = VectorShelves(pool, 0)
    for _ in range(3):
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON / 3)
    assert await requests(pool) == before


async def test_who_looks_for_some_of_a_memory_is_left_to_the_store(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await memories(vectors, "alice")
    await held(shelves, of("alice"), "fact")
    assert not await proposes(shelves, replace(of("alice"), about="alice"))
    assert not await proposes(shelves, replace(of("alice"), until=0))
    assert not await proposes(shelves, replace(of("alice"), meaning=None))
    assert await proposes(shelves, of("alice"))


async def test_what_is_cleared_is_held_no_more(
    database: str, vectors: Vectors, shelves: VectorShelves
) -> None:
    await memories(vectors, "alice", "last")
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

    await memories(vectors, "alice", size=LEAST_HELD + 1)
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
    await memories(vectors, "alice")
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
    await memories(vectors, "alice")
    shelves = VectorShelves(pool, MEGABYTE)
    async with nobody_reads(database):
        assert not await proposes(shelves, of("alice", "bob"))
        await asyncio.sleep(SOON)
        assert len(readers()) == 2
        await shelves.close()
        assert readers() == []


def readers() -> list[str]:
    return [repr(task) for task in asyncio.all_tasks() if "VectorShelves" in repr(task)]
