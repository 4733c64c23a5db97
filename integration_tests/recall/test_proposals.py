"""With proposals or without, the store finds the same, whatever was written since."""

from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from typing import Final

import numpy as np
import pytest
from cortex_memory import vector_shelves
from cortex_memory.load_candidates import CandidateLoader, Found
from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.search import SPARE, Proposals, Search
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
from roxabi_contracts.catalogues import Catalogues

ALICE, BOB = "alice", "bob"
SIZE: Final = 400

profiles = pytest.mark.parametrize("fused", [True, False], ids=["fusion", "weighted sum"])
kinds = pytest.mark.parametrize("kind", KINDS)

Check = Callable[[], Awaitable[Proposals]]
"""That the store finds the same; answers what was proposed."""


def some(count: int, seed: int = 7) -> NDArray[np.floating]:
    """Vectors of which many are equally near to anything, and some are twice there."""
    return np.random.default_rng(seed).integers(-2, 3, (count, DIMENSIONS)).astype(np.float64)


def near(count: int) -> NDArray[np.floating]:
    return np.array(QUERY) + some(count, seed=8) / 8


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    """Of those who search: the plans are those for any request."""
    async with open_pool(database, size=6, patience=5, planning=SEARCHING) as opened:
        yield opened


@pytest.fixture
async def vectors(pool: Pool, monkeypatch: pytest.MonkeyPatch) -> Vectors:
    """Two memories, small, but held."""
    monkeypatch.setattr(vector_shelves, "LEAST_HELD", 1)
    written = Vectors(pool)
    for kind in KINDS:
        for seed, subject in enumerate((ALICE, BOB)):
            await written.add(kind, subject, some(SIZE, seed))
    return written


async def proposed_before(pool: Pool, asked: Search, kind: Kind) -> Check:
    """Proposals of vectors as they are now, and a look whether they still do."""
    proposals = await held(VectorShelves(pool, MEGABYTE), asked, kind)

    async def check() -> Proposals:
        async with connection(pool) as transaction:
            await assert_same(transaction, asked, kind, proposals)
        return proposals

    return check


@profiles
@kinds
async def test_of_what_did_not_change(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    for subjects in ([ALICE], [ALICE, BOB]):
        asked = search(*subjects, vector=QUERY, fused=fused)
        proposals = await (await proposed_before(pool, asked, kind))()
        assert len(proposals.ids) >= len(subjects) * asked.proposals(kind)
        assert len(proposals.ids) < len(subjects) * SIZE


@profiles
@kinds
async def test_where_nearer_ones_were_written(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    asked = search(ALICE, BOB, vector=QUERY, fused=fused)
    check = await proposed_before(pool, asked, kind)
    await vectors.add(kind, ALICE, near(5))
    await vectors.add(kind, BOB, near(50))
    await check()


@profiles
@kinds
@pytest.mark.parametrize("gone", [1, SPARE, SPARE + 1, 2 * SPARE + 1, 150, SIZE - 10, SIZE])
async def test_where_the_nearest_are_gone(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool, gone: int
) -> None:
    """Of one memory, and of two of which the other keeps its own."""
    checks = [
        await proposed_before(pool, search(*subjects, vector=QUERY, fused=fused), kind)
        for subjects in ([ALICE], [ALICE, BOB])
    ]
    await vectors.remove(kind, (await vectors.nearest(kind, ALICE, QUERY))[:gone])
    for check in checks:
        await check()


@profiles
@kinds
@pytest.mark.parametrize("changed", [1, SPARE, SPARE + 1, 300])
async def test_where_the_nearest_have_become_the_farthest(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool, changed: int
) -> None:
    """They are still there, but what was not proposed is nearer."""
    asked = search(ALICE, vector=QUERY, fused=fused)
    check = await proposed_before(pool, asked, kind)
    ids = (await vectors.nearest(kind, ALICE, QUERY))[:changed]
    away = -near(changed)
    await vectors.change(kind, ALICE, list(zip(ids, away, strict=True)))
    await check()


@profiles
@kinds
async def test_where_the_farthest_have_become_the_nearest(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    asked = search(ALICE, vector=QUERY, fused=fused)
    check = await proposed_before(pool, asked, kind)
    ids = (await vectors.nearest(kind, ALICE, QUERY))[-60:]
    await vectors.change(kind, ALICE, list(zip(ids, near(60), strict=True)))
    await check()


@profiles
@pytest.mark.parametrize("moved", [5, SPARE + 1, 200])
async def test_where_episodes_went_to_another_memory_and_back(
    pool: Pool, vectors: Vectors, fused: bool, moved: int
) -> None:
    checks = [
        await proposed_before(pool, search(*subjects, vector=QUERY, fused=fused), "episode")
        for subjects in ([ALICE], [BOB], [ALICE, BOB])
    ]
    ids = (await vectors.nearest("episode", ALICE, QUERY))[:moved]
    for subject in (BOB, ALICE):
        await vectors.move(ids, subject)
        for check in checks:
            await check()


@profiles
@pytest.mark.parametrize("retired", [10, 100, 300])
async def test_where_the_nearest_facts_were_retired(
    pool: Pool, vectors: Vectors, fused: bool, retired: int
) -> None:
    asked = search(ALICE, vector=QUERY, fused=fused)
    check = await proposed_before(pool, asked, "fact")
    await vectors.retire((await vectors.nearest("fact", ALICE, QUERY))[:retired])
    await check()


@profiles
@kinds
async def test_what_was_being_written_when_the_vectors_were_read(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    """Younger transactions have ended by then: it is not the youngest that bounds what is held."""
    asked = search(ALICE, vector=QUERY, fused=fused)
    ids = await vectors.texts(kind, ALICE, 20)
    async with connection(pool) as transaction:
        await embed(transaction, kind, ALICE, zip(ids, near(20), strict=True))
        await vectors.add(kind, ALICE, near(5))
        check = await proposed_before(pool, asked, kind)
        await check()
    await check()


@profiles
@kinds
async def test_vectors_of_another_model_are_not_proposed(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    await vectors.add(kind, ALICE, near(20), model=2)
    check = await proposed_before(pool, search(ALICE, vector=QUERY, fused=fused), kind)
    await vectors.add(kind, ALICE, near(20), model=2)
    await check()
    other = search(ALICE, vector=QUERY, fused=fused, model=2)
    assert len((await (await proposed_before(pool, other, kind))()).ids) == 40


@profiles
@kinds
async def test_vectors_of_nothing_come_last(
    pool: Pool, vectors: Vectors, kind: Kind, fused: bool
) -> None:
    for subject in ("full", "void"):
        await vectors.add(kind, subject, np.zeros((SIZE, DIMENSIONS)))
    await vectors.add(kind, "full", -near(SIZE))
    for query in (QUERY, [0.0] * DIMENSIONS):
        for subject in ("full", "void"):
            asked = search(subject, vector=query, fused=fused)
            await (await proposed_before(pool, asked, kind))()


class NotingShelves(VectorShelves):
    """Notes what it proposed."""

    def __init__(self, pool: Pool) -> None:
        super().__init__(pool, MEGABYTE)
        self.proposed: list[Proposals | None] = []

    async def propose(self, search: Search, kind: Kind) -> Proposals | None:
        self.proposed.append(await super().propose(search, kind))
        return self.proposed[-1]


@profiles
async def test_a_question_is_answered_from_the_same_candidates(
    pool: Pool, vectors: Vectors, fused: bool
) -> None:
    asked = search(ALICE, BOB, vector=QUERY, fused=fused)
    shelves = NotingShelves(pool)
    for kind in KINDS:
        await held(shelves, asked, kind)
        await vectors.remove(kind, (await vectors.nearest(kind, ALICE, QUERY))[:3])
    plain = CandidateLoader(pool, Catalogues())
    proposing = CandidateLoader(pool, Catalogues(), shelves)
    for some, proposals in (
        (asked, True),
        (replace(asked, about=ALICE), False),
        (replace(asked, until=SIZE // 2), False),
    ):
        shelves.proposed.clear()
        assert by_id(await proposing.load(some)) == by_id(await plain.load(some))
        assert [one is not None for one in shelves.proposed] == [proposals, proposals]
    await shelves.close()


def by_id(found: Found) -> dict[str, str]:
    facts = {fact.id: repr(fact) for fact in found.facts}
    return facts | {episode.id: repr(episode) for episode in found.episodes}
