"""Judges names that are said of one entity for the first time: is it one predicate or two?"""

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import structlog
from roxabi_contracts.catalogues import Catalogues

from cortex_memory.calibrate.distances import distance_between
from cortex_memory.calibrate.limits import StoredLimit, limit_of
from cortex_memory.clock import Clock, now_ms
from cortex_memory.embed.port import Embedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.errors import Undecided
from cortex_memory.model import ProjectId
from cortex_memory.retain.group import Scope
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import (
    DistanceWanted,
    ModelLimit,
    NameMatchers,
    NameVerdict,
    judge_distance,
)
from cortex_memory.retain.name_verdicts import journaled, open_questions, pairs_to_judge
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.locks import lock_projects
from cortex_memory.store.projects import ProjectKeys
from cortex_memory.store.verdicts import (
    JournaledVerdict,
    add_verdicts,
    judged_pairs,
    names_said,
)

ROWS_AT_ONCE: Final = 5_000

Pair: TypeAlias = tuple[str, str]
Questions: TypeAlias = Mapping[Pair, NameVerdict | DistanceWanted]
Done = TypeVar("Done")

_log = structlog.get_logger()


class NamesUnjudged(Undecided):
    """Names meet on which nobody has decided; it is decided outside of the transaction."""

    def __init__(self, questions: Mapping[str, Questions]) -> None:
        count = sum(map(len, questions.values()))
        super().__init__(f"pairs of names that wait for the embedding model's verdict: {count}")
        self.questions = questions
        """By project: what words say of each sorted pair, or what a model is to be asked."""


@dataclass(frozen=True, slots=True)
class JudgeParts:
    """What a judge works with; without an embedding service nobody is asked what names mean."""

    pool: Pool
    clock: Clock
    keys: ProjectKeys
    catalogues: Catalogues
    limits: Sequence[StoredLimit]
    embedding: EmbeddingService | None = None


class NameJudge:
    """Sees that whatever names meet has a verdict before anything is folded under them."""

    def __init__(self, parts: JudgeParts) -> None:
        self._parts = parts
        self._matchers = NameMatchers(parts.catalogues, bundled_lexicon())

    async def check(
        self, transaction: Connection, arriving: Mapping[Scope, Collection[str]]
    ) -> None:
        """See whether all is decided where these names come to be said.

        Raises:
            NamesUnjudged: it is not; `judged` decides it.
        """
        present = await names_said(transaction, arriving.keys())
        pairs: defaultdict[str, set[Pair]] = defaultdict(set)
        for scope, new in arriving.items():
            catalogue = self._parts.catalogues.for_project(scope.project)
            pairs[scope.project] |= pairs_to_judge(new, present[scope], catalogue)
        left: dict[str, Questions] = {}
        for project, met in pairs.items():
            matcher = self._matchers.for_project(project)
            questions = await asyncio.to_thread(
                open_questions, met, matcher, asks_model=self._may_ask()
            )
            judged = await judged_pairs(transaction, project, questions.keys())
            if unjudged := questions.keys() - judged:
                left[project] = {pair: questions[pair] for pair in unjudged}
        if left:
            raise NamesUnjudged(left)

    async def judged(self, work: Callable[[], Awaitable[Done]]) -> Done:
        """Do work in transactions of its own, and again for as long as names want a verdict.

        Raises:
            EmbeddingFailed: the model does not answer.
            NamesUnjudged: they were judged, and want it again: trying once more is of no use.
            StoreUnavailable: nothing was decided.
        """
        judged: Mapping[str, Questions] = {}
        while True:
            try:
                return await work()
            except NamesUnjudged as unjudged:
                if unjudged.questions == judged:
                    raise
                judged = unjudged.questions
            for project, asked in judged.items():
                await self._decide(ProjectId(project), asked)

    def _may_ask(self) -> bool:
        """Whether there is a measured model, as far as is known."""
        service = self._parts.embedding
        return service is not None and (not service.is_open or self._limit() is not None)

    def _limit(self) -> ModelLimit | None:
        service = self._parts.embedding
        embedder = None if service is None else service.embedder
        if embedder is None:
            return None
        return limit_of(embedder.name, embedder.digest, self._parts.limits)

    async def _decide(self, project: ProjectId, questions: Questions) -> None:
        limit = await self._awaited_limit(questions.values())
        answers = await self._answers(questions, limit)
        now = now_ms(self._parts.clock)
        async with connection(self._parts.pool) as transaction:
            key = (await self._parts.keys.of(transaction, [project]))[project]
            rows = [
                journaled(project, pair, answer, limit, at=now, project_key=key)
                for pair, answer in sorted(answers.items())
            ]
            verdicts = [JournaledVerdict(row) for row in rows if row is not None]
            await journal_verdicts(transaction, project, verdicts, self._parts.catalogues)

    async def _awaited_limit(
        self, questions: Iterable[NameVerdict | DistanceWanted]
    ) -> ModelLimit | None:
        """The limit of the model, once it is open, if any question is for a model."""
        service = self._parts.embedding
        if service is None or not any(isinstance(each, DistanceWanted) for each in questions):
            return None
        await service.opened()
        return self._limit()

    async def _answers(
        self, questions: Questions, limit: ModelLimit | None
    ) -> dict[Pair, NameVerdict]:
        """What words say, and a measured model if there is one."""
        answers = {pair: each for pair, each in questions.items() if isinstance(each, NameVerdict)}
        if limit is None or self._parts.embedding is None:
            return answers
        asked = {pair: each for pair, each in questions.items() if isinstance(each, DistanceWanted)}
        texts = {text for each in asked.values() for text in (each.first, each.second)}
        vectors = await self._parts.embedding.embed_names(texts)
        for pair, each in asked.items():
            distance = distance_between(vectors[each.first], vectors[each.second])
            answers[pair] = judge_distance(distance, limit)
        return answers


def warn_if_unmeasured(embedder: Embedder | None, limits: Sequence[StoredLimit]) -> None:
    """Say so if the model that was opened cannot match names by their meaning."""
    if embedder is not None and limit_of(embedder.name, embedder.digest, limits) is None:
        _log.warning(
            "meaning_unmeasured",
            model=embedder.name,
            digest=embedder.digest,
            effect="names of predicates are matched by the catalogue and by their words alone",
            remedy="measure the model with make calibrate",
        )


async def journal_verdicts(
    transaction: Connection,
    project: str,
    verdicts: Sequence[JournaledVerdict],
    catalogues: Catalogues,
) -> tuple[int, int]:
    """Append verdicts; how many were new, and how many groups are due because of them.

    Nobody retains anything in the project meanwhile if a verdict may change any group.
    """
    owned = any(each.may_change_groups for each in verdicts)
    await lock_projects(transaction, [project], owned=owned)
    added = touched = 0
    for start in range(0, len(verdicts), ROWS_AT_ONCE):
        part = verdicts[start : start + ROWS_AT_ONCE]
        new, groups = await add_verdicts(transaction, project, part, catalogues)
        added += new
        touched += groups
    _log.info("names_judged", project=project, verdicts=added, groups=touched)
    return added, touched
