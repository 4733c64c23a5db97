"""Whatever is written, whenever vectors were read, the store finds what it finds without."""

import math
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from random import Random
from typing import Final

import numpy as np
import pytest
from cortex_memory import vector_shelves
from cortex_memory.recall.candidate import Kind
from cortex_memory.store.db import SEARCHING, Pool, connection, open_pool
from cortex_memory.vector_shelves import VectorShelves
from numpy.typing import NDArray
from recall.shelving import (
    DIMENSIONS,
    KINDS,
    MEGABYTE,
    QUERY,
    Vectors,
    assert_same,
    embed,
    held,
    search,
)

SUBJECTS: Final = ("alice", "bob")
SIZE: Final = 300
STEPS: Final = 30
NUMBERS: Final = (1, 5, 33, 90, 200)
"""How many vectors are written at once: few, about as many as may be gone, and more."""


class Walk:
    """Writes at random; where it is due, in a transaction that ends later."""

    def __init__(self, pool: Pool, seed: int) -> None:
        self.random = Random(seed)
        self._pool = pool
        self._vectors = Vectors(pool)
        self._numbers = np.random.default_rng(seed)
        self._later = AsyncExitStack()
        self._writes = (
            self._add,
            self._remove,
            self._change,
            self._move,
            self._retire,
            self._write_by_another_model,
            self._begin_to_write,
            self._end_writing,
        )

    async def begin(self) -> None:
        for kind in KINDS:
            for subject in SUBJECTS:
                await self._vectors.add(kind, subject, self._some(SIZE, far=True))

    async def step(self) -> None:
        await self.random.choice(self._writes)(self.random.choice(KINDS))

    async def end(self) -> None:
        await self._later.aclose()

    def _some(self, count: int, *, far: bool) -> NDArray[np.floating]:
        """Vectors among which many are equally near: near to the query, or anywhere."""
        steps = self._numbers.integers(-2, 3, (count, DIMENSIONS)).astype(np.float64)
        return steps if far else np.array(QUERY) + steps / 4

    def _count(self) -> int:
        return self.random.choice(NUMBERS)

    async def _chosen(self, kind: Kind, subject: str) -> list[str]:
        """The nearest, or some of all."""
        ids = await self._vectors.nearest(kind, subject, QUERY)
        if self.random.random() < 0.3:
            self.random.shuffle(ids)
        return ids[: self._count()]

    async def _add(self, kind: Kind) -> None:
        vectors = self._some(self._count(), far=self.random.random() < 0.5)
        await self._vectors.add(kind, self.random.choice(SUBJECTS), vectors)

    async def _remove(self, kind: Kind) -> None:
        await self._vectors.remove(kind, await self._chosen(kind, self.random.choice(SUBJECTS)))

    async def _change(self, kind: Kind) -> None:
        subject = self.random.choice(SUBJECTS)
        ids = await self._chosen(kind, subject)
        vectors = self._some(len(ids), far=self.random.random() < 0.7)
        await self._vectors.change(kind, subject, list(zip(ids, vectors, strict=True)))

    async def _move(self, kind: Kind) -> None:
        """Of facts there is no such thing: they have another id in another memory."""
        before, after = self.random.sample(SUBJECTS, 2)
        await self._vectors.move(await self._chosen("episode", before), after)

    async def _retire(self, kind: Kind) -> None:
        await self._vectors.retire(await self._chosen("fact", self.random.choice(SUBJECTS)))

    async def _write_by_another_model(self, kind: Kind) -> None:
        vectors = self._some(self._count(), far=False)
        await self._vectors.add(kind, self.random.choice(SUBJECTS), vectors, model=2)

    async def _begin_to_write(self, kind: Kind) -> None:
        subject = self.random.choice(SUBJECTS)
        ids = await self._vectors.texts(kind, subject, 20)
        await self._end_writing(kind)
        transaction = await self._later.enter_async_context(connection(self._pool))
        vectors = zip(ids, self._some(20, far=False), strict=True)
        await embed(transaction, kind, subject, vectors)

    async def _end_writing(self, kind: Kind) -> None:
        await self._later.aclose()


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    async with open_pool(database, size=6, patience=5, planning=SEARCHING) as opened:
        yield opened


@pytest.mark.parametrize("fused", [True, False], ids=["fusion", "weighted sum"])
@pytest.mark.parametrize("seed", range(4))
async def test_the_store_finds_the_same(
    pool: Pool, monkeypatch: pytest.MonkeyPatch, fused: bool, seed: int
) -> None:
    monkeypatch.setattr(vector_shelves, "LEAST_HELD", 1)
    walk, shelves = Walk(pool, seed), VectorShelves(pool, MEGABYTE)
    await walk.begin()
    searches = [
        search(*subjects, vector=QUERY, fused=fused)
        for subjects in (SUBJECTS[:1], SUBJECTS[1:], SUBJECTS)
    ]
    proposed = 0
    for asked in searches:
        for kind in KINDS:
            await held(shelves, asked, kind)
    for _ in range(STEPS):
        await walk.step()
        refreshed = walk.random.choice([-1.0, math.inf, math.inf])
        monkeypatch.setattr(vector_shelves, "REFRESHED_SECONDS", refreshed)
        for asked in searches:
            for kind in KINDS:
                proposals = await shelves.propose(asked, kind)
                if proposals is None:
                    continue
                proposed += 1
                async with connection(pool) as transaction:
                    await assert_same(transaction, asked, kind, proposals)
    await walk.end()
    await shelves.close()
    assert proposed > STEPS
