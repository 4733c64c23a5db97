"""A migrated database for every test, and a memory in it that tests fill row by row."""

from collections.abc import AsyncIterator, Iterator

import pytest
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.embed_backlog import BacklogEmbedder
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.embeddings import register_model
from cortex_memory.trace_log import TraceLog
from cortex_memory.vector_shelves import VectorShelves
from memory.conftest import database, pool, warehouse
from recall.rows import EmbedAll, Rows
from recall.shelving import MEGABYTE, Vectors
from roxabi_contracts.catalogues import Catalogues

__all__ = [
    "bundled",
    "context",
    "database",
    "embed_all",
    "embedding",
    "no_embedding",
    "pool",
    "queries",
    "rows",
    "shelves",
    "traces",
    "vectors",
    "warehouse",
]


@pytest.fixture
def rows(pool: Pool) -> Rows:
    return Rows(pool)


@pytest.fixture(scope="session")
def bundled() -> BundledEmbedder:
    return BundledEmbedder()


@pytest.fixture
def embedding(bundled: BundledEmbedder) -> Iterator[EmbeddingService]:
    with EmbeddingService(lambda: bundled) as service:
        service.embedder = bundled
        yield service


@pytest.fixture
def no_embedding() -> Iterator[EmbeddingService]:
    with EmbeddingService(lambda: None) as service:
        yield service


@pytest.fixture
def vectors(pool: Pool) -> Vectors:
    return Vectors(pool)


@pytest.fixture
async def shelves(pool: Pool) -> AsyncIterator[VectorShelves]:
    opened = VectorShelves(pool, MEGABYTE)
    yield opened
    await opened.close()


@pytest.fixture
def traces(pool: Pool) -> TraceLog:
    return TraceLog(pool)


@pytest.fixture
def context(pool: Pool, embedding: EmbeddingService, traces: TraceLog) -> ContextAnswerer:
    return ContextAnswerer(pool, SystemClock(), Catalogues(), embedding, traces)


@pytest.fixture
def queries(pool: Pool, embedding: EmbeddingService, traces: TraceLog) -> QueryAnswerer:
    return QueryAnswerer(pool, Catalogues(), embedding, traces)


@pytest.fixture
def embed_all(pool: Pool, embedding: EmbeddingService, bundled: BundledEmbedder) -> EmbedAll:
    """Works off the whole backlog and answers the number of the model."""

    async def embed() -> int:
        async with connection(pool) as transaction:
            model = await register_model(
                transaction, bundled.name, bundled.digest, bundled.dimensions
            )
        backlog = BacklogEmbedder(pool, embedding)
        while await backlog.embed_batch(model):
            pass
        return model

    return embed
