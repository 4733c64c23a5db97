"""Vectors of the memories asked are read beside the requests, kept fresh, bounded, and let go."""

import asyncio
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from cortex_memory import vector_shelves
from cortex_memory.store.db import Pool, connection, open_pool
from cortex_memory.vector_shelves import LEAST_HELD, MOST_WRITTEN, VectorShelves
from polling import NotYet, eventually
from recall.shelving import (
    DIMENSIONS,
    MEGABYTE,
    QUERY,
    SOON,
    Vectors,
    assert_same,
    embed,
    held,
    nobody_reads,
    of,
    proposes,
    read_all,
)

BYTES: Final = LEAST_HELD * DIMENSIONS * 4
"""What the vectors of the least memory take that is held."""
FUTURE: Final = "900000000000"


async def requests(pool: Pool) -> int:
    """How many connections have been asked for."""
    return pool.get_stats().get("requests_num", 0)


async def test_nobody_waits_for_the_vectors_to_be_read(
    database: str, vectors: Vectors, shelves: VectorShelves
) -> None:
    await vectors.memories("alice")
    async with nobody_reads(database):
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON)
        assert not await proposes(shelves, of("alice"))
    proposals = await held(shelves, of("alice"), "fact")
    assert len(proposals.ids) == of("alice").proposals("fact")


async def test_all_memories_asked_are_held_or_nothing_is_proposed(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await vectors.memories("alice", "bob", "last")
    await held(shelves, of("alice"), "fact")
    assert not await proposes(shelves, of("alice", "bob"))
    proposals = await held(shelves, of("alice", "bob"), "fact")
    assert set(proposals.subjects) == {"alice", "bob"}
    assert len(proposals.horizons) == 2


async def test_small_memories_are_left_to_the_store(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await vectors.memories("small", size=LEAST_HELD - 1)
    await vectors.memories("last")
    assert not await proposes(shelves, of("small"))
    await read_all(shelves)
    assert not await proposes(shelves, of("small"))


async def test_a_memory_of_more_than_half_of_all_is_left_to_the_store(
    pool: Pool, vectors: Vectors
) -> None:
    await vectors.memories("large", size=LEAST_HELD * 8 // 5)
    await vectors.memories("last")
    shelves = VectorShelves(pool, 3 * BYTES)
    assert not await proposes(shelves, of("large"))
    await read_all(shelves)
    assert not await proposes(shelves, of("large"))


async def test_what_was_not_asked_for_longest_is_let_go(pool: Pool, vectors: Vectors) -> None:
    await vectors.memories("alice", "bob", "last")
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
    await vectors.memories("last")
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
    await vectors.memories("alice")
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
    await vectors.memories("alice", "last")
    ids = await vectors.texts("fact", "alice", restored)
    async with connection(pool) as transaction:
        pairs = zip(ids, np.ones((restored, DIMENSIONS)), strict=True)
        await embed(transaction, "fact", "alice", pairs, written=FUTURE)
    assert not await proposes(shelves, of("alice"))
    await read_all(shelves)
    proposals = await shelves.propose(of("alice"), "fact")
    assert (proposals is None) == (restored == MOST_WRITTEN)
    if proposals is not None:
        async with connection(pool) as transaction:
            await assert_same(transaction, of("alice"), "fact", proposals)


async def test_who_reads_vectors_leaves_connections_to_others(
    database: str, vectors: Vectors
) -> None:
    await vectors.memories("alice")
    async with open_pool(database, size=2, patience=5) as narrow:
        shelves = VectorShelves(narrow, MEGABYTE)
        async with nobody_reads(database):
            assert not await proposes(shelves, of("alice", "bob", "carol", "dave"))
            await asyncio.sleep(SOON)
            async with asyncio.timeout(2), connection(narrow) as transaction:
                await transaction.execute("SELECT")
            await shelves.close()


async def test_nothing_is_held_where_no_room_is_given(pool: Pool, vectors: Vectors) -> None:
    await vectors.memories("alice")
    before = await requests(pool)
    shelves = VectorShelves(pool, 0)
    for _ in range(3):
        assert not await proposes(shelves, of("alice"))
        await asyncio.sleep(SOON / 3)
    assert await requests(pool) == before


async def test_who_looks_for_some_of_a_memory_is_left_to_the_store(
    vectors: Vectors, shelves: VectorShelves
) -> None:
    await vectors.memories("alice")
    await held(shelves, of("alice"), "fact")
    assert not await proposes(shelves, replace(of("alice"), about="alice"))
    assert not await proposes(shelves, replace(of("alice"), until=0))
    assert not await proposes(shelves, replace(of("alice"), meaning=None))
    assert await proposes(shelves, of("alice"))
