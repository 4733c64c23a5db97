"""The embedder while the service runs: opened in the background, and never in anybody's way."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Final, Self

import structlog

from cortex_memory.embed.port import Embedder, EmbedderUnavailable, EmbeddingFailed, Vector
from cortex_memory.waiting import pause

QUERY_SECONDS: Final = 1.0
"""A query that takes longer to embed is answered by its words."""
REOPEN_SECONDS: Final = 30.0
OPENING_SECONDS: Final = 10.0
"""How long after the start those who need the model wait for it: less than a job's lease."""
REMEMBERED_QUERIES: Final = 512
REMEMBERED_NAMES: Final = 2_048
QUERY_THREADS: Final = 2
BACKGROUND_THREADS: Final = 2

_log = structlog.get_logger()


class EmbeddingService(AbstractContextManager["EmbeddingService"]):
    """Embeds queries and passages on threads of their own, so that neither waits for the other.

    Args:
        open_model: Opens the embedder; null: none is wanted.
        patience: For how many seconds from now those who need the model wait for it.
    """

    def __init__(
        self, open_model: Callable[[], Embedder | None], patience: float = OPENING_SECONDS
    ) -> None:
        self._open_model = open_model
        self._queries = ThreadPoolExecutor(QUERY_THREADS, "embed-query")
        self._passages = ThreadPoolExecutor(BACKGROUND_THREADS, "embed-passages")
        self._remembered: OrderedDict[str, Vector] = OrderedDict()
        self._names: OrderedDict[str, Vector] = OrderedDict()
        self._patient_until = time.monotonic() + patience
        self._opened = asyncio.Event()
        self.embedder: Embedder | None = None
        """The open model; null: none is wanted, or it is not open yet."""

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._queries.shutdown(wait=False, cancel_futures=True)
        self._passages.shutdown(wait=False, cancel_futures=True)

    def __enter__(self) -> Self:
        return self

    async def open(self, stopping: asyncio.Event) -> Embedder | None:
        """Open the model, however often it takes; null: none is wanted, or told to stop."""
        while not stopping.is_set():
            try:
                return await self._open()
            except EmbedderUnavailable as error:
                _log.warning("embedder_unavailable", reason=str(error))
                await pause(stopping, REOPEN_SECONDS)
        return None

    async def _open(self) -> Embedder | None:
        loop = asyncio.get_running_loop()
        self.embedder = await loop.run_in_executor(self._passages, self._open_model)
        self._opened.set()
        name = None if self.embedder is None else self.embedder.name
        _log.info("embedder_ready", model=name)
        return self.embedder

    @property
    def is_open(self) -> bool:
        """Whether it is known which model there is, if any."""
        return self._opened.is_set()

    async def opened(self) -> Embedder | None:
        """The model, which is waited for while the service starts; null: none is wanted.

        Raises:
            EmbeddingFailed: it is not open by now.
        """
        patience = max(0.0, self._patient_until - time.monotonic())
        try:
            async with asyncio.timeout(None if self.is_open else patience):
                await self._opened.wait()
        except TimeoutError as error:
            raise EmbeddingFailed("no embedding model is open") from error
        return self.embedder

    async def embed_query(self, text: str) -> Vector:
        """The vector of a query.

        Raises:
            EmbeddingFailed: there is no model, or it failed or took too long.
        """
        if self.embedder is None:
            raise EmbeddingFailed("no embedding model is open")
        known = self._remembered.get(text)
        if known is not None:
            self._remembered.move_to_end(text)
            return known
        loop = asyncio.get_running_loop()
        asked = loop.run_in_executor(self._queries, self.embedder.embed_query, text)
        try:
            vector = await asyncio.wait_for(asked, QUERY_SECONDS)
        except EmbeddingFailed:
            raise
        except TimeoutError as error:
            raise EmbeddingFailed(f"no vector within {QUERY_SECONDS} s") from error
        except Exception as error:  # what models raise has no base in common
            raise EmbeddingFailed(f"the model failed: {type(error).__name__}") from error
        self._remembered[text] = vector
        if len(self._remembered) > REMEMBERED_QUERIES:
            self._remembered.popitem(last=False)
        return vector

    async def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors of texts.

        Raises:
            EmbeddingFailed: there is no model, or it failed.
        """
        if self.embedder is None:
            raise EmbeddingFailed("no embedding model is open")
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._passages, self.embedder.embed_passages, texts)

    async def embed_names(self, names: Collection[str]) -> dict[str, Vector]:
        """The vectors of names, each taken as a query: so their distances were measured.

        Raises:
            EmbeddingFailed: there is no model, or it failed.
        """
        if self.embedder is None:
            raise EmbeddingFailed("no embedding model is open")
        found = {name: self._names[name] for name in names if name in self._names}
        missing = sorted(set(names) - found.keys())
        loop = asyncio.get_running_loop()
        embed = self.embedder.embed_query
        vectors = await loop.run_in_executor(self._passages, lambda: [*map(embed, missing)])
        found |= dict(zip(missing, vectors, strict=True))
        for name, vector in found.items():
            self._names[name] = vector
            self._names.move_to_end(name)
        while len(self._names) > REMEMBERED_NAMES:
            self._names.popitem(last=False)
        return found


class EmbeddingOnDemand(EmbeddingService):
    """Opens the embedder when somebody needs it: a command that ends soon may do without."""

    async def opened(self) -> Embedder | None:
        """The model, which is opened now unless it is; null: none is wanted.

        Raises:
            EmbeddingFailed: it cannot be opened.
        """
        try:
            return self.embedder if self.is_open else await self._open()
        except EmbedderUnavailable as error:
            raise EmbeddingFailed(str(error)) from error
