"""The queue: leased in event order, fenced by a token, failed with a reason."""

import asyncio

from cortex_memory.store.db import connection
from cortex_memory.store.jobs import (
    Lease,
    fail_job,
    finish_jobs,
    give_back,
    hold_jobs,
    lease_jobs,
)
from memory.observing import BOB, observe
from memory.warehouse import Warehouse

SAID = [observe(at=at, ref=f"r{at}") for at in (30, 10, 20)]
EXPIRE = b"UPDATE job SET due_at = now() - interval '1 second'"


async def _held(warehouse: Warehouse, lease: Lease) -> int:
    async with connection(warehouse.pool) as transaction:
        return len(await hold_jobs(transaction, lease))


async def test_of_one_memory_the_earliest_said_is_taken_first(warehouse: Warehouse) -> None:
    for each in SAID:
        await warehouse.inbox.store([each])

    taken = [(await lease_jobs(warehouse.pool, 1, 1)).jobs for _ in range(4)]

    earliest_first = [SAID[1].id, SAID[2].id, SAID[0].id]
    assert [job.observation_id for jobs in taken for job in jobs] == earliest_first
    assert taken[3] == ()


async def test_a_batch_holds_a_bounded_number_of_memories(warehouse: Warehouse) -> None:
    bobs = observe(at=1, ref="b", actors=[BOB])
    await warehouse.inbox.store([*SAID, bobs])

    first = await lease_jobs(warehouse.pool, 10, 1)
    second = await lease_jobs(warehouse.pool, 10, 1)

    assert sorted([len(first.jobs), len(second.jobs)]) == [1, 3]


async def test_no_job_is_leased_twice_at_once(warehouse: Warehouse) -> None:
    await warehouse.inbox.store([observe(at=at, ref=f"r{at}") for at in range(60)])

    leases = await asyncio.gather(*(lease_jobs(warehouse.pool, 20, 5) for _ in range(4)))

    taken = [job.observation_id for lease in leases for job in lease.jobs]
    assert len(taken) == len(set(taken))


async def test_a_lease_that_ran_out_holds_finishes_and_fails_nothing(
    warehouse: Warehouse,
) -> None:
    await warehouse.inbox.store(SAID[:1])
    stale = await lease_jobs(warehouse.pool, 1, 1)
    await warehouse.rows_without_answer(EXPIRE)
    fresh = await lease_jobs(warehouse.pool, 1, 1)

    assert (await _held(warehouse, stale), await _held(warehouse, fresh)) == (0, 1)
    async with connection(warehouse.pool) as transaction:
        await finish_jobs(transaction, stale.token, stale.jobs)
        await fail_job(transaction, stale.token, stale.jobs[0], "too late")
    await give_back(warehouse.pool, stale.token)
    assert await warehouse.rows(b"SELECT state, attempts, error FROM job") == [("leased", 2, None)]


async def test_an_observation_that_changes_takes_the_lease_away(warehouse: Warehouse) -> None:
    await warehouse.inbox.store(SAID[:1])
    lease = await lease_jobs(warehouse.pool, 1, 1)
    later = SAID[0].made_by.model_copy(update={"parser": 9})
    await warehouse.inbox.store([SAID[0].model_copy(update={"made_by": later})])

    assert await _held(warehouse, lease) == 0


async def test_what_was_given_back_can_be_taken_at_once(warehouse: Warehouse) -> None:
    await warehouse.inbox.store(SAID)
    lease = await lease_jobs(warehouse.pool, 10, 10)
    assert (await lease_jobs(warehouse.pool, 10, 10)).jobs == ()

    await give_back(warehouse.pool, lease.token)

    again = await lease_jobs(warehouse.pool, 10, 10)
    assert [job.attempts for job in again.jobs] == [1, 1, 1]


async def test_a_failed_job_keeps_its_reason_and_waits(warehouse: Warehouse) -> None:
    await warehouse.inbox.store(SAID[:1])
    lease = await lease_jobs(warehouse.pool, 1, 1)
    async with connection(warehouse.pool) as transaction:
        await fail_job(transaction, lease.token, lease.jobs[0], "no reason")

    assert (await lease_jobs(warehouse.pool, 1, 1)).jobs == ()
    assert await warehouse.rows(
        b"SELECT state, error, due_at BETWEEN now() AND now() + interval '3 seconds' FROM job"
    ) == [("failed", "no reason", True)]
