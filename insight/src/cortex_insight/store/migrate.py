"""Brings the database to the schema that this version needs; forward only."""

import psycopg

from cortex_insight.store import queries
from cortex_insight.store.db import translated

_SQL = queries.load("migrate")


async def migrate(database_url: str, last: int | None = None) -> list[str]:
    """Apply what is missing, one process at a time; the names of what was applied.

    Args:
        database_url: Where the database is.
        last: The last step to apply; null: all of them.

    Raises:
        StoreUnavailable: the database cannot be reached.
        StoreRefused: it refuses a statement.
    """
    with translated():
        connection = await psycopg.AsyncConnection.connect(database_url, autocommit=True)
        async with connection:
            await connection.execute(_SQL["lock_migration"])
            await connection.execute(_SQL["create_migration_table"])
            applied = await _apply_missing(connection, last)
            await connection.execute(_SQL["unlock_migration"])
            return applied


async def _apply_missing(connection: psycopg.AsyncConnection, last: int | None) -> list[str]:
    done = {row[0] for row in await (await connection.execute(_SQL["select_applied"])).fetchall()}
    applied: list[str] = []
    for number, name, statements in queries.migrations():
        if number in done or (last is not None and number > last):
            continue
        async with connection.transaction():
            await connection.execute(statements)
            await connection.execute(_SQL["insert_applied"], {"number": number, "name": name})
        applied.append(name)
    return applied
