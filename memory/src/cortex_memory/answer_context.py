"""Answers a request for context: load candidates, decide, hand over the packet and its trace."""

import asyncio
import os
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import structlog
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.context import ContextPacket, ContextRequest, ContextTrace
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.ids import content_ulid

from cortex_memory.clock import Clock
from cortex_memory.embed.port import EmbeddingFailed, Vector
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.errors import Overloaded
from cortex_memory.lexical.named_predicates import named_predicate_terms
from cortex_memory.lexical.terms import query_terms
from cortex_memory.load_candidates import CandidateLoader
from cortex_memory.recall.assemble import (
    Question,
    Selection,
    add_episodes,
    add_hop,
    conclude,
    names_of_hop,
    select_facts,
    select_in_one_order,
)
from cortex_memory.recall.expand import names_to_follow
from cortex_memory.recall.filters import HIDE, Flagging, Scope
from cortex_memory.recall.fusion import cues_of
from cortex_memory.recall.goal import goal_of
from cortex_memory.recall.profiles import DEFAULT, Fusion, Profile, WeightedSum
from cortex_memory.recall.search import Meaning, Search
from cortex_memory.recall.times import times_in
from cortex_memory.refusal import Refused
from cortex_memory.store import embeddings
from cortex_memory.store.db import Connection, Pool, reading
from cortex_memory.store.subjects import SubjectLookup
from cortex_memory.store.traces import Account
from cortex_memory.trace_log import TraceLog
from cortex_memory.vector_shelves import VectorShelves

LEXICAL: Final = "embedding_unavailable: the query was matched by its words only"

