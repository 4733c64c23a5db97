"""Answers what is asked beside context: traces, facts, figures."""

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.catalogues import Catalogues
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

from cortex_memory.embed.service import EmbeddingService
from cortex_memory.explain_fact import explain_now, explain_past
from cortex_memory.find_fact import facts_in_memory, memory_of
from cortex_memory.recall_past import past_facts
from cortex_memory.refusal import Refused
from cortex_memory.store import facts, stats
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.model_usage import ModelMeter
from cortex_memory.trace_log import TraceLog


class QueryAnswerer:
    """Answers questions about the memory itself; every method may raise `StoreUnavailable`."""

    def __init__(
        self,
        pool: Pool,
        catalogues: Catalogues,
        service: EmbeddingService,
        traces: TraceLog,
        meter: ModelMeter | None = None,
    ) -> None:
        self._pool = pool
        self._catalogues = catalogues
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
            Refused: nobody is known as its subject, or the fact to be explained is none of its.
        """
        async with connection(self._pool) as transaction:
            memory = await memory_of(transaction, request.project, request.subject)
            if request.why is not None:
                return await self._explained(transaction, request, memory, request.why)
            found = await self._facts(transaction, request, memory)
        return FactsReply(
            project=request.project,
            subject=memory,
            facts=tuple(found[: request.limit]),
            truncated=len(found) > request.limit,
        )

    async def _facts(
        self, transaction: Connection, request: FactsRequest, memory: str
    ) -> list[FactRecord]:
        """The facts asked for, and one more if there are more."""
        limit = request.limit + 1
        wanted = set(request.statuses or (FactStatus if request.history else {FactStatus.ACTIVE}))
        if request.as_of is None:
            return await facts.list_facts(
                transaction, request.project, memory, statuses=wanted, limit=limit
            )
        past = await past_facts(
            transaction,
            request.project,
            [memory],
            None,
            self._catalogues,
            epoch_ms(request.as_of),
        )
        records = [fact.record() for fact in past]
        return [record for record in records if record.status in wanted][:limit]

    async def _explained(
        self, transaction: Connection, request: FactsRequest, memory: str, name: str
    ) -> FactsReply:
        fact = (await facts_in_memory(transaction, request.project, memory, [name]))[name]
        if request.as_of is None:
            explained = await explain_now(transaction, fact)
        else:
            moment = epoch_ms(request.as_of)
            explained = await explain_past(transaction, fact, self._catalogues, moment)
        if explained is None:
            raise Refused(ErrorCode.NOT_FOUND, f"no fact answered to {name!r} then")
        return FactsReply(
            project=request.project,
            subject=memory,
            facts=(explained.fact,),
            explanation=explained.explanation,
        )

    async def stats(self, request: StatsRequest) -> MemoryStats:
        """The figures of a project."""
        embedder = self._service.embedder
        catalogue = self._catalogues.for_project(request.project)
        async with connection(self._pool) as transaction:
            figures = await stats.measure(
                transaction,
                request.project,
                None if embedder is None else embedder.name,
                catalogue.digest,
            )
            if self._meter is None:
                return figures
            usage = await self._meter.usage(transaction, request.project)
            return figures.model_copy(update={"model": usage})
