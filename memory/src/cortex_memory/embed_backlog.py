"""Gives facts and episodes their vectors in the background: the newest first, projects in turn."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from cortex_memory.embed.port import MAXIMUM_CHARACTERS, Embedder, EmbeddingFailed, Vector
from cortex_memory.embed.service import BACKGROUND_THREADS, EmbeddingService
from cortex_memory.errors import StoreUnavailable
from cortex_memory.store import embeddings
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.embeddings import Waiting
from cortex_memory.waiting import pause

BATCH: Final = 64
IDLE_SECONDS: Final = 0.25
RETRY_SECONDS: Final = 5.0
PROBE: Final = "hello"
"""A text that every model can embed unless it is down."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Made:
    """The vectors of texts, and why there is none of others."""

    vectors: dict[Waiting, Vector]
    failures: dict[Waiting, str]


class BacklogEmbedder:
    """Works off the queue of texts without a vector until it is told to stop."""

    def __init__(self, pool: Pool, service: EmbeddingService) -> None:
        self._pool = pool
        self._service = service

    async def run(self, stopping: asyncio.Event) -> None:
        """Open the model and embed; a store or a model that is down is waited for."""
        embedder = await self._service.open(stopping)
        if embedder is None:
            return
        model: int | None = None
        while not stopping.is_set():
            try:
                if model is None:
                    model = await self._prepare(embedder)
                seconds = 0.0 if await self.embed_batch(model) else IDLE_SECONDS
            except (StoreUnavailable, EmbeddingFailed) as error:
                _log.warning("embedding_waits", reason=str(error).strip())
                seconds = RETRY_SECONDS
            except Exception:  # noqa: BLE001  (a top loop: text is found by its words meanwhile)
                _log.exception("embedding_failed")
                seconds = RETRY_SECONDS
            await pause(stopping, seconds)

    async def _prepare(self, embedder: Embedder) -> int:
        async with connection(self._pool) as transaction:
            model = await embeddings.register_model(
                transaction, embedder.name, embedder.digest, embedder.dimensions
            )
            again = await embeddings.try_again(transaction, model)
            missing = await embeddings.enqueue_missing(transaction, model)
        _log.info("embedding_started", model=embedder.name, queued=missing, again=again)
        return model

    async def embed_batch(self, model: int) -> int:
        """Load, embed, store; how many were taken off the queue or given up.

        Raises:
            StoreUnavailable: nothing was stored.
            EmbeddingFailed: the model cannot embed anything at present.
        """
        async with connection(self._pool) as transaction:
            waiting = await embeddings.newest_waiting(transaction, BATCH)
            texts = await embeddings.texts_of(transaction, waiting, MAXIMUM_CHARACTERS)
        if not waiting:
            return 0
        made = await self._embed(texts)
        async with connection(self._pool) as transaction:
            held = await embeddings.hold(transaction, waiting)
            now = await embeddings.texts_of(transaction, held, MAXIMUM_CHARACTERS)
            # What was rewritten meanwhile stays queued: its vector would be of another text.
            settled = [one for one in held if now.get(one) == texts.get(one)]
            failed = {one: made.failures[one] for one in settled if one in made.failures}
            await embeddings.record_failures(transaction, model, failed)
            done = [one for one in settled if one not in failed]
            vectors = {one: made.vectors[one] for one in done if one in made.vectors}
            await embeddings.replace_vectors(transaction, model, done, vectors)
        return len(waiting)

    async def _embed(self, texts: Mapping[Waiting, str]) -> _Made:
        """The vectors, by texts of like length on every thread."""
        ordered = sorted(texts, key=lambda one: (len(texts[one]), one))
        size = max(1, -(-len(ordered) // (2 * BACKGROUND_THREADS)))
        chunks = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        parts = await asyncio.gather(*(self._embed_chunk(chunk, texts) for chunk in chunks))
        return _Made(
            vectors={one: vector for part in parts for one, vector in part.vectors.items()},
            failures={one: reason for part in parts for one, reason in part.failures.items()},
        )

    async def _embed_chunk(self, chunk: Sequence[Waiting], texts: Mapping[Waiting, str]) -> _Made:
        try:
            vectors = await self._service.embed_passages([texts[one] for one in chunk])
        except EmbeddingFailed:
            return await self._embed_singly(chunk, texts)
        return _Made(dict(zip(chunk, vectors, strict=True)), {})

    async def _embed_singly(self, chunk: Sequence[Waiting], texts: Mapping[Waiting, str]) -> _Made:
        """Tell a text that no model could embed from a model that is down."""
        await self._service.embed_passages([PROBE])
        made = _Made({}, {})
        for one in chunk:
            try:
                (made.vectors[one],) = await self._service.embed_passages([texts[one]])
            except EmbeddingFailed as error:
                made.failures[one] = str(error)
                _log.warning("text_not_embedded", kind=one.kind, id=one.id, reason=str(error))
        return made
