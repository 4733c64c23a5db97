"""Any endpoint that speaks the OpenAI embeddings protocol."""

import importlib
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from roxabi_contracts.ids import content_id

from cortex_memory.embed.port import (
    MAXIMUM_DIMENSIONS,
    EmbedderUnavailable,
    EmbeddingFailed,
    Vector,
    clean,
    normalised,
)

DEFAULT_MODEL: Final = "text-embedding-3-small"
DEFAULT_DIMENSIONS: Final = {"text-embedding-3-small": 512, "text-embedding-3-large": 1024}
"""Of the models that can shorten their vectors, and whose own are too long for the store."""
_TIMEOUT: Final = 20.0
_ATTEMPTS: Final = 2


class OpenaiEmbedder:
    """A model behind an endpoint; asks it once to learn the length of its vectors.

    Args:
        model: The endpoint's name of the model.
        base_url: The endpoint; null: `OPENAI_BASE_URL`, else the public one. The key is read
            from `OPENAI_API_KEY`.

    Raises:
        EmbedderUnavailable: the endpoint cannot be reached, refuses us, or its vectors are too
            long for the store.
    """

    def __init__(self, model: str, base_url: str | None = None) -> None:
        self._library = importlib.import_module("openai")
        self._name = model
        try:
            self._client = self._library.OpenAI(
                base_url=base_url, timeout=_TIMEOUT, max_retries=_ATTEMPTS
            )
            self._dimensions = len(self._request(["dimensions"])[0])
        except (self._library.OpenAIError, EmbeddingFailed) as error:
            raise EmbedderUnavailable(f"{model} cannot be opened: {error}") from error
        if self._dimensions > MAXIMUM_DIMENSIONS:
            raise EmbedderUnavailable(
                f"{model} makes vectors of {self._dimensions} dimensions; "
                f"at most {MAXIMUM_DIMENSIONS} can be stored"
            )

    @property
    def name(self) -> str:
        """The model's name."""
        return self._name

    @property
    def digest(self) -> str:
        """Digest of endpoint, model and dimensions: the file is out of reach."""
        return content_id(str(self._client.base_url), self._name, self._dimensions)

    @property
    def dimensions(self) -> int:
        """The length of every vector."""
        return self._dimensions

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The unit vectors of texts that are to be found; see `Embedder`."""
        vectors = self._request([clean(text) or " " for text in texts])
        return normalised(vectors, len(texts), self._dimensions)

    def embed_query(self, text: str) -> Vector:
        """The unit vector of a text that is to find others; see `Embedder`."""
        return self.embed_passages([text])[0]

    def _request(self, texts: list[str]) -> list[Vector]:
        options: dict[str, Any] = {}
        if self._name in DEFAULT_DIMENSIONS:
            options["dimensions"] = DEFAULT_DIMENSIONS[self._name]
        try:
            reply = self._client.embeddings.create(
                model=self._name, input=texts, encoding_format="float", **options
            )
        except self._library.OpenAIError as error:
            raise EmbeddingFailed(f"{self._name}: {type(error).__name__}") from error
        ordered = sorted(reply.data, key=lambda one: int(one.index))
        return [np.asarray(one.embedding, dtype=np.float32) for one in ordered]
