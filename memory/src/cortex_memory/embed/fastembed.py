"""Any dense model that fastembed knows, from its hub or from a local folder."""

import importlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Protocol

from cortex_memory.embed.port import (
    EmbedderUnavailable,
    EmbeddingFailed,
    Vector,
    clean,
    digest_of,
    normalised,
)

DEFAULT_MODEL: Final = "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2"
_TOKENIZER_FILES: Final = ("tokenizer.json", "tokenizer_config.json")
_BATCH: Final = 32


class _Model(Protocol):
    def query_embed(self, query: str) -> Iterable[Vector]: ...
    def passage_embed(self, texts: Iterable[str], **options: int) -> Iterable[Vector]: ...


class FastembedEmbedder:
    """A fastembed model, on one thread a call; its vectors are normalised here.

    Args:
        model: A name that fastembed knows.
        folder: Where the model's files are; null: in fastembed's cache, else on its hub.

    Raises:
        EmbedderUnavailable: fastembed does not know the model, a file is missing, or the hub
            cannot be reached.
    """

    def __init__(self, model: str, folder: Path | None) -> None:
        library = importlib.import_module("fastembed")
        description = _description(library.TextEmbedding.list_supported_models(), model)
        if folder is not None:
            _check_files(folder, description["model_file"])
        self._name = model
        self._dimensions = int(description["dim"])
        try:
            opened = library.TextEmbedding(
                model, specific_model_path=None if folder is None else str(folder), threads=1
            )
        except Exception as error:  # what the library and its runtime raise has no base in common
            raise EmbedderUnavailable(f"{model} cannot be opened: {error}") from error
        self._model: _Model = opened
        folder_used = folder or Path(str(opened.model._model_dir))
        self._digest = digest_of(folder_used / description["model_file"])

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def digest(self) -> str:
        """SHA-256 of the model file."""
        return self._digest

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of texts that are to be found; see `Embedder`."""
        cleaned = [clean(text) for text in texts]
        return self._checked(self._model.passage_embed(cleaned, batch_size=_BATCH), len(texts))

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a text that is to find others; see `Embedder`."""
        return self._checked(self._model.query_embed(clean(text)), 1)[0]

    def _checked(self, lazily: Iterable[Vector], count: int) -> list[Vector]:
        try:
            vectors = list(lazily)
        except RuntimeError as error:
            raise EmbeddingFailed(f"{self._name}: {error}") from error
        return normalised(vectors, count, self._dimensions)


def _description(supported: Iterable[dict[str, Any]], model: str) -> dict[str, Any]:
    for description in supported:
        if description["model"] == model:
            return description
    raise EmbedderUnavailable(f"fastembed knows no model named {model!r}")


def _check_files(folder: Path, model_file: str) -> None:
    missing = [name for name in (model_file, *_TOKENIZER_FILES) if not (folder / name).is_file()]
    if missing:
        raise EmbedderUnavailable(f"{folder} lacks {', '.join(missing)}")
