"""Retains leased jobs together in one transaction; a job that fails is undone alone."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog
from roxabi_contracts.catalogues import Catalogues

from cortex_memory.clock import Clock, now_ms
from cortex_memory.embed.port import EmbeddingFailed
from cortex_memory.errors import StoreUnavailable
from cortex_memory.failure import reason_of
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.judge_names import NameJudge, NamesUnjudged
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import IdentifierId
from cortex_memory.refold_job import Rules
from cortex_memory.retain_job import Memory, RetainJob
from cortex_memory.store.db import Connection, Pool, connection, savepoint
from cortex_memory.store.evidence import ObservationReader
from cortex_memory.store.identities import IdentityChanges, entities_by_identifier
from cortex_memory.store.jobs import Job, Lease, fail_job, finish_jobs, hold_jobs
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.projects import ProjectKeys

UNDOING_ALL: Final = (StoreUnavailable, IdentityChanges)

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class RetainParts:
    """What retaining works with; workers of one process share the folds."""

    pool: Pool
    clock: Clock
    keys: ProjectKeys
    catalogues: Catalogues
    judge: NameJudge
    fault: FaultPoint
    folds: KeptFolds = field(default_factory=KeptFolds)


class BatchRetainer:
    """Retains what was leased."""

    def __init__(self, parts: RetainParts) -> None:
        self._parts = parts

    async def retain(self, lease: Lease) -> None:
        """Retain those jobs that are still ours; whichever fails keeps its reason.

        Raises:
            StoreUnavailable: nothing has happened.
        """
        try:
            try:
                await self._retain_judged(lease, owned=False)
            except IdentityChanges:
                await self._retain_judged(lease, owned=True)
        except StoreUnavailable:
            self._parts.folds.forget()
            raise
        self._parts.fault(Step.AFTER_APPLY_COMMIT)

    async def _retain_judged(self, lease: Lease, *, owned: bool) -> None:
        """Have names judged that meet; where no model answers, the jobs that need it fail alone."""
        try:
            await self._parts.judge.judged(partial(self._retain, lease, owned=owned))
        except EmbeddingFailed as error:
            _log.warning("names_wait", reason=str(error))
            await self._retain(lease, owned=owned, can_judge=False)

    async def _retain(self, lease: Lease, *, owned: bool, can_judge: bool = True) -> None:
        async with connection(self._parts.pool) as transaction:
            jobs = await hold_jobs(transaction, lease)
            if not jobs:
                return
            rules = await rules_of(self._parts, transaction, {job.project for job in jobs})
            locked = await _lock(transaction, jobs, owned=owned)
            job = RetainJob(transaction, rules, ObservationReader(), locked, self._parts.folds)
            raised = (*UNDOING_ALL, NamesUnjudged) if can_judge else UNDOING_ALL
            failed = await _attempt(transaction, lease.token, job, jobs, raised)
            self._parts.fault(Step.BEFORE_APPLY_COMMIT)
        self._parts.keys.remember(rules.keys)
        _log.info("observations_retained", count=len(jobs) - failed)


async def _attempt(
    transaction: Connection,
    token: int,
    retaining: RetainJob,
    jobs: Sequence[Job],
    raised: tuple[type[Exception], ...],
) -> int:
    """Retain jobs in a savepoint they share; how many failed; what is `raised` undoes all.

    Where that fails, each of two halves has a savepoint of its own, down to the job at fault:
    a job that can be retained costs no savepoint, and one that cannot undoes no other.
    """
    try:
        async with savepoint(transaction):
            await retaining.retain(jobs)
            await finish_jobs(transaction, token, jobs)
    except raised:
        raise
    except Exception as error:  # noqa: BLE001  (the job at fault keeps the error)
        if len(jobs) == 1:
            await _fail(transaction, token, jobs[0], reason_of(error))
            return 1
    else:
        return 0
    middle = len(jobs) // 2
    first = await _attempt(transaction, token, retaining, jobs[:middle], raised)
    return first + await _attempt(transaction, token, retaining, jobs[middle:], raised)


async def _fail(transaction: Connection, token: int, job: Job, reason: str) -> None:
    _log.error("job_failed", observation=job.observation_id, reason=reason)
    await fail_job(transaction, token, job, reason)


async def rules_of(parts: RetainParts, transaction: Connection, projects: Collection[str]) -> Rules:
    """What decides in these projects at this moment."""
    keys = await parts.keys.of(transaction, projects)
    return Rules(keys, parts.catalogues, now_ms(parts.clock), parts.judge)


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
