"""The database has the schema that the statements need, however many processes bring it there."""

import asyncio

import pytest
from cortex_insight.errors import StoreRefused, StoreUnavailable
from cortex_insight.store import queries
from cortex_insight.store.db import Database
from cortex_insight.store.migrate import migrate
from psycopg.conninfo import make_conninfo


async def test_a_migrated_database_needs_no_migration(lake_url: str) -> None:
    assert await migrate(lake_url) == []


async def test_two_processes_migrate_once(lake_url: str, database: Database) -> None:
    async with database.transaction() as transaction:
        await transaction.execute(b"DROP SCHEMA public CASCADE", {})
        await transaction.execute(b"CREATE SCHEMA public", {})
    applied = await asyncio.gather(*(migrate(lake_url) for _ in range(3)))
    names = [name for _, name, _ in queries.migrations()]
    assert sorted(applied) == [[], [], names]


async def test_a_database_that_is_away_is_unavailable(lake_url: str) -> None:
    away = make_conninfo(lake_url, host="/nonexistent")
    with pytest.raises(StoreUnavailable):
        await migrate(away)


async def test_what_the_database_refuses_carries_no_value(database: Database) -> None:
    with pytest.raises(StoreRefused) as refused:
        async with database.transaction() as transaction:
            await transaction.execute(b"SELECT %(secret)s::integer", {"secret": "hunter2"})
    assert "hunter2" not in str(refused.value)
