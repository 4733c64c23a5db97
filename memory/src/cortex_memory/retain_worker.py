"""Runs Retain Jobs: leases them, looks for candidates, and lets one that fails fail alone."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from roxabi_contracts.observation import Observation
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.clock import Clock, now_ms
from cortex_memory.errors import StoreUnavailable
from cortex_memory.extractor.port import Extractor
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.model import IdentifierId
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.retain.current import current_of
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain_job import Found, Memory, RetainJob
from cortex_memory.store.db import Connection, Pool, connection, savepoint
from cortex_memory.store.evidence import (
    ObservationId,
    ObservationReader,
    due_groups,
    extracted_observations,
)
from cortex_memory.store.identities import IdentityChanges, entities_by_identifier
from cortex_memory.store.jobs import (
    Job,
    Lease,
    fail_job,
    finish_jobs,
    give_back,
    hold_jobs,
    lease_jobs,
)
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.projects import ProjectKeys

BATCH_JOBS: Final = 500
BATCH_SUBJECTS: Final = 200
IDLE_SECONDS: Final = 0.5
RETRY_SECONDS: Final = 1.0

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RetainParts:
    """What a worker works with."""

    pool: Pool
    clock: Clock
    keys: ProjectKeys
    catalogue: PredicateCatalogue
    extractor: Extractor
    fault: FaultPoint


class RetainWorker:
    """One of any number of workers on the queue."""

    def __init__(self, parts: RetainParts) -> None:
        self._parts = parts
        self._abandoned: list[int] = []

    async def run(self, stopping: asyncio.Event, arrived: asyncio.Event) -> None:
        """Work until told to stop, and finish what is in hand; wait for a database that is down."""
        while not stopping.is_set():
            try:
                busy = await self.run_once()
            except StoreUnavailable as error:
                _log.warning("retain_waits", reason=str(error).strip())
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if not busy:
                await _wait(arrived)

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
        self._abandoned.append(lease.token)
        await self._work_on(lease)
        self._abandoned.remove(lease.token)
        return True

    async def _return_abandoned(self) -> None:
        """Give back what an attempt left leased when the database went away."""
        while self._abandoned:
            await give_back(self._parts.pool, self._abandoned[-1])
            self._abandoned.pop()

    async def _work_on(self, lease: Lease) -> None:
        reader = ObservationReader()
        found = await self._extract(lease.jobs, reader)
        try:
            await self._apply(lease, reader, found, owned=False)
        except IdentityChanges:
            await self._apply(lease, reader, found, owned=True)
        self._parts.fault(Step.AFTER_APPLY_COMMIT)

    async def _extract(self, jobs: Sequence[Job], reader: ObservationReader) -> Found:
        """Look for candidates where nobody has looked yet, outside of any transaction."""
        extractor = self._parts.extractor
        async with connection(self._parts.pool) as transaction:
            records = await reader.revisions(transaction, jobs)
            current = {_id(seen): seen for seen in map(current_of, records.values())}
            known = await extracted_observations(
                transaction, current, extractor.name, extractor.version
            )
        # A current revision that is not among the jobs has a job of its own.
        ours = {(job.project, job.observation_id) for job in jobs} - known
        unseen = [seen for identity, seen in current.items() if identity in ours]
        found: dict[ObservationId, CandidateSet] = {}
        for seen, extraction in zip(unseen, await extractor.extract(unseen), strict=True):
            for rejected in extraction.rejected:
                _log.warning("candidate_rejected", observation=seen.id, reason=rejected.reason)
            found[_id(seen)] = CandidateSet(
                seen.id, extractor.name, extractor.version, extraction.facts
            )
        return found

    async def _apply(
        self, lease: Lease, reader: ObservationReader, found: Found, *, owned: bool
    ) -> None:
        async with connection(self._parts.pool) as transaction:
            jobs = await hold_jobs(transaction, lease)
            rules = await self._rules(transaction, {job.project for job in jobs})
            locked = await _lock(transaction, jobs, owned=owned)
            attempt = _Attempt(RetainJob(transaction, rules, reader, locked), transaction, lease)
            await attempt.retain(jobs, found)
            self._parts.fault(Step.BEFORE_APPLY_COMMIT)
        self._parts.keys.remember(rules.keys)
        _log.info("observations_retained", count=len(jobs))

    async def _fold_due(self) -> bool:
        """Fold the groups that time alone has changed."""
        now = now_ms(self._parts.clock)
        async with connection(self._parts.pool) as transaction:
            groups = await due_groups(transaction, now, BATCH_SUBJECTS)
            if not groups:
                return False
            projects: set[str] = {group.project for group in groups}
            rules = await self._rules(transaction, projects)
            await lock_projects(transaction, projects, owned=False)
            await lock_subjects(transaction, {(g.project, g.subject) for g in groups})
            # Another worker may have been faster while we waited for the locks.
            still_due = groups & await due_groups(transaction, now, BATCH_SUBJECTS)
            await RefoldJob(transaction, rules).refold(still_due)
        return True

    async def _rules(self, transaction: Connection, projects: set[str]) -> Rules:
        keys = await self._parts.keys.of(transaction, projects)
        return Rules(keys, self._parts.catalogue, now_ms(self._parts.clock))


class _Attempt:
    """Retains jobs together; where that fails, each of two halves, down to the one at fault."""

    def __init__(self, retain_job: RetainJob, transaction: Connection, lease: Lease) -> None:
        self._retain_job = retain_job
        self._transaction = transaction
        self._lease = lease

    async def retain(self, jobs: Sequence[Job], found: Found) -> None:
        if not jobs:
            return
        try:
            async with savepoint(self._transaction):
                await self._retain_job.retain(jobs, _found_by(jobs, found))
                await finish_jobs(self._transaction, self._lease.token, jobs)
        except (StoreUnavailable, IdentityChanges):
            raise
        except Exception as error:  # noqa: BLE001  (a top loop: the job keeps the error)
            await self._split(jobs, found, error)

    async def _split(self, jobs: Sequence[Job], found: Found, error: Exception) -> None:
        if len(jobs) > 1:
            middle = len(jobs) // 2
            await self.retain(jobs[:middle], found)
            await self.retain(jobs[middle:], found)
            return
        _log.error("job_failed", observation=jobs[0].observation_id, error=type(error).__name__)
        await fail_job(self._transaction, self._lease.token, jobs[0], repr(error))


async def _lock(transaction: Connection, jobs: Sequence[Job], *, owned: bool) -> set[Memory] | None:
    """Take the locks under which the jobs decide; null: the projects are owned as a whole."""
    await lock_projects(transaction, {job.project for job in jobs}, owned=owned)
    if owned:
        return None
    owners = {(job.project, job.subject_identifier) for job in jobs}
    entities = await entities_by_identifier(transaction, owners)
    memories: set[Memory] = {
        (project, entities.within(project)(IdentifierId(identifier)))
        for project, identifier in owners
    }
    await lock_subjects(transaction, memories)
    return memories


def _found_by(jobs: Sequence[Job], found: Found) -> Found:
    ids = {(job.project, job.observation_id) for job in jobs}
    return {seen: candidates for seen, candidates in found.items() if seen in ids}


def _id(observation: Observation) -> ObservationId:
    return (observation.project_id, observation.id)


async def _wait(arrived: asyncio.Event) -> None:
    """Until something arrives, or a while has passed."""
    try:
        async with asyncio.timeout(IDLE_SECONDS):
            await arrived.wait()
    except TimeoutError:
        return
    arrived.clear()
