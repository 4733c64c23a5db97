"""A migrated database for every test, and a memory in it that tests fill row by row."""

from collections.abc import AsyncIterator, Iterator

import pytest
from cortex_local.services import MEMORY
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.embed_backlog import BacklogEmbedder
from cortex_memory.store.db import Pool, connection, open_pool
from cortex_memory.store.embeddings import register_model
from cortex_memory.trace_log import TraceLog
from databases import DatabaseServer
from recall.rows import EmbedAll, Rows
from roxabi_contracts.predicates import bundled_catalogue


@pytest.fixture
def database(database_server: DatabaseServer) -> Iterator[str]:
    """The URL of a migrated database for one test."""
    with database_server.fresh(MEMORY) as url:
        yield url


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened


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
def traces(pool: Pool) -> TraceLog:
    return TraceLog(pool)


@pytest.fixture
def context(pool: Pool, embedding: EmbeddingService, traces: TraceLog) -> ContextAnswerer:
    return ContextAnswerer(pool, SystemClock(), bundled_catalogue(), embedding, traces)


@pytest.fixture
def queries(pool: Pool, embedding: EmbeddingService, traces: TraceLog) -> QueryAnswerer:
    return QueryAnswerer(pool, bundled_catalogue(), embedding, traces)


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
