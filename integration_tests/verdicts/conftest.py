"""A warehouse on a fresh database."""

from collections.abc import AsyncGenerator, Generator

import pytest
from cortex_local.services import MEMORY
from cortex_memory.store.db import Pool, open_pool
from databases import DatabaseServer
from memory.warehouse import Warehouse


@pytest.fixture
def database(database_server: DatabaseServer) -> Generator[str]:
    """The URL of a migrated database."""
    with database_server.fresh(MEMORY) as url:
        yield url


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool]:
    """Connections to a migrated database."""
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened


@pytest.fixture
def warehouse(pool: Pool) -> Warehouse:
    """A warehouse on a fresh database."""
    return Warehouse(pool)
