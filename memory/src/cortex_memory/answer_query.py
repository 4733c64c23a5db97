"""Answers what is asked beside context: traces, facts, figures."""

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.context import ContextTrace, TraceRequest
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.operations import (
    FactRecord,
    FactsReply,
    FactsRequest,
    FactStatus,
    MemoryStats,
    StatsRequest,
)
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.embed.service import EmbeddingService
from cortex_memory.recall_past import past_facts
from cortex_memory.refusal import Refused
from cortex_memory.store import facts, stats, subjects
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.model_usage import ModelMeter
from cortex_memory.trace_log import TraceLog


class QueryAnswerer:
    """Answers questions about the memory itself; every method may raise `StoreUnavailable`."""

    def __init__(
        self,
        pool: Pool,
        catalogue: PredicateCatalogue,
        service: EmbeddingService,
        traces: TraceLog,
        meter: ModelMeter | None = None,
    ) -> None:
        self._pool = pool
        self._catalogue = catalogue
        self._service = service
        self._traces = traces
        self._meter = meter

    async def trace(self, request: TraceRequest) -> ContextTrace:
        """Why a packet holds what it holds.

        Raises:
            Refused: there is no such trace, or it is forgotten.
        """
        trace = await self._traces.find(request.project, request.trace_id)
        if trace is None:
            raise Refused(ErrorCode.NOT_FOUND, f"no trace {request.trace_id!r} is kept")
        return trace

    async def facts(self, request: FactsRequest) -> FactsReply:
        """The facts of one memory.

        Raises:
            Refused: nobody is known as its subject.
        """
        async with connection(self._pool) as transaction:
            known = await subjects.entities_of(transaction, request.project, [request.subject])
            if request.subject not in known:
                raise Refused(ErrorCode.UNKNOWN_SUBJECT, f"nobody is known as {request.subject!r}")
            subject = known[request.subject]
            found = await self._facts(transaction, request, subject)
        return FactsReply(
            project=request.project,
            subject=subject,
            facts=tuple(found[: request.limit]),
            truncated=len(found) > request.limit,
        )

    async def _facts(
        self, transaction: Connection, request: FactsRequest, subject: str
    ) -> list[FactRecord]:
        """The facts asked for, and one more if there are more."""
        limit = request.limit + 1
        if request.as_of is None:
            return await facts.list_facts(
                transaction, request.project, subject, history=request.history, limit=limit
            )
        moment = epoch_ms(request.as_of)
        past = await past_facts(
            transaction, request.project, [subject], None, self._catalogue, moment
        )
        records = [fact.record() for fact in past]
        shown = [one for one in records if request.history or one.status is FactStatus.ACTIVE]
        return shown[:limit]

    async def stats(self, request: StatsRequest) -> MemoryStats:
        """The figures of a project."""
        embedder = self._service.embedder
        async with connection(self._pool) as transaction:
            figures = await stats.measure(
                transaction, request.project, None if embedder is None else embedder.name
            )
            if self._meter is None:
                return figures
            usage = await self._meter.usage(transaction, request.project)
            return figures.model_copy(update={"model": usage})
