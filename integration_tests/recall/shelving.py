"""Two memories with vectors that tests change one by one, and what is proposed of them."""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from hashlib import sha256

import numpy as np
from cortex_memory.lexical.terms import query_terms
from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.search import Meaning, Proposals, Search
from cortex_memory.store.candidates import find_episodes, find_facts
from cortex_memory.store.db import Connection, Pool, connection, open_pool
from cortex_memory.vector_shelves import LEAST_HELD, VectorShelves
from numpy.typing import NDArray
from pgvector import HalfVector
from polling import NotYet, eventually
from recall.rows import PROJECT

DIMENSIONS = 8
QUERY = [1.0, -2.0, 3.0, 1.0, 0.0, -1.0, 2.0, 1.0]
MODEL = 1
KINDS: tuple[Kind, Kind] = ("fact", "episode")
MEGABYTE = 1 << 20
SOON = 0.3
"""Seconds in which whatever goes on beside a test has begun."""

_TABLE: dict[Kind, bytes] = {"fact": b"fact_embedding", "episode": b"episode_embedding"}


def search(
    *subjects: str, vector: Sequence[float], fused: bool = False, model: int = MODEL
) -> Search:
    """By meaning alone: the query has no word that a text has."""
    meaning = Meaning(model, np.array(vector, np.float32))
    asked = Search(PROJECT, tuple(sorted(subjects)), None, "unheard", meaning)
    return replace(asked, terms=query_terms("unheard")) if fused else asked


async def held(shelves: VectorShelves, asked: Search, kind: Kind) -> Proposals:
    """What is proposed as soon as all is held."""

    async def proposed() -> Proposals:
        found = await shelves.propose(asked, kind)
        if found is None:
            raise NotYet("nothing is proposed")
        return found

    return await eventually("holding the vectors", proposed)


def of(*subjects: str) -> Search:
    """Whatever is near one query in some memories."""
    return search(*subjects, vector=QUERY)


async def read_all(shelves: VectorShelves) -> None:
    """What is asked for by now is read when this is: one memory is read after the other."""
    await held(shelves, of("last"), "fact")


async def proposes(shelves: VectorShelves, asked: Search) -> bool:
    """Whether facts are proposed at once."""
    return await shelves.propose(asked, "fact") is not None


async def assert_same(
    transaction: Connection, asked: Search, kind: Kind, proposals: Proposals
) -> None:
    """With proposals the store finds what it finds without.

    They are compared as they are written: what is not a number equals nothing.
    """
    find = find_facts if kind == "fact" else find_episodes
    plain = {one.id: repr(one) for one in await find(transaction, asked)}
    assert {one.id: repr(one) for one in await find(transaction, asked, proposals)} == plain


async def embed(
    transaction: Connection,
    kind: Kind,
    subject: str,
    vectors: Iterable[tuple[str, NDArray[np.floating]]],
    model: int = MODEL,
    written: str | None = None,
    project: str = PROJECT,
) -> None:
    """Vectors of texts that are there, by this transaction or as if by another."""
    rows = [(project, subject, model, id, HalfVector(vector), written) for id, vector in vectors]
    async with transaction.cursor() as cursor:
        await cursor.executemany(
            b"INSERT INTO " + _TABLE[kind] + b" (project, subject, model, id, vector, written)"
            b" VALUES (%s, %s, %s, %s, %s, coalesce(%s::text::xid8, pg_current_xact_id()))",
            rows,
        )


@asynccontextmanager
async def nobody_reads(database: str) -> AsyncGenerator[None]:
    """Who reads vectors of facts has to wait meanwhile."""
    async with open_pool(database, size=1) as pool, connection(pool) as transaction:
        await transaction.execute("LOCK TABLE fact_embedding IN ACCESS EXCLUSIVE MODE")
        yield


