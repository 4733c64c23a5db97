"""With proposals the store measures few vectors: those proposed, and those written since."""

import re
from collections.abc import AsyncIterator
from typing import Final

import numpy as np
import pytest
from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.search import SPARE, Proposals, Search
from cortex_memory.store.candidates import find_episodes, find_facts
from cortex_memory.store.db import SEARCHING, Connection, Pool, connection, open_pool
from cortex_memory.vector_shelves import VectorShelves
from recall.plans import plan_for_any
from recall.shelving import MEGABYTE, Vectors, embed, held, search
from recall.synthetic import DIMENSIONS, Person, fill

SIZE: Final = 1500
PEOPLE: Final = [Person("alice@acme.com"), Person("bob@acme.com")]
QUERY: Final = [1.0] * DIMENSIONS

memories = pytest.mark.parametrize("asked", [1, 2], ids=["one memory", "two memories"])
profiles = pytest.mark.parametrize("fused", [True, False], ids=["fusion", "weighted sum"])
kinds = pytest.mark.parametrize("kind", ["fact", "episode"])


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    """Of those who search: the plans are those for any request."""
    fill(database, PEOPLE, SIZE, SIZE)
    async with open_pool(database, size=4, patience=5, planning=SEARCHING) as opened:
        yield opened


def of(people: int, fused: bool) -> Search:
    subjects = [person.id for person in PEOPLE[:people]]
    return search(*subjects, vector=QUERY, fused=fused)


async def vectors_read(
    pool: Pool, asked: Search, kind: Kind, proposals: Proposals | None
) -> dict[str, int]:
    """How many entries of each index of the vectors a search reads."""
    find = find_facts if kind == "fact" else find_episodes
    async with connection(pool) as transaction:
        before = await _entries(transaction, kind)
        await find(transaction, asked, proposals)
        after = await _entries(transaction, kind)
    return {name: after[name] - before[name] for name in after}


async def _entries(transaction: Connection, kind: Kind) -> dict[str, int]:
    cursor = await transaction.execute(
        "SELECT relname, pg_stat_get_xact_tuples_returned(oid) FROM pg_class WHERE relname LIKE %s",
        (f"{kind}_embedding%",),
    )
    return {
        str(name).removeprefix(kind): int(str(count)) for name, count in await cursor.fetchall()
    }


@memories
@profiles
@kinds
async def test_only_what_is_proposed_is_measured(
    pool: Pool, kind: Kind, fused: bool, asked: int
) -> None:
    wanted = of(asked, fused)
    shelves = VectorShelves(pool, 20 * MEGABYTE)
    proposals = await held(shelves, wanted, kind)
    read = await vectors_read(pool, wanted, kind, proposals)
    assert 0 < read.pop("_embedding_key") < SIZE // 2
    assert set(read.values()) == {0}
    plain = await vectors_read(pool, wanted, kind, None)
    assert plain["_embedding_key"] >= asked * SIZE


@memories
@kinds
async def test_what_was_written_since_is_measured_too_and_what_is_gone_only_where_it_is_much(
    pool: Pool, kind: Kind, asked: int
) -> None:
    wanted = of(asked, fused=True)
    shelves, vectors = VectorShelves(pool, 20 * MEGABYTE), Vectors(pool)
    proposals = await held(shelves, wanted, kind)
    alice = PEOPLE[0].id
    ids = await vectors.texts(kind, alice, 7)
    async with connection(pool) as transaction:
        await embed(transaction, kind, alice, [(id, np.array(QUERY)) for id in ids])
    nearest = (await vectors.nearest(kind, alice, QUERY))[7:]
    await vectors.remove(kind, nearest[:SPARE])
    read = await vectors_read(pool, wanted, kind, proposals)
    assert read["_embedding_by_writer"] == 7
    assert read["_embedding_key"] < SIZE
    await vectors.remove(kind, nearest[SPARE : SPARE + 1])
    read = await vectors_read(pool, wanted, kind, proposals)
    assert read["_embedding_key"] > asked * (SIZE - 2 * SPARE)


@kinds
@profiles
async def test_what_was_written_since_is_looked_up_by_its_writer(
    pool: Pool, kind: Kind, fused: bool
) -> None:
    shown = await plan_for_any(pool, f"{'fusion' if fused else 'candidates'}.{kind}s")
    assert re.search(
        rf"Index Scan using {kind}_embedding_by_writer .*\n *Index Cond: .*"
        r"subject = memory\w*\.subject.* AND \(written >= ",
        shown,
    )


@kinds
async def test_vectors_are_read_anew_by_their_writer(pool: Pool, kind: Kind) -> None:
    shown = await plan_for_any(pool, f"vectors.written_{kind}s")
    assert f"Index Scan using {kind}_embedding_by_writer" in shown
    assert re.search(r"Index Cond: .* AND \(written >= ", shown)
