"""The endpoints of memory's queries: concurrent, bounded, and never without a typed reply."""

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from typing import Any, Final, Generic, TypeVar

import nats.micro
import structlog
from nats.errors import Error as NatsError
from nats.micro.request import Request
from nats.micro.service import EndpointConfig, EndpointStats, Group, ServiceConfig
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import Contract
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.context import ContextRequest, TraceRequest
from roxabi_contracts.decisions import ConflictsRequest, DecisionRequest
from roxabi_contracts.errors import (
    ContractError,
    DecodeError,
    ErrorCode,
    ErrorReply,
    InvalidToken,
)
from roxabi_contracts.identities import EntitiesRequest, LinkRequest
from roxabi_contracts.names import PredicatesRequest, VerdictRequest
from roxabi_contracts.operations import FactsRequest, StatsRequest
from roxabi_contracts.subjects import MemoryCommand, Query
from roxabi_contracts.upkeep import (
    DeadLettersRequest,
    ExportRequest,
    ForgetRequest,
    RetainRequest,
)

from cortex_memory.answer_conflicts import ConflictAnswerer
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.errors import Overloaded, StoreUnavailable
from cortex_memory.refusal import Refused

NAME: Final = "cortex-memory"
IN_FLIGHT: Final = 32
"""Requests served at once; one more is told to come again."""
ANSWER_SECONDS: Final = 20.0

_log = structlog.get_logger()

Asked = TypeVar(
    "Asked",
    ContextRequest,
    TraceRequest,
    FactsRequest,
    StatsRequest,
    ConflictsRequest,
    DecisionRequest,
    DeadLettersRequest,
    RetainRequest,
    ExportRequest,
    ForgetRequest,
    EntitiesRequest,
    LinkRequest,
    PredicatesRequest,
    VerdictRequest,
)


@dataclass(slots=True)
class Figures:
    """What the library's own statistics cannot see, since its handlers return at once."""

    answered: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def count(self, reply: Contract, seconds: float) -> None:
        """Note a reply and how long it took."""
        self.seconds += seconds
        if isinstance(reply, ErrorReply):
            self.errors[reply.code] = self.errors.get(reply.code, 0) + 1
        else:
            self.answered += 1


@dataclass(frozen=True, slots=True)
class Endpoint(Generic[Asked]):
    """A question or an order, how it is read, and who answers it."""

    what: Query | MemoryCommand
    expected: type[Asked]
    answer: Callable[[Asked], Awaitable[Contract]]
    figures: Figures = field(default_factory=Figures)


class Endpoints:
    """Serves the queries and commands of memory as a micro service until it is told to stop."""

    def __init__(
        self,
        connection: Connection,
        context: ContextAnswerer,
        queries: QueryAnswerer,
        conflicts: ConflictAnswerer,
        commands: Sequence[Endpoint[Any]] = (),
        in_flight: int = IN_FLIGHT,
    ) -> None:
        self._client = connection.client
        self._context = context
        self._queries = queries
        self._conflicts = conflicts
        self._commands = commands
        self._in_flight = in_flight
        self._tasks: set[asyncio.Task[None]] = set()
        self._figures: dict[str, Figures] = {}

    async def run(self, stopping: asyncio.Event) -> None:
        """Serve; what is in hand at the end is still answered."""
        service = await nats.micro.add_service(
            self._client,
            ServiceConfig(
                name=NAME,
                version=version(NAME),
                description="Answers from the warehouse.",
                stats_handler=self._figures_of,
            ),
        )
        group = service.add_group(name=subjects.QUERIES)
        await self._serve(group, Endpoint(Query.CONTEXT, ContextRequest, self._context.answer))
        await self._serve(group, Endpoint(Query.TRACE, TraceRequest, self._queries.trace))
        await self._serve(group, Endpoint(Query.FACTS, FactsRequest, self._queries.facts))
        await self._serve(group, Endpoint(Query.STATS, StatsRequest, self._queries.stats))
        await self._serve(
            group, Endpoint(Query.CONFLICTS, ConflictsRequest, self._conflicts.conflicts)
        )
        commands = service.add_group(name=subjects.MEMORY_COMMANDS)
        for command in self._commands:
            is_query = isinstance(command.what, Query)
            await self._serve(group if is_query else commands, command)
        _log.info("endpoints_ready")
        await stopping.wait()
        try:
            await service.stop()
        except (NatsError, OSError) as error:
            _log.warning("endpoints_not_closed", reason=repr(error))
        await asyncio.gather(*self._tasks)

    async def _serve(self, group: Group, endpoint: Endpoint[Asked]) -> None:
        async def handle(request: Request) -> None:
            await self._take(endpoint, request)

        self._figures[endpoint.what] = endpoint.figures
        await group.add_endpoint(
            EndpointConfig(name=endpoint.what, subject=f"{endpoint.what}.*", handler=handle)
        )

    async def _take(self, endpoint: Endpoint[Asked], request: Request) -> None:
        """Answer in a task of its own: the library hands over one request at a time."""
        if len(self._tasks) >= self._in_flight:
            busy = ErrorReply(
                code=ErrorCode.OVERLOADED, message="too many requests at once", retryable=True
            )
            endpoint.figures.count(busy, 0.0)
            await _respond(request, busy)
            return
        task = asyncio.create_task(self._answer(endpoint, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, endpoint: Endpoint[Asked], request: Request) -> None:
        loop = asyncio.get_running_loop()
        started = loop.time()
        try:
            reply = await _reply_to(endpoint, request)
        except Exception as error:  # noqa: BLE001 - the top of a request: logged, counted, answered
            place = traceback.format_tb(error.__traceback__)[-1].strip()
            _log.error(
                "request_failed", endpoint=endpoint.what, error=type(error).__name__, place=place
            )
            reply = ErrorReply(code=ErrorCode.INTERNAL, message="the request failed here")
        endpoint.figures.count(reply, loop.time() - started)
        await _respond(request, reply)

    def _figures_of(self, stats: EndpointStats) -> dict[str, Any]:
        return asdict(self._figures[stats.name]) | {"in_flight": len(self._tasks)}


async def _reply_to(endpoint: Endpoint[Asked], request: Request) -> Contract:
    """The answer, or why there is none; whatever else is raised is a fault of ours."""
    try:
        project = subjects.project_token(request.subject)
        asked = codec.decode(request.data, endpoint.expected)
        if asked.project != project:
            message = f"sent as {project!r}, but of another project"
            return ErrorReply(code=ErrorCode.PROJECT_MISMATCH, message=message)
        async with asyncio.timeout(ANSWER_SECONDS):
            return await endpoint.answer(asked)
    except (DecodeError, Refused) as error:
        return ErrorReply(code=error.code, message=str(error))
    except InvalidToken as error:
        return ErrorReply(code=ErrorCode.INVALID_REQUEST, message=str(error))
    except Overloaded as error:
        return ErrorReply(code=ErrorCode.OVERLOADED, message=str(error), retryable=True)
    except (StoreUnavailable, TimeoutError) as error:
        _log.warning("store_unavailable", endpoint=endpoint.what, reason=str(error).strip())
        return ErrorReply(
            code=ErrorCode.UNAVAILABLE, message="the store does not answer", retryable=True
        )


async def _respond(request: Request, reply: Contract) -> None:
    headers = codec.headers_of(reply)
    try:
        data = codec.encode(reply, headers)
    except ContractError as error:
        reply = ErrorReply(code=ErrorCode.INVALID_REQUEST, message=f"ask for less: {error}")
        headers = codec.headers_of(reply)
        data = codec.encode(reply, headers)
    try:
        if isinstance(reply, ErrorReply):
            await request.respond_error(reply.code, reply.code, data, headers)
        else:
            await request.respond(data, headers)
    except (NatsError, ValueError) as error:
        _log.warning("reply_not_sent", reason=repr(error))
