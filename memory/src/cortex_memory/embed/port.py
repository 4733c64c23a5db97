"""What the warehouse asks of an embedding model, and how it can fail."""

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cortex_memory.errors import WarehouseError

Vector: TypeAlias = NDArray[np.float32]

MAXIMUM_CHARACTERS: Final = 2_000
"""Of a text; more costs much time and adds next to nothing to a vector."""
MAXIMUM_DIMENSIONS: Final = 1_300
"""What an index entry of the store can hold in half precision."""


class EmbedderUnavailable(WarehouseError):
    """The embedding model cannot be opened; the message says what is missing."""


class EmbeddingFailed(WarehouseError):
    """The embedding model could not embed a text this time."""


class Embedder(Protocol):
    """An open embedding model; its methods block, and may be called by two threads at once."""

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    @property
    def digest(self) -> str:
        """Tells two models of one name apart."""
        ...

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of texts that are to be found.

        Raises:
            EmbeddingFailed: no vector could be made of them.
        """
        ...

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a text that is to find others.

        Raises:
            EmbeddingFailed: no vector could be made of it.
        """
        ...


def clean(text: str) -> str:
    """The text as every model can read it: bounded, no NUL, no lone surrogate."""
    cut = text[:MAXIMUM_CHARACTERS].replace("\0", " ")
    return cut.encode("utf-8", "replace").decode()


def digest_of(file: Path) -> str:
    """SHA-256 of a model file, which tells two models of one name apart."""
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()


def normalised(vectors: Sequence[Vector], count: int, dimensions: int) -> list[Vector]:
    """The vectors at unit length.

    Raises:
        EmbeddingFailed: a vector is missing, of another length, not finite, or null.
    """
    if len(vectors) != count:
        raise EmbeddingFailed(f"{len(vectors)} vectors for {count} texts")
    return [_unit(vector, dimensions) for vector in vectors]


def _unit(vector: Vector, dimensions: int) -> Vector:
    if vector.shape != (dimensions,):
        raise EmbeddingFailed(f"a vector of shape {vector.shape}, not ({dimensions},)")
    norm = float(np.linalg.norm(vector.astype(np.float64)))
    if not np.isfinite(norm) or norm < 1e-6:
        raise EmbeddingFailed(f"a vector of norm {norm}")
    return (vector / norm).astype(np.float32)
