"""Asking memory: context that never blocks an agent, and the questions beside it."""

from typing import Final

from roxabi_contracts import subjects
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.errors import BrokerUnavailable, NoAnswer
from roxabi_contracts.client.requests import request
from roxabi_contracts.context import (
    ContextPacket,
    ContextRequest,
    ContextTrace,
    Status,
    TraceRequest,
)
from roxabi_contracts.decisions import (
    ConflictsReply,
    ConflictsRequest,
    DecisionReply,
    DecisionRequest,
)
from roxabi_contracts.errors import DecodeError, ErrorCode, RequestRefused
from roxabi_contracts.identities import EntitiesReply, EntitiesRequest, LinkReply, LinkRequest
from roxabi_contracts.names import (
    PredicatesReply,
    PredicatesRequest,
    VerdictReply,
    VerdictRequest,
)
from roxabi_contracts.operations import FactsReply, FactsRequest, MemoryStats, StatsRequest
from roxabi_contracts.subjects import MemoryCommand, Query
from roxabi_contracts.upkeep import ForgetReceipt, ForgetRequest

CONTEXT_DEADLINE: Final = 2.0
"""Seconds after which an agent goes on without its memory."""
QUERY_DEADLINE: Final = 30.0


class MemoryClient:
    """Asks memory over an open connection."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def context(
        self, asked: ContextRequest, deadline: float = CONTEXT_DEADLINE
    ) -> ContextPacket:
        """The packet for a query; an empty, degraded one if memory gives none in time, or fails.

        Raises:
            RequestRefused: the request itself is wrong.
            PermissionViolation: this user may not ask for this project.
        """
        subject = subjects.query(Query.CONTEXT, asked.project)
        try:
            return await request(self._connection, subject, asked, ContextPacket, deadline)
        except (NoAnswer, BrokerUnavailable, DecodeError) as error:
            return _without_memory(str(error))
        except RequestRefused as error:
            if not error.reply.retryable and error.reply.code is not ErrorCode.INTERNAL:
                raise
            return _without_memory(str(error))

    async def trace(self, asked: TraceRequest) -> ContextTrace:
        """Why a packet holds what it holds.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.TRACE, asked.project)
        return await request(self._connection, subject, asked, ContextTrace, QUERY_DEADLINE)

    async def facts(self, asked: FactsRequest) -> FactsReply:
        """The facts of a subject's memory.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.FACTS, asked.project)
        return await request(self._connection, subject, asked, FactsReply, QUERY_DEADLINE)

    async def conflicts(self, asked: ConflictsRequest) -> ConflictsReply:
        """The values that contradict each other.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.CONFLICTS, asked.project)
        return await request(self._connection, subject, asked, ConflictsReply, QUERY_DEADLINE)

    async def decide(self, decided: DecisionRequest) -> DecisionReply:
        """Take a decision on facts; the same request again changes nothing.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.memory_command(MemoryCommand.RESOLVE, decided.project)
        return await request(self._connection, subject, decided, DecisionReply, QUERY_DEADLINE)

    async def entities(self, asked: EntitiesRequest) -> EntitiesReply:
        """Who is known, and who may be whom.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.ENTITIES, asked.project)
        return await request(self._connection, subject, asked, EntitiesReply, QUERY_DEADLINE)

    async def link(self, said: LinkRequest) -> LinkReply:
        """Say who is who; the same request again changes nothing.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.memory_command(MemoryCommand.LINK, said.project)
        return await request(self._connection, subject, said, LinkReply, QUERY_DEADLINE)

    async def predicates(self, asked: PredicatesRequest) -> PredicatesReply:
        """The predicates in use, and what was decided on their names.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.PREDICATES, asked.project)
        return await request(self._connection, subject, asked, PredicatesReply, QUERY_DEADLINE)

    async def judge(self, verdict: VerdictRequest) -> VerdictReply:
        """Say whether two names are one predicate; the same request again changes nothing.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.memory_command(MemoryCommand.JUDGE, verdict.project)
        return await request(self._connection, subject, verdict, VerdictReply, QUERY_DEADLINE)

    async def stats(self, asked: StatsRequest) -> MemoryStats:
        """The figures of a project.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.query(Query.STATS, asked.project)
        return await request(self._connection, subject, asked, MemoryStats, QUERY_DEADLINE)

    async def forget(self, asked: ForgetRequest) -> ForgetReceipt:
        """Forget; repeat the request until the receipt says that it is finished.

        Raises:
            ClientError, RequestRefused: as `request`.
        """
        subject = subjects.memory_command(MemoryCommand.FORGET, asked.project)
        return await request(self._connection, subject, asked, ForgetReceipt, QUERY_DEADLINE)


def _without_memory(why: str) -> ContextPacket:
    return ContextPacket(
        trace_id=None, warnings=(f"memory unavailable: {why}",), status=Status.DEGRADED
    )
