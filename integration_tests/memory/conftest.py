"""A fresh, migrated database for every test."""

import os
from collections.abc import AsyncIterator, Iterator
from itertools import count

import psycopg
import pytest
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.store.migrate import migrate
from psycopg import sql

from memory.warehouse import Warehouse

_numbers = count()


@pytest.fixture
def empty_database() -> Iterator[str]:
    """The URL of a database with nothing in it but the vector extension."""
    server = os.environ["CORTEX_TEST_POSTGRES_URL"]
    name = f"memory_test_{os.getpid()}_{next(_numbers)}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    make = sql.SQL("CREATE DATABASE {} TEMPLATE template_vector").format(sql.Identifier(name))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(make)
        yield psycopg.conninfo.make_conninfo(server, dbname=name)
        connection.execute(drop)


@pytest.fixture
async def database(empty_database: str) -> str:
    """The URL of a migrated database."""
    await migrate(empty_database)
    return empty_database


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    """Connections to a migrated database."""
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened


@pytest.fixture
def warehouse(pool: Pool) -> Warehouse:
    """A warehouse on a fresh database."""
    return Warehouse(pool)
