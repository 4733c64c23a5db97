"""Holds the vectors of the memories asked lately: the store measures few of them, not all."""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import structlog
from numpy.typing import NDArray

from cortex_memory.errors import StoreUnavailable
from cortex_memory.recall.candidate import Kind
from cortex_memory.recall.held_vectors import HeldVectors
from cortex_memory.recall.search import Proposals, Search
from cortex_memory.store.db import Pool, snapshot
from cortex_memory.store.vectors import Shelf, extent_of, read_vectors, read_written

LEAST_HELD: Final = 1_000
"""Fewer vectors are measured by the store as fast."""
REFRESHED_SECONDS: Final = 10.0
"""For so long what was written since is left to the store."""
UNHELD_SECONDS: Final = 60.0
"""For so long nobody looks again whether vectors are worth holding."""
MOST_WRITTEN: Final = 1_000
"""More that seem to be written since are a sign that the store was restored from elsewhere."""
BYTES_A_NUMBER: Final = 4
AT_HAND: Final = 20_000
"""More vectors are looked through on a thread of their own."""
MOST_PLACES: Final = 4_000
"""Of so many memories is known whether their vectors are worth holding."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Place:
    """What is held, and when it was read; null: it is not worth it, or too much."""

    vectors: HeldVectors | None
    read_at: float

    @property
    def size(self) -> int:
        return 0 if self.vectors is None else self.vectors.size


class VectorShelves:
    """Proposes the nearest of what it holds; what it does not hold is read beside the requests.

    Args:
        pool: Of those who read.
        most_bytes: What all vectors together may take; 0: none are held.
    """

    def __init__(self, pool: Pool, most_bytes: int) -> None:
        self._pool = pool
        self._most_bytes = most_bytes
        self._places: OrderedDict[Shelf, _Place] = OrderedDict()
        self._reading: dict[Shelf, asyncio.Task[None]] = {}
        self._turn = asyncio.Lock()

    async def propose(self, search: Search, kind: Kind) -> Proposals | None:
        """The nearest of each memory asked; null: all are to be measured.

        That is so where not all are held, and where the search is for some of them only.
        """
        meaning = search.meaning
        if not self._most_bytes or meaning is None or search.is_for_some:
            return None
        most = self._most_bytes // 2 // (BYTES_A_NUMBER * len(meaning.vector))
        shelves = [Shelf(search.project, one, meaning.model, kind) for one in search.subjects]
        held = [self._take(shelf, most) for shelf in shelves]
        present = [vectors for vectors in held if vectors is not None]
        if len(present) < len(held):
            return None
        count = search.proposals(kind)
        if sum(len(vectors.ids) for vectors in present) <= AT_HAND:
            found = _nearest(present, meaning.vector, count)
        else:
            found = await asyncio.to_thread(_nearest, present, meaning.vector, count)
        return Proposals(
            ids=tuple(id for ids in found for id in ids),
            subjects=tuple(
                one for one, ids in zip(search.subjects, found, strict=True) for _ in ids
            ),
            horizons=tuple(vectors.horizon for vectors in present),
        )

    def clear(self) -> None:
        """Hold nothing any more, nor what is being read by now: something was erased."""
        self._places.clear()
        for task in self._reading.values():
            task.cancel()
        self._reading.clear()

    async def close(self) -> None:
        """Leave the store alone."""
        tasks = list(self._reading.values())
        self.clear()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _take(self, shelf: Shelf, most: int) -> HeldVectors | None:
        """What is held; it is read for the requests to come where it is old or missing."""
        place = self._places.get(shelf)
        if place is not None:
            self._places.move_to_end(shelf)
        if shelf not in self._reading and _is_due(place, asyncio.get_running_loop().time()):
            held = None if place is None else place.vectors
            self._reading[shelf] = asyncio.create_task(self._read(shelf, held, most))
        return None if place is None else place.vectors

    async def _read(self, shelf: Shelf, held: HeldVectors | None, most: int) -> None:
        vectors = None
        try:
            async with self._turn:  # one at a time: others need the connections, too
                vectors = await self._vectors(shelf, held, most)
        except StoreUnavailable as error:
            _log.warning("vectors_not_read", reason=str(error).strip())
        except Exception:  # noqa: BLE001  (a top loop: the store measures all)
            _log.exception("vectors_failed")
        # Who was cleared is cancelled; yet a wait may be over before it learns of that.
        if self._reading.get(shelf) is asyncio.current_task():
            self._put(shelf, vectors)
            del self._reading[shelf]

    async def _vectors(
        self, shelf: Shelf, held: HeldVectors | None, most: int
    ) -> HeldVectors | None:
        """The vectors of a memory as they are now; null: too few or too many to be held."""
        async with snapshot(self._pool) as transaction:
            extent = await extent_of(transaction, shelf)
            if not LEAST_HELD <= extent.count <= most:
                return None
            if held is not None:
                written = await read_written(transaction, shelf, held.horizon, MOST_WRITTEN)
                renewed = await asyncio.to_thread(held.with_written, written)
                if len(renewed.ids) == extent.count and len(written.ids) < MOST_WRITTEN:
                    return renewed
            late = await read_written(transaction, shelf, extent.horizon, MOST_WRITTEN)
            if len(late.ids) >= MOST_WRITTEN:
                return None
            return await read_vectors(transaction, shelf)

    def _put(self, shelf: Shelf, vectors: HeldVectors | None) -> None:
        self._places[shelf] = _Place(vectors, asyncio.get_running_loop().time())
        self._places.move_to_end(shelf)
        while self._size() > self._most_bytes or len(self._places) > MOST_PLACES:
            self._places.popitem(last=False)

    def _size(self) -> int:
        return sum(place.size for place in self._places.values())


def _is_due(place: _Place | None, now: float) -> bool:
    if place is None:
        return True
    return now - place.read_at > (UNHELD_SECONDS if place.vectors is None else REFRESHED_SECONDS)


def _nearest(
    held: Sequence[HeldVectors], vector: NDArray[np.float32], count: int
) -> list[list[str]]:
    return [vectors.nearest(vector, count) for vectors in held]
