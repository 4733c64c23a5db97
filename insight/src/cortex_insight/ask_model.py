"""Asks a model about texts that the lake has read, and reads their events again with its answer."""

import asyncio
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import structlog
from roxabi_contracts import Catalogues
from structlog.typing import FilteringBoundLogger

from cortex_insight.enrich.draft import ModelAnswer
from cortex_insight.enrich.model.question import Question
from cortex_insight.faults import Step, reached
from cortex_insight.model.port import Answer, AnswerUnusable, Model, ProviderBusy, ProviderFailed
from cortex_insight.record_readings import ReadingRecorder, lock_known
from cortex_insight.store.asking import Leased, Questions, Spent, record_answer, settle, spend
from cortex_insight.store.db import Database
from cortex_insight.store.lake import Lake
from cortex_insight.store.model_usage import ModelMeter

IDLE_SECONDS: Final = 0.5
BUSY_SECONDS: Final = 30.0
"""How long to wait for a provider that does not say how long."""
MARGIN_SECONDS: Final = 15.0
"""How much longer than a question may take it stays ours."""
FIRST_DELAY: Final = 1.0
LONGEST_DELAY: Final = 600.0
MAX_UNUSABLE: Final = 5
"""So many answers that cannot be used are paid for; then the rules' claims are all there is."""


@dataclass(frozen=True)
class AskParts:
    """What asking works with; `timeout` (seconds) bounds how long a question may take."""

    database: Database
    recorder: ReadingRecorder
    model: Model
    meter: ModelMeter
    catalogues: Catalogues
    sources: Collection[str]
    at_once: int
    timeout: float


class ModelAsker:
    """Asks several questions at once, those that wait longest first.

    No lock and no transaction is held while a model is asked. Its answer is recorded together with
    the reading that it makes: whatever dies between leaves the question in the queue.
    """

    def __init__(self, parts: AskParts) -> None:
        self._parts = parts
        self._questions = Questions(parts.database)
        self._busy_until = 0.0
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def step(self) -> None:
        """Ask what is due, or wait a moment.

        Raises:
            StoreUnavailable: what was not recorded is asked again once its lease has run out.
        """
        if asyncio.get_running_loop().time() < self._busy_until or not await self.ask_once():
            await asyncio.sleep(IDLE_SECONDS)

    async def ask_once(self) -> bool:
        """Ask what is due; whether there was anything.

        Raises:
            StoreUnavailable: as `step`.
        """
        parts = self._parts
        day, budget = parts.meter.today(), parts.meter.terms.daily_tokens
        seconds = parts.timeout + MARGIN_SECONDS
        leased = await self._questions.lease(parts.sources, parts.at_once, seconds, day, budget)
        # All are heard out, since an answer that was paid for is worth recording.
        done = await asyncio.gather(*map(self._ask, leased), return_exceptions=True)
        for outcome in done:
            if isinstance(outcome, BaseException):
                raise outcome
        return bool(leased)

    async def _ask(self, leased: Leased) -> None:
        question = Question.model_validate_json(leased.document)
        catalogue = self._parts.catalogues.for_project(leased.event.project)
        try:
            answer = await self._parts.model.ask(question, catalogue)
        except ProviderBusy as busy:
            wait = BUSY_SECONDS if busy.retry_after is None else busy.retry_after
            self._busy_until = asyncio.get_running_loop().time() + wait
            self._log.warning("model_busy", seconds=wait)
            await self._questions.give_back(leased)
        except AnswerUnusable as unusable:
            await self._note_unusable(leased, unusable)
        except ProviderFailed as failed:
            self._log.warning("question_failed", event_id=leased.event.event_id, reason=str(failed))
            await self._questions.fail(leased, str(failed), _delay(leased))
        else:
            await self._record_answer(leased, answer)

    async def _note_unusable(self, leased: Leased, error: AnswerUnusable) -> None:
        self._log.warning("answer_unusable", event_id=leased.event.event_id, reason=str(error))
        spent = Spent(self._parts.meter.today(), error.input_tokens, error.output_tokens)
        if leased.unusable + 1 < MAX_UNUSABLE:
            await self._questions.fail(leased, str(error), _delay(leased), spent)
        else:
            nothing = ModelAnswer(self._parts.model.version, ())
            await self._record(leased, nothing, spent, gave_up=str(error))

    async def _record_answer(self, leased: Leased, answer: Answer) -> None:
        for reason in answer.proposals.refused:
            self._log.warning("claim_refused", event_id=leased.event.event_id, reason=reason)
        spent = Spent(self._parts.meter.today(), answer.input_tokens, answer.output_tokens)
        found = ModelAnswer(self._parts.model.version, answer.proposals.claims)
        await self._record(leased, found, spent)

    async def _record(
        self, leased: Leased, answer: ModelAnswer, spent: Spent, gave_up: str | None = None
    ) -> None:
        """Keep the answer, and read its event again; of a forgotten event nothing is kept."""
        async with self._parts.database.transaction() as transaction:
            lake = Lake(transaction)
            known = await lock_known(lake, [leased.event])
            await spend(transaction, leased.event.project, spent)
            if await settle(transaction, leased) and known:
                await record_answer(transaction, leased, answer, gave_up)
                recorder = self._parts.recorder
                await recorder.record(lake, {}, known, recorder.links(known))
            reached(Step.BEFORE_COMMIT)


def _delay(leased: Leased) -> float:
    return min(FIRST_DELAY * 2.0 ** min(leased.failures, 20), LONGEST_DELAY)
