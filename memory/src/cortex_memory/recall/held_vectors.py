"""The vectors of one kind in one memory, held to find the nearest of them without the store."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

TOLERANCE: Final = 1e-5
"""By how much a similarity may differ from the store's, which rounds in another order."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldVectors:
    """What the store held in one snapshot, and a transaction: what it wrote may be missing here.

    `directions` are of length one, a row for each id; a vector of nothing has none, but NaN.
    """

    ids: tuple[str, ...]
    directions: NDArray[np.float32]
    horizon: str

    @classmethod
    def of(cls, ids: Sequence[str], vectors: NDArray[np.float32], horizon: str) -> "HeldVectors":
        """Vectors as the store has them, a row for each id."""
        return cls(tuple(ids), directions_of(vectors), horizon)

    @property
    def size(self) -> int:
        """How many bytes the vectors take."""
        return self.directions.nbytes

    def nearest(self, vector: NDArray[np.float32], count: int) -> list[str]:
        """So many of the nearest, and those that could be among them by the store's own reckoning.

        In no order: who asks measures them again.
        """
        if len(self.ids) <= count:
            return list(self.ids)
        asked = directions_of(as_stored(vector)[np.newaxis])[0]
        # Not `@`: it wakes threads of its own, which cost more than they bring.
        similarity = np.einsum("ij,j->i", self.directions, asked)
        similarity[np.isnan(similarity)] = -np.inf  # farther than all others, as in the store
        last = len(self.ids) - count
        least = np.partition(similarity, last)[last]
        return [self.ids[place] for place in np.flatnonzero(similarity >= least - TOLERANCE)]

    def with_written(self, later: "HeldVectors") -> "HeldVectors":
        """The same with vectors that were written later, in the place of those they replace."""
        if not later.ids:
            return HeldVectors(self.ids, self.directions, later.horizon)
        replaced = frozenset(later.ids)
        kept = [place for place, id in enumerate(self.ids) if id not in replaced]
        return HeldVectors(
            (*(self.ids[place] for place in kept), *later.ids),
            np.concatenate([self.directions[kept], later.directions]),
            later.horizon,
        )


def directions_of(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vectors, each drawn to the length of one."""
    directions: NDArray[np.float32] = np.full_like(vectors, np.nan)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    np.divide(vectors, lengths, out=directions, where=lengths > 0)
    return directions


def as_stored(vector: NDArray[np.float32]) -> NDArray[np.float32]:
    """The vector as the store rounds it."""
    rounded: NDArray[np.float16] = vector.astype(np.float16)
    return rounded.astype(np.float32)
