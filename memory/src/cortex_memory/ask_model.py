"""Asks a model about observations before they are retained, and records each answer once."""

import asyncio
from collections import Counter
from dataclasses import dataclass, replace
from typing import Final

import structlog

from cortex_memory.errors import StoreUnavailable
from cortex_memory.extractor.port import (
    Answer,
    AnswerUnusable,
    ExtractionStopped,
    ModelExtractor,
    ProviderBusy,
)
from cortex_memory.failure import reason_of
from cortex_memory.load_question import QuestionLoader
from cortex_memory.retain.extract import MODEL_EXTRACTOR
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.question import Question
from cortex_memory.store.apply import count_outcomes, record_candidates
from cortex_memory.store.asking import give_up, lease_questions, release, release_all
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.jobs import Job, Lease, fail_job, give_back, hold_jobs
from cortex_memory.store.model_usage import ModelMeter
from cortex_memory.waiting import pause

IDLE_SECONDS: Final = 0.5
RETRY_SECONDS: Final = 1.0
BUSY_SECONDS: Final = 30.0
"""How long to wait for a provider that does not say how long."""
MARGIN_SECONDS: Final = 15.0
"""How much longer than a question may take it stays ours."""

MAX_ANSWERS: Final = 5
"""So many answers that cannot be used are paid for."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class AskParts:
    """What asking works with; `timeout` (seconds) bounds how long a question may take."""

    pool: Pool
    loader: QuestionLoader
    model: ModelExtractor
    meter: ModelMeter
    at_once: int
    timeout: float


class ModelAsker:
    """Asks about the first waiting observation of several memories at once.

    A memory's observations are asked about one after another: each question shows what the ones
    before it have left behind. No lock and no transaction is held while a model is asked; what it
    proposes is folded on the state that there is by then.

    Args:
        parts: What to work with.
        answered: Set whenever an observation can be retained.
    """

    def __init__(self, parts: AskParts, answered: asyncio.Event) -> None:
        self._parts = parts
        self._answered = answered
        self._abandoned: list[int] = []

    async def run(self, stopping: asyncio.Event) -> None:
        """Ask until told to stop, and finish what is in hand."""
        while not stopping.is_set():
            try:
                seconds = await self.run_once()
            except StoreUnavailable as error:
                _log.warning("model_waits", reason=str(error).strip())
                seconds = RETRY_SECONDS
            except Exception:  # noqa: BLE001  (a top loop: the lease runs out, and all comes again)
                _log.exception("asking_failed")
                seconds = RETRY_SECONDS
            await pause(stopping, seconds)

    async def run_once(self) -> float:
        """Ask a few questions at once; after how many seconds to come again.

        Raises:
            StoreUnavailable: what was not recorded will be asked again.
        """
        await self._return_abandoned()
        parts = self._parts
        day, budget = parts.meter.today(), parts.meter.terms.daily_tokens
        seconds = parts.timeout + MARGIN_SECONDS
        lease = await lease_questions(parts.pool, parts.at_once, seconds, day, budget)
        if not lease.jobs:
            return IDLE_SECONDS
        self._abandoned.append(lease.token)
        asked = (self._work_on(lease, job) for job in lease.jobs)
        # All are heard out, since an answer that was paid for is worth recording.
        waits = await asyncio.gather(*asked, return_exceptions=True)
        # Whoever was told to wait is given back, and has made no attempt.
        await self._return_abandoned()
        return max(_seconds(wait) for wait in waits)

    async def _return_abandoned(self) -> None:
        while self._abandoned:
            await give_back(self._parts.pool, self._abandoned[-1])
            self._abandoned.pop()

    async def _work_on(self, lease: Lease, job: Job) -> float:
        """Ask about one observation; how many seconds the provider asks everybody to wait."""
        try:
            loaded = await self._parts.loader.load(job)
            if isinstance(loaded, Question):
                await self._record_answer(lease, job, await self._parts.model.ask(loaded))
            else:
                await self._record(lease, job, loaded)
        except StoreUnavailable:
            raise
        except ProviderBusy as busy:
            wait = BUSY_SECONDS if busy.retry_after is None else busy.retry_after
            _log.warning("model_busy", seconds=wait)
            return max(wait, RETRY_SECONDS)
        except Exception as error:  # noqa: BLE001  (a top loop: the job at fault keeps the error)
            await self._fail(lease, job, error)
        else:
            self._answered.set()
        return 0.0

    async def _fail(self, lease: Lease, job: Job, error: Exception) -> None:
        reason = str(error) if isinstance(error, ExtractionStopped) else reason_of(error)
        _log.error("question_failed", observation=job.observation_id, reason=reason)
        async with connection(self._parts.pool) as transaction:
            if not isinstance(error, AnswerUnusable):
                await fail_job(transaction, lease.token, job, reason)
                return
            spent = (error.input_tokens, error.output_tokens)
            await self._parts.meter.spend(transaction, job.project, *spent)
            fail = fail_job if job.attempts < MAX_ANSWERS else give_up
            await fail(transaction, lease.token, job, reason)

    async def _record_answer(self, lease: Lease, job: Job, answer: Answer) -> None:
        async with connection(self._parts.pool) as transaction:
            spent = (answer.input_tokens, answer.output_tokens)
            await self._parts.meter.spend(transaction, job.project, *spent)
            await count_outcomes(transaction, _rejected(job, answer))
        facts, version = answer.extraction.facts, self._parts.model.version
        found = CandidateSet(job.observation_id, MODEL_EXTRACTOR, version, facts)
        await self._record(lease, job, found)

    async def _record(self, lease: Lease, job: Job, found: CandidateSet | None) -> None:
        """Append what was found to the journal, and let the observation be retained."""
        async with connection(self._parts.pool) as transaction:
            # Of an observation that was forgotten meanwhile, nothing may be kept.
            if not await hold_jobs(transaction, replace(lease, jobs=(job,))):
                return
            if found is not None:
                await record_candidates(transaction, {(job.project, job.observation_id): found})
            await release(transaction, lease.token, job)


async def release_waiting(pool: Pool, stopping: asyncio.Event) -> None:
    """Let what waits for a model be retained without one, as soon as the database is there."""
    while not stopping.is_set():
        try:
            released = await release_all(pool)
        except StoreUnavailable as error:
            _log.warning("model_waits", reason=str(error).strip())
            await pause(stopping, RETRY_SECONDS)
            continue
        if released:
            _log.warning("retained_without_model", observations=released)
        return


def _seconds(outcome: float | BaseException) -> float:
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _rejected(job: Job, answer: Answer) -> Counter[tuple[str, str]]:
    rejected = answer.extraction.rejected
    for each in rejected:
        _log.warning("candidate_rejected", observation=job.observation_id, reason=each.reason)
    return Counter({(job.project, "reject"): len(rejected)} if rejected else {})
