"""Vectors from before it was noted who wrote them stay where they are, and are held like others."""

import numpy as np
import psycopg
import pytest
from cortex_memory import vector_shelves
from cortex_memory.recall.candidate import Kind
from cortex_memory.store.db import Pool, connection, open_pool
from cortex_memory.store.migrate import bundled_migrations, migrate
from cortex_memory.vector_shelves import VectorShelves
from psycopg import sql
from recall.shelving import (
    DIMENSIONS,
    KINDS,
    MEGABYTE,
    QUERY,
    Vectors,
    assert_same,
    held,
    search,
)

ALICE = "alice"
SIZE = 300
UNNOTED = 10
"""The last step that does not note who wrote a vector."""

kinds = pytest.mark.parametrize("kind", KINDS)


def files(url: str) -> list[tuple[str, int]]:
    """In which file each table of vectors is, and each of its indexes that was there before."""
    with psycopg.connect(url) as opened:
        rows = opened.execute(
            "SELECT relname, relfilenode FROM pg_class WHERE relname ~ '^(fact|episode)_embedding'"
            " AND relname !~ '_by_writer$' ORDER BY 1"
        ).fetchall()
    return [(str(name), int(file)) for name, file in rows]


async def fill(pool: Pool, kind: Kind) -> None:
    """Vectors as they were written then, in all directions."""
    ids = await Vectors(pool).texts(kind, ALICE, SIZE)
    statement = sql.SQL(
        "INSERT INTO {} (project, subject, model, id, vector)"
        " SELECT 'personal', %s, 1, id, ARRAY(SELECT sin(number * place)::real"
        " FROM generate_series(1, %s) AS place)::halfvec"
        " FROM unnest(%s::text[]) WITH ORDINALITY AS given (id, number)"
    )
    async with connection(pool) as transaction:
        table = sql.Identifier(f"{kind}_embedding")
        await transaction.execute(statement.format(table), (ALICE, DIMENSIONS, ids))


@kinds
async def test_no_vector_is_written_again(empty_database: str, kind: Kind) -> None:
    await migrate(empty_database, bundled_migrations()[:UNNOTED])
    async with open_pool(empty_database, size=2) as pool:
        await fill(pool, kind)
        before = files(empty_database)
        await migrate(empty_database)
        assert files(empty_database) == before
        async with connection(pool) as transaction:
            statement = sql.SQL("SELECT count(*), count(written) FROM {}")
            table = sql.Identifier(f"{kind}_embedding")
            cursor = await transaction.execute(statement.format(table))
            assert await cursor.fetchone() == (SIZE, 0)


@kinds
@pytest.mark.parametrize("fused", [True, False], ids=["fusion", "weighted sum"])
async def test_they_are_held_with_those_written_later(
    empty_database: str, kind: Kind, fused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vector_shelves, "LEAST_HELD", SIZE)
    await migrate(empty_database, bundled_migrations()[:UNNOTED])
    async with open_pool(empty_database, size=4) as pool:
        await fill(pool, kind)
    await migrate(empty_database)
    asked = search(ALICE, vector=QUERY, fused=fused)
    async with open_pool(empty_database, size=4) as pool:
        shelves, vectors = VectorShelves(pool, MEGABYTE), Vectors(pool)
        proposals = await held(shelves, asked, kind)
        nearest = await vectors.nearest(kind, ALICE, QUERY)
        wanted = asked.proposals(kind)
        assert set(proposals.ids) >= set(nearest[:wanted])
        farthest = [(id, -np.array(QUERY)) for id in nearest[:5]]
        await vectors.change(kind, ALICE, farthest)
        async with connection(pool) as transaction:
            await assert_same(transaction, asked, kind, proposals)
        await shelves.close()
