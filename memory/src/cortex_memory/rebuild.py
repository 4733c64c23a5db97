"""Computes everything that is derived once more, from the journal alone."""

import asyncio
import sys
from collections.abc import Callable
from typing import Final

from cortex_memory.retain_worker import RetainWorker
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.jobs import enqueue_project, waiting_jobs
from cortex_memory.store.projects import all_projects
from cortex_memory.store.rebuild import clear_derived

Progress = Callable[[int, int], None]
"""Told how many observations are retained, of how many."""

WAIT_SECONDS: Final = 0.2


async def rebuild(pool: Pool, project: str | None, worker: RetainWorker, tell: Progress) -> None:
    """Clear what is derived and retain every observation of the journal again.

    Nobody reads a half-cleared memory: each project is cleared, and its observations queued, in
    one transaction. What remains is ordinary work: an interrupted rebuild is finished by any
    worker.

    Raises:
        StoreUnavailable: the database went away; the queue keeps what is left.
    """
    async with connection(pool) as transaction:
        projects = [project] if project is not None else await all_projects(transaction)
    for each in projects:
        async with connection(pool) as transaction:
            await clear_derived(transaction, each)
            await enqueue_project(transaction, each)
        await _drain(pool, each, worker, tell)


async def _drain(pool: Pool, project: str, worker: RetainWorker, tell: Progress) -> None:
    total = 0
    while True:
        async with connection(pool) as transaction:
            waiting, _ = await waiting_jobs(transaction, project)
        total = max(total, waiting)
        tell(total - waiting, total)
        if not waiting:
            return
        if not await worker.run_once():
            await asyncio.sleep(WAIT_SECONDS)


def progress_on_stderr(done: int, total: int) -> None:
    """One line for each step."""
    sys.stderr.write(f"rebuilt {done} of {total} observations\n")
    sys.stderr.flush()
