"""A fresh, migrated database for every test."""

from collections.abc import AsyncGenerator, Generator
from itertools import count

import psycopg
import pytest
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.store.migrate import migrate
from psycopg import sql
from psycopg.conninfo import make_conninfo
from services import Servers

_numbers = count()


@pytest.fixture
def empty_database(servers: Servers) -> Generator[str]:
    """The URL of a database with nothing in it but the vector extension."""
    name = f"memory_test_{next(_numbers)}"
    url = make_conninfo(servers.superuser, dbname=name)
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    with psycopg.connect(servers.superuser, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        with psycopg.connect(url, autocommit=True) as database:
            database.execute("CREATE EXTENSION vector")
        yield url
        connection.execute(drop)


@pytest.fixture
async def database(empty_database: str) -> str:
    """The URL of a migrated database."""
    await migrate(empty_database)
    return empty_database


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool]:
    """Connections to a migrated database."""
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened
