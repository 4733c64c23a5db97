"""A fresh, migrated database for every test."""

import asyncio
import os
from collections.abc import AsyncGenerator, Generator
from contextlib import contextmanager
from itertools import count

import psycopg
import pytest
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.store.migrate import migrate
from memory.warehouse import Warehouse
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from services import Servers

_numbers = count()


@contextmanager
def fresh_database(superuser: str, template: str) -> Generator[str]:
    """The URL of a copy of a database, dropped in the end."""
    name = f"memory_test_{os.getpid()}_{next(_numbers)}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    make = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
    with psycopg.connect(superuser, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(make.format(sql.Identifier(name), sql.Identifier(template)))
        yield make_conninfo(superuser, dbname=name)
        connection.execute(drop)


@pytest.fixture
def empty_database(servers: Servers) -> Generator[str]:
    """The URL of a database with nothing in it but the vector extension."""
    with fresh_database(servers.superuser, "template0") as url:
        with psycopg.connect(url, autocommit=True) as database:
            database.execute("CREATE EXTENSION vector")
        yield url


@pytest.fixture(scope="session")
def migrated(servers: Servers) -> Generator[str]:
    """The URL of a migrated database to be read and copied, and left as it is."""
    with fresh_database(servers.superuser, "template0") as url:
        asyncio.run(migrate(url))
        yield url


@pytest.fixture
def database(servers: Servers, migrated: str) -> Generator[str]:
    """The URL of a migrated database."""
    template = str(conninfo_to_dict(migrated)["dbname"])
    with fresh_database(servers.superuser, template) as url:
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
