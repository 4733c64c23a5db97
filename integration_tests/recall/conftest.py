"""A migrated database for every test, and a memory in it that tests fill row by row."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from itertools import count

import psycopg
import pytest
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.bundled import BundledEmbedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.embed_backlog import BacklogEmbedder
from cortex_memory.store.db import Pool, connection, open_pool
from cortex_memory.store.embeddings import register_model
from cortex_memory.store.migrate import migrate
from cortex_memory.trace_log import TraceLog
from psycopg import sql
from psycopg.conninfo import make_conninfo
from recall.rows import EmbedAll, Rows
from roxabi_contracts.predicates import bundled_catalogue
from services import Servers

_numbers = count()


@pytest.fixture(scope="session")
def migrated(servers: Servers) -> Iterator[sql.Identifier]:
    """A migrated database, to be cloned."""
    name = sql.Identifier("recall_test")
    url = make_conninfo(servers.superuser, dbname="recall_test")
    with psycopg.connect(servers.superuser, autocommit=True) as connected:
        connected.execute(sql.SQL("CREATE DATABASE {}").format(name))
        asyncio.run(migrate(url))
        yield name
        connected.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture
def database(servers: Servers, migrated: sql.Identifier) -> Iterator[str]:
    """The URL of a migrated database for one test."""
    dbname = f"recall_test_{next(_numbers)}"
    name = sql.Identifier(dbname)
    with psycopg.connect(servers.superuser, autocommit=True) as connected:
        connected.execute(sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(name, migrated))
        yield make_conninfo(servers.superuser, dbname=dbname)
        connected.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


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
