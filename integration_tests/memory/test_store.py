"""The schema, its queries, and the invariants that the database keeps by itself."""

import asyncio
import re
from dataclasses import replace

import psycopg
import pytest
from cortex_memory.errors import (
    InvalidFact,
    InvariantBroken,
    MigrationChanged,
    StoreIsNewer,
    StoreUnavailable,
    TwoActiveFacts,
    TwoOpenConflicts,
    Unstorable,
)
from cortex_memory.refold_job import Rules
from cortex_memory.retain_job import RetainJob
from cortex_memory.store.db import CONSTRAINTS, connection
from cortex_memory.store.evidence import ObservationReader
from cortex_memory.store.jobs import Lease, lease_jobs
from cortex_memory.store.migrate import Migration, bundled_migrations, migrate
from cortex_memory.store.queries import all_queries
from memory.observing import claim, observe
from memory.warehouse import Warehouse
from psycopg.pq import ExecStatus
from roxabi_contracts.catalogues import Catalogues

PARIS = observe(claim("lives_in", "Paris"), at=1, ref="a")


async def test_migrating_twice_and_at_once_applies_each_step_once(empty_database: str) -> None:
    applied = await asyncio.gather(*(migrate(empty_database) for _ in range(3)))

    assert sorted(map(len, applied)) == [0, 0, len(bundled_migrations())]
    assert await migrate(empty_database) == []


async def test_a_step_that_was_changed_afterwards_is_refused(database: str) -> None:
    first, *others = bundled_migrations()

    with pytest.raises(MigrationChanged):
        await migrate(database, [replace(first, sql=first.sql + b"\n"), *others])


async def test_a_store_of_a_later_version_is_refused(database: str) -> None:
    later = Migration(9999, "9999_later.sql", b"SELECT 1")
    await migrate(database, [*bundled_migrations(), later])

    with pytest.raises(StoreIsNewer):
        await migrate(database)


async def test_a_step_that_fails_leaves_nothing_behind(database: str) -> None:
    broken = Migration(9999, "9999_broken.sql", b"CREATE TABLE half (); SELECT 1 / 0")

    with pytest.raises(Unstorable):
        await migrate(database, [*bundled_migrations(), broken])
    assert await migrate(database) == []


async def test_a_database_that_is_not_there_is_a_passing_trouble() -> None:
    with pytest.raises(StoreUnavailable):
        await migrate("postgresql://nobody@127.0.0.1:1/nothing")


@pytest.mark.parametrize("name", sorted(all_queries()))
def test_every_query_is_understood_by_the_migrated_schema(name: str, migrated: str) -> None:
    names: list[str] = []

    def numbered(found: re.Match[str]) -> str:
        parameter = found[1] or str(len(names))
        if parameter not in names:
            names.append(parameter)
        return f"${names.index(parameter) + 1}"

    text = re.sub(r"%(?:\((\w+)\))?[sb]", numbered, all_queries()[name].decode())
    with psycopg.connect(migrated) as checking:
        result = checking.pgconn.prepare(b"", text.replace("%%", "%").encode())
        assert result.status == ExecStatus.COMMAND_OK, result.error_message.decode()


COPY_OF_A_FACT = (
    b"INSERT INTO fact (project, subject, about, predicate, slot, id, value, value_digest, "
    b"qualifiers, text, status, authority, confidence, confirmations, kind, volatility, "
    b"valid_from, valid_until, first_said_at, last_confirmed_at, row_digest) "
    b"SELECT project, subject, about, predicate, slot, 'copy', value, value_digest, qualifiers, "
    b"text, %s, authority, %s, confirmations, kind, volatility, 5, %s, 1, 1, '' FROM fact"
)
BREAKING: dict[str, tuple[str, float, int | None]] = {
    "fact_one_active_per_slot": ("active", 1.0, None),
    "fact_status": ("doubtful", 1.0, None),
    "fact_interval": ("ended", 1.0, 4),
    "fact_confidence": ("ended", 1.5, None),
}


@pytest.mark.parametrize("constraint", BREAKING)
async def test_each_broken_invariant_of_facts_is_an_error_of_its_own(
    warehouse: Warehouse, constraint: str
) -> None:
    await warehouse.retain([PARIS])

    with pytest.raises(CONSTRAINTS[constraint]) as raised:
        async with connection(warehouse.pool) as transaction:
            await transaction.execute(COPY_OF_A_FACT, BREAKING[constraint])
    assert str(raised.value) == constraint


async def test_a_slot_has_one_open_conflict(warehouse: Warehouse) -> None:
    names = [observe(claim("name", value), at=1, ref=value) for value in ["Ann", "Anna"]]
    await warehouse.retain(names)

    with pytest.raises(TwoOpenConflicts):
        await warehouse.rows_without_answer(
            b"INSERT INTO conflict_set SELECT project, subject, about, predicate, slot, 'copy', "
            b"opened_at, closed_at, row_digest FROM conflict_set"
        )


def test_every_named_constraint_has_a_test() -> None:
    assert CONSTRAINTS.keys() == {*BREAKING, "conflict_set_one_open_per_slot"}
    assert {TwoActiveFacts, TwoOpenConflicts, InvalidFact} == set(InvariantBroken.__subclasses__())


async def test_without_the_lock_the_second_active_fact_is_refused(warehouse: Warehouse) -> None:
    """Two transactions that skip the lock fold one slot; the index stops the slower one."""
    await warehouse.retain([observe(claim("uses", "tea"), at=1, ref="first")])
    said = [observe(claim("lives_in", town), at=2, ref=town) for town in ["Rome", "Oslo"]]
    for each in said:
        await warehouse.inbox.store([each])
    # Who posts terms waits for the one before; here nobody may wait for anybody.
    await warehouse.rows_without_answer(b"ALTER TABLE episode DISABLE TRIGGER USER")
    lease = await lease_jobs(warehouse.pool, 10, 10)
    subject = str((await warehouse.rows(b"SELECT subject FROM subject_state"))[0][0])

    async def retain_without_lock(number: int, committing: asyncio.Event) -> None:
        alone = Lease(lease.token, lease.jobs[number : number + 1])
        async with connection(warehouse.pool) as transaction:
            keys = await warehouse.parts.keys.of(transaction, ["garden"])
            rules = Rules(keys, Catalogues(), now=10)
            job = RetainJob(transaction, rules, ObservationReader(), {("garden", subject)})
            await job.retain(alone.jobs)
            committing.set()
            await asyncio.sleep(0.5)

    first_has_written = asyncio.Event()
    first = asyncio.create_task(retain_without_lock(0, first_has_written))
    await first_has_written.wait()
    with pytest.raises(TwoActiveFacts):
        await retain_without_lock(1, asyncio.Event())
    await first
