"""The queue of observations to retain: leased, fenced by a token, failed with a reason."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from psycopg.rows import class_row, tuple_row

from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.queries import query

LEASE_SECONDS: Final = 15.0
LONGEST_DELAY_SECONDS: Final = 3600.0


@dataclass(frozen=True, slots=True)
class Job:
    """An observation to retain."""

    project: str
    observation_id: str
    subject_identifier: str
    attempts: int

    @property
    def delay(self) -> float:
        """Seconds until the next attempt: doubling, at most an hour."""
        return float(min(2.0 ** min(self.attempts, 16), LONGEST_DELAY_SECONDS))


@dataclass(frozen=True, slots=True)
class Lease:
    """Jobs that are ours until the lease runs out; the token tells whether they still are."""

    token: int
    jobs: tuple[Job, ...]


async def lease_jobs(pool: Pool, jobs: int, subjects: int) -> Lease:
    """Take due jobs, of a bounded number of subjects, for `LEASE_SECONDS`."""
    async with connection(pool) as transaction:
        token = await next_token(transaction)
        cursor = transaction.cursor(row_factory=class_row(Job))
        bounds = {"jobs": jobs, "subjects": subjects, "token": token, "seconds": LEASE_SECONDS}
        await cursor.execute(query("jobs.lease"), bounds)
        return Lease(token, tuple(await cursor.fetchall()))


async def next_token(transaction: Connection) -> int:
    """A number that no other lease has."""
    cursor = await transaction.cursor(row_factory=tuple_row).execute(query("jobs.next_token"))
    row = await cursor.fetchone()
    assert row is not None  # a sequence always answers
    return int(row[0])


async def hold_jobs(transaction: Connection, lease: Lease) -> list[Job]:
    """Those jobs that are still ours; nobody can take them before the transaction ends."""
    cursor = await transaction.execute(query("jobs.hold"), _columns(lease.token, lease.jobs))
    ours = {(str(project), str(identity)) for project, identity in await cursor.fetchall()}
    return [job for job in lease.jobs if (job.project, job.observation_id) in ours]


async def finish_jobs(transaction: Connection, token: int, jobs: Sequence[Job]) -> None:
    """These are done, once the transaction commits."""
    await transaction.execute(query("jobs.finish"), _columns(token, jobs))


async def fail_job(transaction: Connection, token: int, job: Job, error: str) -> None:
    """Keep the reason, and try again later."""
    row = {
        "project": job.project,
        "id": job.observation_id,
        "token": token,
        "error": error[:2000],
        "delay": job.delay,
    }
    await transaction.execute(query("jobs.fail"), row)


async def give_back(pool: Pool, token: int) -> None:
    """Return what was leased and is not finished."""
    async with connection(pool) as transaction:
        await transaction.execute(query("jobs.give_back"), {"token": token})


async def requeue_failed(
    transaction: Connection, project: str, observation_ids: Sequence[str] | None = None
) -> int:
    """Let failed jobs of a project, those named or all, be tried at once; how many."""
    ids = None if observation_ids is None else list(observation_ids)
    row = {"project": project, "ids": ids}
    return (await transaction.execute(query("jobs.requeue_failed"), row)).rowcount


async def requeue_observations(
    transaction: Connection, project: str, observation_ids: Sequence[str]
) -> int:
    """Queue these observations, whether their jobs failed or are done; how many are known."""
    row = {"project": project, "ids": list(observation_ids)}
    return (await transaction.execute(query("jobs.requeue_observations"), row)).rowcount


def _columns(token: int, jobs: Sequence[Job]) -> dict[str, object]:
    return {
        "token": token,
        "projects": [job.project for job in jobs],
        "ids": [job.observation_id for job in jobs],
    }
