"""Runs Retain Jobs: leases what waits, has it retained, and folds what has become due."""

import asyncio
from typing import Final

import structlog

from cortex_memory.clock import now_ms
from cortex_memory.embed.port import EmbeddingFailed
from cortex_memory.errors import StoreUnavailable
from cortex_memory.faults import Step
from cortex_memory.refold_job import RefoldJob
from cortex_memory.retain_batch import BatchRetainer, RetainParts, rules_of
from cortex_memory.store.db import connection
from cortex_memory.store.evidence import due_groups
from cortex_memory.store.jobs import Lease, give_back, lease_jobs
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.statistics import analyze_new_store
from cortex_memory.waiting import arrival

BATCH_JOBS: Final = 500
BATCH_SUBJECTS: Final = 300
"""Each takes a lock of the database, which has room for some thousands by default."""
IDLE_SECONDS: Final = 0.5
RETRY_SECONDS: Final = 1.0

_log = structlog.get_logger()


class RetainWorker:
    """One of any number of workers on the queue."""

    def __init__(self, parts: RetainParts) -> None:
        self._parts = parts
        self._batches = BatchRetainer(parts)
        self._abandoned: list[Lease] = []
        self._has_retained = False

    async def run(self, stopping: asyncio.Event, arrived: asyncio.Event) -> None:
        """Work until told to stop, and finish what is in hand; wait for a database that is down."""
        while not stopping.is_set():
            try:
                busy = await self.run_once()
            except StoreUnavailable as error:
                _log.warning("retain_waits", reason=str(error).strip())
                await asyncio.sleep(RETRY_SECONDS)
                continue
            except Exception:  # noqa: BLE001  (a top loop: the lease runs out, and all comes again)
                _log.exception("retain_failed")
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if not busy:
                await arrival(arrived, IDLE_SECONDS)

    async def run_once(self) -> bool:
        """Retain one batch and fold what is due; whether there was anything to do.

        Raises:
            StoreUnavailable: the batch is left as it was.
        """
        await self._return_abandoned()
        folded = await self._fold_due()
        lease = await lease_jobs(self._parts.pool, BATCH_JOBS, BATCH_SUBJECTS)
        if not lease.jobs:
            return folded
        self._parts.fault(Step.AFTER_LEASE)
        self._abandoned.append(lease)
        await self._batches.retain(lease)
        self._abandoned.remove(lease)
        if not self._has_retained:
            await analyze_new_store(self._parts.pool)
            self._has_retained = True
        return True

    async def _return_abandoned(self) -> None:
        """Give back what an attempt left leased when the database went away."""
        while self._abandoned:
            await give_back(self._parts.pool, self._abandoned[-1].token)
            self._abandoned.pop()

    async def _fold_due(self) -> bool:
        """Fold the groups that time alone has changed, or a verdict on names."""
        try:
            return await self._parts.judge.judged(self._fold_due_groups)
        except EmbeddingFailed as error:
            _log.warning("names_wait", reason=str(error))
            return False

    async def _fold_due_groups(self) -> bool:
        now = now_ms(self._parts.clock)
        async with connection(self._parts.pool) as transaction:
            groups = await due_groups(transaction, now, BATCH_SUBJECTS)
            if not groups:
                return False
            projects: set[str] = {group.project for group in groups}
            rules = await rules_of(self._parts, transaction, projects)
            await lock_projects(transaction, projects, owned=False)
            await lock_subjects(transaction, {(g.project, g.subject) for g in groups})
            # Another worker may have been faster while we waited for the locks.
            still_due = groups & await due_groups(transaction, now, BATCH_SUBJECTS)
            await RefoldJob(transaction, rules).refold(still_due, recheck=True)
        return True