AT_ONCE: Final = max(4, os.cpu_count() or 1)
"""More would only take the processors from each other."""
WAIT_SECONDS: Final = 1.5
"""Longer than this no agent waits for its turn."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class _Entities:
    """Whose memory was asked, and about whom, as they are known in a `snapshot` of the store."""

    subjects: tuple[str, ...]
    about: str | None
    snapshot: str


class ContextAnswerer:
    """Answers requests for context over a pool of connections.

    Args:
        pool: Of those who read.
        clock: Tells when a request came.
        catalogues: The predicates of each project, for memory as it was.
        service: Embeds queries.
        traces: Keeps the account of every request.
        profile: The weights of the score.
        flaggings: By project, what is served with a flag instead of not at all.
        at_once: How many requests are looked up at once; each needs two connections.
        shelves: Proposes what is near; null: the store measures all.
    """

    def __init__(
        self,
        pool: Pool,
        clock: Clock,
        catalogues: Catalogues,
        service: EmbeddingService,
        traces: TraceLog,
        profile: Profile = DEFAULT,
        flaggings: Mapping[str, Flagging] | None = None,
        at_once: int = AT_ONCE,
        shelves: VectorShelves | None = None,
    ) -> None:
        self._pool = pool
        self._clock = clock
        self._catalogues = catalogues
        self._service = service
        self._traces = traces
        self._loader = CandidateLoader(pool, catalogues, shelves)
        self._profile = profile
        self._flaggings = flaggings or {}
        self._model: int | None = None
        self._lookup = SubjectLookup()
        self._turns = asyncio.Semaphore(at_once)

    async def answer(self, request: ContextRequest) -> ContextPacket:
        """The packet for a query; its trace is kept afterwards.

        Raises:
            Refused: the request cannot be answered as it is.
            Overloaded: it would have to wait for too long.
            StoreUnavailable: the database is down.
        """
        _check(request)
        asked_at, started = self._clock.now(), asyncio.get_running_loop().time()
        vector = await self._embed(request.query)
        async with self._turn():
            return await self._look_up(request, vector, asked_at, started)

    @asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        try:
            await asyncio.wait_for(self._turns.acquire(), WAIT_SECONDS)
        except TimeoutError as error:
            raise Overloaded("too many requests wait") from error
        try:
            yield
        finally:
            self._turns.release()

    async def _look_up(
        self, request: ContextRequest, vector: Vector | None, asked_at: datetime, started: float
    ) -> ContextPacket:
        async with reading(self._pool) as transaction:
            entities = await _resolve(transaction, self._lookup, request)
            meaning = await self._meaning(transaction, vector)
        question = self._question(request, entities, asked_at, is_embedded=vector is not None)
        terms = query_terms(request.query) if isinstance(self._profile, Fusion) else None
        catalogue = self._catalogues.for_project(request.project)
        search = Search(
            project=request.project,
            subjects=entities.subjects,
            about=entities.about,
            query=request.query,
            meaning=meaning,
            until=None if request.as_of is None else epoch_ms(request.as_of),
            times=question.cues.times,
            budget_tokens=request.budget_tokens,
            terms=terms,
            predicates=named_predicate_terms(terms or (), catalogue),
            contested=question.flagging.contested,
            now=epoch_ms(asked_at),
        )
        selection = await self._select(search, question)
        trace_id = _trace_id(request, epoch_ms(asked_at), selection)
        packet = conclude(selection, question, trace_id)
        took = (asyncio.get_running_loop().time() - started) * 1000
        draw = partial(_trace, request, packet, selection, asked_at, took)
        is_of_now = request.as_of is None
        self._traces.note(Account(request.project, trace_id, draw, entities.snapshot, is_of_now))
        return packet

    def _question(
        self, request: ContextRequest, entities: _Entities, asked_at: datetime, *, is_embedded: bool
    ) -> Question:
        now = epoch_ms(request.as_of or asked_at)
        return Question(
            scope=Scope(frozenset(entities.subjects), entities.about),
            budget_tokens=request.budget_tokens,
            limits=request.limits,
            now=now,
            profile=self._profile,
            flagging=self._flaggings.get(request.project, HIDE),
            goal=goal_of(request.goal),
            notes=() if is_embedded else (LEXICAL,),
            cues=cues_of(request.query, times_in(request.query, now)),
        )

    async def _select(self, search: Search, question: Question) -> Selection:
        match question.profile:
            case WeightedSum():
                return await self._select_in_turn(search, question)
            case Fusion() as profile:
                return await self._select_together(search, question, profile)

    async def _select_in_turn(self, search: Search, question: Question) -> Selection:
        """Facts, one hop further, and episodes in what budget is left."""
        found = await self._loader.load(search)
        selection = select_facts(found.facts, question)
        names = names_of_hop(selection, question, search.query)
        if names:
            hops = await self._loader.load_named(search, found, names)
            selection = add_hop(selection, hops, question)
        return add_episodes(selection, found.episodes, question)

    async def _select_together(
        self, search: Search, question: Question, profile: Fusion
    ) -> Selection:
        """Facts and episodes by one score, and once more with facts one hop further."""
        found = await self._loader.load(search)
        selection = select_in_one_order(found.facts, [], found.episodes, question, profile)
        names = names_to_follow(selection.facts, search.query)
        hops = await self._loader.load_named(search, found, names) if names else []
        if not hops:
            return selection
        return select_in_one_order(found.facts, hops, found.episodes, question, profile)

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


async def _resolve(
    transaction: Connection, lookup: SubjectLookup, request: ContextRequest
) -> _Entities:
    references = (*request.subjects, *([] if request.about is None else [request.about]))
    known = await lookup.find(transaction, request.project, references)
    _refuse_unknown([one for one in references if one not in known.entities])
    assert known.snapshot is not None  # of a look that found somebody
    return _Entities(
        subjects=tuple(sorted({known.entities[one] for one in request.subjects})),
        about=None if request.about is None else known.entities[request.about],
        snapshot=known.snapshot,
    )


def _refuse_unknown(unknown: Sequence[str]) -> None:
    if unknown:
        raise Refused(
            ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {', '.join(map(repr, unknown))}"
        )


def _trace(
    request: ContextRequest,
    packet: ContextPacket,
    selection: Selection,
    asked_at: datetime,
    took: float,
) -> ContextTrace:
    assert packet.trace_id is not None  # of one that memory answered
    return ContextTrace(
        trace_id=packet.trace_id,
        project=request.project,
        asked_at=asked_at,
        request=request,
        candidates=tuple(one.traced() for one in selection.traced),
        warnings=packet.warnings,
        status=packet.status,
        duration_ms=took,
    )


def _trace_id(request: ContextRequest, now: int, selection: Selection) -> str:
    decided = [f"{one.id} {one.reason}" for one in selection.traced]
    return content_ulid(now, request.model_dump(mode="json"), list(decided))
