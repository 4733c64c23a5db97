"""The queue of observations about which a model is asked before they are retained."""

from collections.abc import Iterable
from datetime import date

from psycopg.rows import class_row
from roxabi_contracts.observation import Observation

from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.jobs import Job, Lease, next_token
from cortex_memory.store.queries import query


async def await_model(transaction: Connection, observations: Iterable[Observation]) -> None:
    """Let the jobs of these wait for a model, but of those about which it was ever asked."""
    wanted = sorted({(seen.project_id, seen.id) for seen in observations})
    columns = {
        "project": [project for project, _ in wanted],
        "id": [identity for _, identity in wanted],
    }
    await transaction.execute(query("asking.await_model"), columns)


async def lease_questions(
    pool: Pool, jobs: int, seconds: float, day: date, budget: int | None
) -> Lease:
    """Take the first waiting observation of some memories on which nobody works.

    Args:
        pool: Of connections.
        jobs: At most so many.
        seconds: For so long they are ours.
        day: Today, in UTC.
        budget: Tokens a day and project, above which nothing more is taken; null: no bound.
    """
    async with connection(pool) as transaction:
        token = await next_token(transaction)
        bounds = {"jobs": jobs, "seconds": seconds, "day": day, "budget": budget, "token": token}
        cursor = transaction.cursor(row_factory=class_row(Job))
        await cursor.execute(query("asking.lease"), bounds)
        return Lease(token, tuple(await cursor.fetchall()))


async def release(transaction: Connection, token: int, job: Job) -> None:
    """The job waits for its model no longer."""
    row = {"project": job.project, "id": job.observation_id, "token": token}
    await transaction.execute(query("asking.release"), row)


async def give_up(transaction: Connection, token: int, job: Job, reason: str) -> None:
    """The job is not tried again before an operator asks for it."""
    row = {"project": job.project, "id": job.observation_id, "token": token, "error": reason}
    await transaction.execute(query("asking.give_up"), row)


async def release_all(pool: Pool) -> int:
    """No job waits for a model any longer; how many did."""
    async with connection(pool) as transaction:
        return (await transaction.execute(query("asking.release_all"))).rowcount
