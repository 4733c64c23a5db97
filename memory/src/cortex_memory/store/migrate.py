"""Brings the database to the schema of this version: numbered steps, forward only."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import psycopg

from cortex_memory.errors import MigrationChanged, StoreIsNewer
from cortex_memory.store.db import translated
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class Migration:
    """One numbered step."""

    number: int
    name: str
    sql: bytes

    @property
    def checksum(self) -> str:
        """SHA-256 of the step's text."""
        return hashlib.sha256(self.sql).hexdigest()


def bundled_migrations() -> list[Migration]:
    """The steps that this version knows, in order."""
    folder = resources.files("cortex_memory.store").joinpath("migrations")
    files = [file for file in folder.iterdir() if file.name.endswith(".sql")]
    steps = [Migration(int(file.name[:4]), file.name, file.read_bytes()) for file in files]
    return sorted(steps, key=lambda step: step.number)


async def migrate(url: str, migrations: Sequence[Migration] | None = None) -> list[str]:
    """Apply what is missing, each step in a transaction; the names of the steps applied.

    Any number of processes may call this at once: an advisory lock makes them take turns.

    Raises:
        MigrationChanged: an applied step differs from ours.
        StoreIsNewer: the database has steps that this version does not know.
        StoreUnavailable: the database cannot be reached.
    """
    steps = bundled_migrations() if migrations is None else migrations
    with translated():
        async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
            await connection.execute(query("migration.lock"))
            await connection.execute(query("migration.create_table"))
            rows = await (await connection.execute(query("migration.applied"))).fetchall()
            applied = {int(number): str(checksum) for number, checksum in rows}
            missing = _missing(steps, applied)
            for step in missing:
                async with connection.transaction():
                    await connection.execute(step.sql)
                    row = (step.number, step.name, step.checksum)
                    await connection.execute(query("migration.record"), row)
            return [step.name for step in missing]


def _missing(steps: Sequence[Migration], applied: dict[int, str]) -> list[Migration]:
    unknown = applied.keys() - {step.number for step in steps}
    if unknown:
        raise StoreIsNewer(f"the database has step {max(unknown)}, unknown to this version")
    for step in steps:
        if applied.get(step.number, step.checksum) != step.checksum:
            raise MigrationChanged(f"{step.name} is not what was applied")
    return [step for step in steps if step.number not in applied]
