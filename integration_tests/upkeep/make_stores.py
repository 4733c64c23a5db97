"""Writes stores as today's code leaves them, for the upgrade tests of all versions to come.

Run it with a superuser's URL, the server's own `pg_dump` on the path, and nothing changed in
the checkout; a store that is there already is never written again:

    python -m upkeep.make_stores postgresql://... upkeep/stores
"""

import asyncio
import subprocess
import sys
from pathlib import Path

import psycopg
from cortex_insight.store import queries
from cortex_insight.store.db import Database
from cortex_insight.store.migrate import migrate as migrate_lake
from cortex_memory.store.db import open_pool
from cortex_memory.store.migrate import bundled_migrations, migrate
from lake_shells import ingest_on
from linked_source import receipt, record
from memory.test_dump import SAID
from memory.warehouse import Warehouse
from psycopg.conninfo import make_conninfo

NAME = "make_stores"
LEFT_OUT = ("migration", "posting", "lexical_scope")
"""Tables that the steps or the triggers fill by themselves."""


async def fill_memory(url: str) -> tuple[int, bytes]:
    """Retain a little of everything; the last step of the schema, and the dump."""
    await migrate(url)
    async with open_pool(url, size=4) as pool:
        warehouse = Warehouse(pool)
        await warehouse.retain(SAID)
        return bundled_migrations()[-1].number, b"\n".join(await warehouse.dump())


async def fill_lake(url: str) -> int:
    """Take in linked, read and refused events; the last step of the schema."""
    await migrate_lake(url)
    events = [
        record("a", text="first"),
        record("b", text="second", after=["a"]),
        record("bad", fault="reject"),
    ]
    async with Database(url) as database:
        await ingest_on(database).take([receipt(event) for event in events])
    return queries.migrations()[-1][0]


def dump_rows(url: str) -> bytes:
    """The rows of every table but those that fill by themselves, as statements."""
    command = ["pg_dump", "--data-only", "--column-inserts", "--dbname", url]
    command += [f"--exclude-table={table}" for table in LEFT_OUT]
    rows = subprocess.run(command, check=True, capture_output=True).stdout
    # Comments, orders to psql and settings of the session.
    left_out = (b"--", b"\\", b"SET ", b"SELECT pg_catalog.set_config")
    kept = [line for line in rows.splitlines() if line and not line.startswith(left_out)]
    return b"\n".join(kept) + b"\n"


def main(superuser: str, folder: Path) -> None:
    """Write both stores below the folder, named by the last step of their schema."""
    with psycopg.connect(superuser, autocommit=True) as connection:
        url = make_conninfo(superuser, dbname=NAME)
        for service in ("memory", "insight"):
            connection.execute(f"DROP DATABASE IF EXISTS {NAME} WITH (FORCE)")
            connection.execute(f"CREATE DATABASE {NAME} TEMPLATE template0")
            if service == "memory":
                number, dump = asyncio.run(fill_memory(url))
                (folder / f"memory-{number:04}.jsonl").write_bytes(dump + b"\n")
            else:
                number = asyncio.run(fill_lake(url))
            (folder / f"{service}-{number:04}.sql").write_bytes(dump_rows(url))
        connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
