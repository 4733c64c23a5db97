"""A fresh, migrated database for every test."""

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from itertools import count

import psycopg
import pytest
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.store.migrate import migrate
from psycopg import sql

from memory.warehouse import Warehouse

_numbers = count()


@pytest.fixture(scope="session")
def server() -> str:
    """The URL of a server on which databases can be made."""
    return os.environ["CORTEX_TEST_POSTGRES_URL"]


@contextmanager
def fresh_database(server: str, template: str) -> Iterator[str]:
    """The URL of a new database, dropped in the end."""
    name = f"memory_test_{os.getpid()}_{next(_numbers)}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(make.format(sql.Identifier(name), sql.Identifier(template)))
    yield psycopg.conninfo.make_conninfo(server, dbname=name)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(drop)


@pytest.fixture(scope="session")
def migrated_template(server: str) -> Iterator[str]:
    """The name of a migrated database, to be copied."""
    with fresh_database(server, "template_vector") as url:
        asyncio.run(migrate(url))
        yield psycopg.conninfo.conninfo_to_dict(url)["dbname"]


@pytest.fixture
def empty_database(server: str) -> Iterator[str]:
    """The URL of a database with nothing in it but the vector extension."""
    with fresh_database(server, "template_vector") as url:
        yield url


@pytest.fixture
def database(server: str, migrated_template: str) -> Iterator[str]:
    """The URL of a migrated database."""
    with fresh_database(server, migrated_template) as url:
        yield url


@pytest.fixture
async def pool(database: str) -> AsyncIterator[Pool]:
    """Connections to a migrated database."""
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened


@pytest.fixture
def warehouse(pool: Pool) -> Warehouse:
    """A warehouse on a fresh database."""
    return Warehouse(pool)
