"""A store of any former version, with its data, becomes one of today that says the same."""

import hashlib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Final

import psycopg
import pytest
from cortex_insight.store import queries
from cortex_insight.store.db import Database
from cortex_insight.store.migrate import migrate as migrate_lake
from cortex_memory.rebuild import rebuild
from cortex_memory.store.db import open_pool
from cortex_memory.store.migrate import bundled_migrations, migrate
from lake_shells import dead_letters_on
from memory.warehouse import Warehouse
from psycopg import sql
from roxabi_contracts.upkeep import DeadLettersRequest

STORES: Final = Path(__file__).parent / "stores"
"""Rows, and of memory the dump, as the version of a step left them: see `make_stores.py`."""

FROZEN: Final = {
    "cortex_insight": {
        "0001_lake.sql": "e3b3fd4a7638cca44df61efc1c9037ab5e8099731841d2b8ab96a9052416d657",
        "0002_forget.sql": "24d259aad3c3a418d597e2a7e4339ca051d297310f4ae74964c4d374fb97fa5a",
        "0003_upkeep.sql": "4325c1d673e057da335d66e9df2841a487233905b5c8d1275e515f2b16a96447",
        "0004_replay.sql": "cd9b5649500b57cdba7bec48c8a0909dee826e9d4927668e704970cf66ca57c4",
        "0005_model.sql": "dcd49f3f0b9770fc5bbcf6a40147fa29db054a151431c02ac824eaa66b0db4d0",
        "0006_redactions.sql": "e9c9904c1df28a51c93c79ae8f09d03cd4c08cfca0635ed994de2138af5acd87",
    },
    "cortex_memory": {
        "0001_schema.sql": "8536d02a3256f279b93ff77988dd1704a8f9541fb996e5b6dbf77c9ff73d6c36",
        "0002_decisions.sql": "9d1e0d345105aeceb9795deda0d58292017c715407597e5e2cbf09b919bb858a",
        "0003_forget.sql": "7b33840b1c39e277ad0bd4c0a747071ff53aa80565a6c12e447b332e5eb07818",
        "0004_upkeep.sql": "8cc376ab169e84d19b1fd9f478f0cb6ebd6770cfac666cae3bd949ac69979224",
        "0005_model.sql": "baf8a69b3ee04492ed2a3d47af21c3723acef0a2ac6392c5ff97e77317e18776",
        "0006_context.sql": "7aabcaa235b04abe8ade898241c3c9a6ed06c58eaffe9b03138556a555734264",
        "0007_identity.sql": "300c5cff6d1b83315f55f6055f514eb8912c5241ab239e5416c522d126915e0c",
        "0008_verdicts.sql": "5ace6b10b0e12853dc6daa508d04f70b8f5557d847951d095ab996ecb205f22a",
        "0009_lexical.sql": "aea59966cd6b2f9b2471ef2eaae994691a3172712cb59ea330d4b2d3b82c415b",
        "0010_catalogue.sql": "6c5f9738cfb7107810cdea038b8f51af3a5b40c2086bf6719c353bc1569042d0",
        "0011_vectors.sql": "7b70757f57f0a265c19b22f55b1e992639111f33bfc428ad505d584c55279e7d",
    },
}
"""SHA-256 of every step that some store may have taken: a change of the schema is a new step."""


@pytest.mark.parametrize("package", FROZEN)
def test_a_step_that_was_released_is_never_changed(package: str) -> None:
    folder = files(f"{package}.store").joinpath("migrations")
    bundled = {
        entry.name: hashlib.sha256(entry.read_bytes()).hexdigest()
        for entry in folder.iterdir()
        if entry.name.endswith(".sql")
    }
    assert FROZEN[package].items() <= bundled.items()


def stores_of(service: str) -> list[Path]:
    return sorted(STORES.glob(f"{service}-*.sql"))


def step_of(store: Path) -> int:
    return int(store.stem.rsplit("-", 1)[1])


def load(url: str, store: Path) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(store.read_bytes())


def row_counts(url: str) -> dict[str, int]:
    """How many rows each table has, but that of the steps."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            b"SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
        ).fetchall()
        counts: dict[str, int] = {}
        for (name,) in found:
            counting = sql.SQL("SELECT count(*) FROM {}").format(sql.Identifier(name))
            row = connection.execute(counting).fetchone()
            assert row is not None
            counts[name] = int(row[0])
    del counts["migration"]
    return counts


def lost(before: Mapping[str, int], after: Mapping[str, int]) -> dict[str, int]:
    return {name: count for name, count in before.items() if after.get(name, 0) < count}


def test_there_is_a_store_of_the_first_version() -> None:
    assert [step_of(stores_of(service)[0]) for service in ("memory", "insight")] == [1, 1]


@pytest.mark.parametrize("store", stores_of("memory"), ids=lambda store: store.stem)
async def test_a_memory_goes_through_every_later_step_and_says_the_same(
    empty_database: str, store: Path
) -> None:
    steps = bundled_migrations()
    earlier = [step for step in steps if step.number <= step_of(store)]
    await migrate(empty_database, earlier)
    load(empty_database, store)
    held = row_counts(empty_database)
    assert min(held["observation"], held["candidate"], held["fact"], held["conflict_set"]) > 0

    for known in range(len(earlier) + 1, len(steps) + 1):
        assert await migrate(empty_database, steps[:known]) == [steps[known - 1].name]
        assert lost(held, row_counts(empty_database)) == {}

    async with open_pool(empty_database, size=4) as pool:
        warehouse = Warehouse(pool)
        said_before = store.with_suffix(".jsonl").read_bytes().splitlines()
        assert await warehouse.dump() == said_before
        assert await warehouse.reference() == said_before
        await rebuild(warehouse.parts, None, lambda done, total: None)
        assert await warehouse.dump() == said_before


@pytest.mark.parametrize("store", stores_of("insight"), ids=lambda store: store.stem)
async def test_a_lake_goes_through_every_later_step_and_keeps_all(
    empty_database: str, store: Path
) -> None:
    await migrate_lake(empty_database, last=step_of(store))
    load(empty_database, store)
    held = row_counts(empty_database)
    assert min(held["raw_event"], held["outbox"], held["dead_letter"]) > 0

    for number, name, _ in queries.migrations():
        if number > step_of(store):
            assert await migrate_lake(empty_database, last=number) == [name]
            assert lost(held, row_counts(empty_database)) == {}

    async with Database(empty_database) as database:
        asked = DeadLettersRequest(project="p", retry=True)
        reply = await dead_letters_on(database).answer(asked)
    assert [(letter.code, letter.attempts) for letter in reply.letters] == [("unreadable", 2)]
    assert row_counts(empty_database)["outbox"] == held["outbox"]
