"""Answers a request for context: load candidates, decide, hand over the packet and its trace."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.context import ContextPacket, ContextRequest, ContextTrace
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.ids import content_ulid
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.clock import Clock
from cortex_memory.embed.port import EmbeddingFailed, Vector
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.recall.assemble import (
    Question,
    Selection,
    add_episodes,
    add_hop,
    conclude,
    select_facts,
)
from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.expand import names_to_follow
from cortex_memory.recall.filters import Scope
from cortex_memory.recall.score import SEED, Profile
from cortex_memory.recall_past import past_candidates, past_facts
from cortex_memory.refusal import Refused
from cortex_memory.store import candidates, embeddings, subjects
from cortex_memory.store.candidates import Meaning, Search
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.trace_log import TraceLog

LEXICAL: Final = "embedding_unavailable: the query was matched by its words only"

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Entities:
    """Whose memory was asked, and about whom, as they are known now."""

    subjects: tuple[str, ...]
    about: str | None


class ContextAnswerer:
    """Answers requests for context over a pool of connections."""

    def __init__(
        self,
        pool: Pool,
        clock: Clock,
        catalogue: PredicateCatalogue,
        service: EmbeddingService,
        traces: TraceLog,
        profile: Profile = SEED,
    ) -> None:
        self._pool = pool
        self._clock = clock
        self._catalogue = catalogue
        self._service = service
        self._traces = traces
        self._profile = profile
        self._model: int | None = None

    async def answer(self, request: ContextRequest) -> ContextPacket:
        """The packet for a query; its trace is kept afterwards.

        Raises:
            Refused: the request cannot be answered as it is.
            StoreUnavailable: the database is down.
        """
        _check(request)
        loop = asyncio.get_running_loop()
        asked_at, started = self._clock.now(), loop.time()
        vector = await self._embed(request.query)
        async with connection(self._pool) as transaction:
            entities = await _resolve(transaction, request)
            question = Question(
                scope=Scope(frozenset(entities.subjects), entities.about),
                budget_tokens=request.budget_tokens,
                limits=request.limits,
                now=epoch_ms(request.as_of or asked_at),
                profile=self._profile,
            )
            search = Search(
                project=request.project,
                subjects=entities.subjects,
                about=entities.about,
                query=request.query,
                meaning=await self._meaning(transaction, vector),
                until=None if request.as_of is None else epoch_ms(request.as_of),
            )
        selection = await self._select(search, question)
        notes = () if vector is not None else (LEXICAL,)
        trace_id = _trace_id(request, epoch_ms(asked_at), selection)
        packet = conclude(selection, question, trace_id, notes)
        self._traces.note(
            ContextTrace(
                trace_id=trace_id,
                project=request.project,
                asked_at=asked_at,
                request=request,
                candidates=selection.traced,
                warnings=packet.warnings,
                status=packet.status,
                duration_ms=(loop.time() - started) * 1000,
            )
        )
        return packet

    async def _select(self, search: Search, question: Question) -> Selection:
        facts, episodes = await asyncio.gather(self._facts(search), self._episodes(search))
        selection = select_facts(facts, question)
        names = names_to_follow(selection.facts, search.query)
        if names and selection.tokens_left > 0 and search.until is None:
            async with connection(self._pool) as transaction:
                found = await candidates.find_by_names(transaction, search, names)
            selection = add_hop(selection, found, question)
        return add_episodes(selection, episodes, question)

    async def _facts(self, search: Search) -> list[FactCandidate]:
        async with connection(self._pool) as transaction:
            if search.until is None:
                return await candidates.find_facts(transaction, search)
            facts = await past_facts(
                transaction,
                search.project,
                search.subjects,
                search.about,
                self._catalogue,
                search.until,
            )
            return await past_candidates(transaction, search, facts)

    async def _episodes(self, search: Search) -> list[EpisodeCandidate]:
        async with connection(self._pool) as transaction:
            return await candidates.find_episodes(transaction, search)

    async def _embed(self, query: str) -> Vector | None:
        try:
            return await self._service.embed_query(query)
        except EmbeddingFailed as error:
            _log.warning("query_not_embedded", reason=str(error))
            return None

    async def _meaning(self, transaction: Connection, vector: Vector | None) -> Meaning | None:
        embedder = self._service.embedder
        if vector is None or embedder is None:
            return None
        if self._model is None:
            self._model = await embeddings.register_model(
                transaction, embedder.name, embedder.digest, embedder.dimensions
            )
        return Meaning(self._model, vector)


def _check(request: ContextRequest) -> None:
    if request.budget_tokens <= 0:
        raise Refused(ErrorCode.BUDGET_EXCEEDED, "the budget leaves no room for a single token")
    if not request.query.strip():
        raise Refused(ErrorCode.EMPTY_QUERY, "the query is empty")


async def _resolve(transaction: Connection, request: ContextRequest) -> _Entities:
    references = (*request.subjects, *([] if request.about is None else [request.about]))
    known = await subjects.entities_of(transaction, request.project, references)
    _refuse_unknown([one for one in references if one not in known])
    return _Entities(
        subjects=tuple(sorted({known[one] for one in request.subjects})),
        about=None if request.about is None else known[request.about],
    )


def _refuse_unknown(unknown: Sequence[str]) -> None:
    if unknown:
        raise Refused(
            ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {', '.join(map(repr, unknown))}"
        )


def _trace_id(request: ContextRequest, now: int, selection: Selection) -> str:
    decided = [f"{one.id} {one.reason}" for one in selection.traced]
    return content_ulid(now, request.model_dump(mode="json"), list(decided))
