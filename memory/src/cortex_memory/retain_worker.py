"""Runs Retain Jobs: leases them, looks for candidates, and lets one that fails fail alone."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

import structlog
from roxabi_contracts.observation import Observation
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.clock import Clock, now_ms
from cortex_memory.embed.port import EmbeddingFailed
from cortex_memory.errors import StoreUnavailable
from cortex_memory.extractor.port import (
    ExtractionStopped,
    Extractor,
    ProviderBusy,
    ProviderFailed,
)
from cortex_memory.failure import reason_of
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.judge_names import NameJudge
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import IdentifierId
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.retain.current import current_of
from cortex_memory.retain.extract import Extraction
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain_job import Found, Memory, RetainJob
from cortex_memory.store.apply import count_outcomes, record_candidates
from cortex_memory.store.db import Connection, Pool, connection
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
    kept_lease,
    lease_jobs,
)
from cortex_memory.store.locks import lock_projects, lock_subjects
from cortex_memory.store.projects import ProjectKeys

BATCH_JOBS: Final = 500
BATCH_SUBJECTS: Final = 200
IDLE_SECONDS: Final = 0.5
RETRY_SECONDS: Final = 1.0
PROVIDER_SECONDS: Final = 30.0
"""How long a busy provider is left alone that does not say."""

_log = structlog.get_logger()


@dataclass(slots=True)
class Pause:
    """How long the workers of a process leave a busy provider alone."""

    until: float = 0.0
    """By the clock of the event loop, in seconds."""

    def extend(self, seconds: float) -> None:
        """Let nobody ask for so long from now on."""
        self.until = max(self.until, asyncio.get_running_loop().time() + seconds)

    def is_over(self) -> bool:
        """Whether the provider may be asked."""
        return asyncio.get_running_loop().time() >= self.until


@dataclass(frozen=True, slots=True)
class RetainParts:
    """What a worker works with; workers of one process share the pause."""

    pool: Pool
    clock: Clock
    keys: ProjectKeys
    catalogue: PredicateCatalogue
    judge: NameJudge
    extractor: Extractor
    fault: FaultPoint
    folds: KeptFolds = field(default_factory=KeptFolds)
    pause: Pause = field(default_factory=Pause)


@dataclass(frozen=True, slots=True)
class Extracted:
    """What an extractor found, and how many candidates were refused, by project and outcome."""

    found: Found
    rejected: Counter[tuple[str, str]]


class RetainWorker:
    """One of any number of workers on the queue."""

    def __init__(self, parts: RetainParts) -> None:
        self.parts = self._parts = parts
        self._abandoned: list[Lease] = []
        self._unrecorded: Found = {}

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
                await _wait(arrived)

    async def run_once(self) -> bool:
        """Retain one batch and fold what is due; whether there was anything to do.

        Raises:
            StoreUnavailable: the batch is left as it was.
        """
        await self._return_abandoned()
        folded = await self._fold_due()
        if not self._parts.pause.is_over():
            return folded
        lease = await lease_jobs(self._parts.pool, BATCH_JOBS, BATCH_SUBJECTS)
        if not lease.jobs:
            return folded
        self._parts.fault(Step.AFTER_LEASE)
        self._abandoned.append(lease)
        await self._work_on(lease)
        self._abandoned.remove(lease)
        return True

    async def _return_abandoned(self) -> None:
        """Give back what an attempt left leased when the database went away."""
        while self._abandoned:
            lease = self._abandoned[-1]
            await self._record(lease)
            await give_back(self._parts.pool, lease.token)
            self._abandoned.pop()

    async def _work_on(self, lease: Lease) -> None:
        """Retain jobs together; where that fails, each of two halves, down to the one at fault."""
        try:
            await self._retain(lease)
        except StoreUnavailable:
            self._parts.folds.forget()
            raise
        except ProviderBusy as error:
            await self._leave_alone(lease, error)
        except ProviderFailed as error:
            await self._fail_unanswered(lease, error)
        except Exception as error:  # noqa: BLE001  (a top loop: the job at fault keeps the error)
            await self._record(lease)
            if len(lease.jobs) == 1:
                await self._fail(lease, lease.jobs[0], reason_of(error))
                return
            middle = len(lease.jobs) // 2
            await self._work_on(Lease(lease.token, lease.jobs[:middle]))
            await self._work_on(Lease(lease.token, lease.jobs[middle:]))

    async def _leave_alone(self, lease: Lease, error: ProviderBusy) -> None:
        """Wait as long as the provider says; nothing was tried, so no attempt is counted."""
        seconds = PROVIDER_SECONDS if error.retry_after is None else error.retry_after
        self._parts.pause.extend(seconds)
        _log.warning("provider_busy", seconds=seconds, answered=len(error.answered))
        await self._record(lease)
        await give_back(self._parts.pool, lease.token, seconds)

    async def _fail_unanswered(self, lease: Lease, error: ProviderFailed) -> None:
        """Let those jobs fail that the provider did not answer; the others are tried at once."""
        answered = set(self._unrecorded)
        reason = f"{type(error).__name__}: {error}"
        await self._record(lease)
        for job in lease.jobs:
            if (job.project, job.observation_id) not in answered:
                await self._fail(lease, job, reason)
        await give_back(self._parts.pool, lease.token)

    async def _record(self, lease: Lease) -> None:
        """Journal what was found though it could not be applied: no model is asked twice."""
        if not self._unrecorded:
            return
        async with connection(self._parts.pool) as transaction:
            ours = {
                (job.project, job.observation_id) for job in await hold_jobs(transaction, lease)
            }
            found = {key: each for key, each in self._unrecorded.items() if key in ours}
            await record_candidates(transaction, found)
        self._unrecorded = {}

    async def _fail(self, lease: Lease, job: Job, reason: str) -> None:
        _log.error("job_failed", observation=job.observation_id, reason=reason)
        async with connection(self._parts.pool) as transaction:
            await fail_job(transaction, lease.token, job, reason)

    async def _retain(self, lease: Lease) -> None:
        reader = ObservationReader()
        async with kept_lease(self._parts.pool, lease.token):
            extracted = await self.extract(lease.jobs, reader)
        judged = self._parts.judge.judged
        try:
            await judged(partial(self._apply, lease, reader, extracted, owned=False))
        except IdentityChanges:
            await judged(partial(self._apply, lease, reader, extracted, owned=True))
        self._unrecorded = {}
        self._parts.fault(Step.AFTER_APPLY_COMMIT)

    async def extract(self, jobs: Sequence[Job], reader: ObservationReader) -> Extracted:
        """Look for candidates where nobody has looked yet; no transaction waits for the answer."""
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
        try:
            extractions = await extractor.extract(unseen)
        except ExtractionStopped as stop:
            self._unrecorded = self._sets_of(unseen, stop.answered)
            raise
        self._unrecorded = found = self._sets_of(unseen, extractions)
        rejected = Counter[tuple[str, str]]()
        for seen, extraction in zip(unseen, extractions, strict=True):
            for refused in extraction.rejected:
                _log.warning("candidate_rejected", observation=seen.id, reason=refused.reason)
                rejected[seen.project_id, "reject"] += 1
        return Extracted(found, rejected)

    def _sets_of(self, seen: Sequence[Observation], answers: Sequence[Extraction]) -> Found:
        """What was found, as it is recorded; the answers may end early."""
        name, version = self._parts.extractor.name, self._parts.extractor.version
        return {
            _id(one): CandidateSet(one.id, name, version, answer.facts)
            for one, answer in zip(seen, answers, strict=False)
        }

    async def _apply(
        self, lease: Lease, reader: ObservationReader, extracted: Extracted, *, owned: bool
    ) -> None:
        async with connection(self._parts.pool) as transaction:
            jobs = await hold_jobs(transaction, lease)
            rules = await self._rules(transaction, {job.project for job in jobs})
            locked = await _lock(transaction, jobs, owned=owned)
            held = {(job.project, job.observation_id) for job in jobs}
            found = {seen: each for seen, each in extracted.found.items() if seen in held}
            await RetainJob(transaction, rules, reader, locked, self._parts.folds).retain(
                jobs, found
            )
            await finish_jobs(transaction, lease.token, jobs)
            await count_outcomes(transaction, extracted.rejected)
            self._parts.fault(Step.BEFORE_APPLY_COMMIT)
        self._parts.keys.remember(rules.keys)
        _log.info("observations_retained", count=len(jobs))

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
            rules = await self._rules(transaction, projects)
            await lock_projects(transaction, projects, owned=False)
            await lock_subjects(transaction, {(g.project, g.subject) for g in groups})
            # Another worker may have been faster while we waited for the locks.
            still_due = groups & await due_groups(transaction, now, BATCH_SUBJECTS)
            await RefoldJob(transaction, rules).refold(still_due, recheck=True)
        return True

    async def _rules(self, transaction: Connection, projects: set[str]) -> Rules:
        keys = await self._parts.keys.of(transaction, projects)
        return Rules(keys, self._parts.catalogue, now_ms(self._parts.clock), self._parts.judge)


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
