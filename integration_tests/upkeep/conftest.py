"""A warehouse and a lake on fresh databases."""

from collections.abc import AsyncGenerator

import pytest
from cortex_insight.store.db import Database
from cortex_local.services import INSIGHT
from databases import DatabaseServer
from memory.conftest import database, empty_database, migrated, pool, warehouse

__all__ = ["database", "empty_database", "lake", "migrated", "pool", "warehouse"]


@pytest.fixture
async def lake(database_server: DatabaseServer) -> AsyncGenerator[Database]:
    """Connections to an empty, migrated database of the lake's own role."""
    with database_server.fresh(INSIGHT) as url:
        async with Database(url) as opened:
            yield opened