@dataclass
class Vectors:
    """Writes vectors, each with the text that it is of."""

    pool: Pool
    numbers: dict[Kind, int] = field(default_factory=lambda: {"fact": 0, "episode": 0})

    async def memories(self, *subjects: str, size: int = LEAST_HELD) -> None:
        """Facts with vectors in each of some memories."""
        for seed, subject in enumerate(subjects):
            vectors = np.random.default_rng(seed).standard_normal((size, DIMENSIONS))
            await self.add("fact", subject, vectors)

    async def add(
        self, kind: Kind, subject: str, vectors: NDArray[np.floating], model: int = MODEL
    ) -> list[str]:
        """Texts with vectors."""
        ids = await self.texts(kind, subject, len(vectors))
        async with connection(self.pool) as transaction:
            await embed(transaction, kind, subject, zip(ids, vectors, strict=True), model)
        return ids

    async def texts(self, kind: Kind, subject: str, count: int) -> list[str]:
        """Texts without vectors; their ids are in no order."""
        first = self.numbers[kind]
        self.numbers[kind] += count
        names = [f"{kind} {number}" for number in range(first, first + count)]
        ids = [sha256(name.encode()).hexdigest()[:32] for name in names]
        async with connection(self.pool) as transaction:
            await transaction.execute(
                b"INSERT INTO project (project, digest_key) VALUES (%s, %s) ON CONFLICT DO NOTHING",
                (PROJECT, b"k" * 32),
            )
            await transaction.execute(
                _FACTS if kind == "fact" else _EPISODES, (PROJECT, subject, ids)
            )
        return ids

    async def remove(self, kind: Kind, ids: Sequence[str]) -> None:
        """The vectors go, the texts stay."""
        async with connection(self.pool) as transaction:
            await transaction.execute(
                b"DELETE FROM " + _TABLE[kind] + b" WHERE id = ANY(%s)", (list(ids),)
            )

    async def change(
        self, kind: Kind, subject: str, vectors: Sequence[tuple[str, NDArray[np.floating]]]
    ) -> None:
        """The texts have other vectors, as after they were embedded anew."""
        async with connection(self.pool) as transaction:
            await transaction.execute(
                b"DELETE FROM " + _TABLE[kind] + b" WHERE id = ANY(%s)",
                ([id for id, _ in vectors],),
            )
            await embed(transaction, kind, subject, vectors)

    async def move(self, ids: Sequence[str], subject: str) -> None:
        """Episodes become those of another memory, and their vectors follow."""
        async with connection(self.pool) as transaction:
            await transaction.execute(
                b"UPDATE episode SET subject = %s WHERE observation_id = ANY(%s)",
                (subject, list(ids)),
            )
            await transaction.execute(
                b"UPDATE episode_embedding SET subject = %s WHERE id = ANY(%s)",
                (subject, list(ids)),
            )

    async def retire(self, ids: Sequence[str]) -> None:
        """Facts are superseded; their vectors stay."""
        async with connection(self.pool) as transaction:
            await transaction.execute(
                b"UPDATE fact SET status = 'superseded', terms = '' WHERE id = ANY(%s)",
                (list(ids),),
            )

    async def nearest(self, kind: Kind, subject: str, vector: list[float]) -> list[str]:
        """The ids of all, the nearest first."""
        async with connection(self.pool) as transaction:
            cursor = await transaction.execute(
                b"SELECT id FROM " + _TABLE[kind] + b" WHERE subject = %s AND model = %s"
                b" ORDER BY (vector <=> %s::halfvec) + 0, id",
                (subject, MODEL, HalfVector(vector)),
            )
            return [str(row[0]) for row in await cursor.fetchall()]


_FACTS = (
    b"INSERT INTO fact (project, subject, about, predicate, slot, id, value, value_digest,"
    b" qualifiers, text, terms, status, authority, confidence, confirmations, kind, volatility,"
    b" valid_from, first_said_at, last_confirmed_at, row_digest)"
    b" SELECT %s, subject, subject, 'notes', id, id, '{\"value\": \"it\"}', id, '{}', 'notes it',"
    b" 'note it', 'active', 3, 0.9, 0, 'attribute', 'stable', 1, 1, 1, ''"
    b" FROM (SELECT %s::text AS subject) AS memory, unnest(%s::text[]) AS id"
)
_EPISODES = (
    b"INSERT INTO episode (project, subject, observation_id, subject_identifier, source,"
    b" source_ref, record, category, said_at, trace, author_name, text, terms, embeddable)"
    b" SELECT %s, subject, id, subject, 'note', id, id, 'Statement', row_number() OVER (), id,"
    b" 'Alice', 'said it', 'alic said it', true"
    b" FROM (SELECT %s::text AS subject) AS memory, unnest(%s::text[]) AS id"
)
