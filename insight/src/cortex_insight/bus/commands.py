"""What the lake answers over the broker: concurrent, bounded, and never without a typed reply."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

import structlog
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.micro.request import Request
from nats.micro.service import EndpointConfig, Service, ServiceConfig
from roxabi_contracts import (
    Contract,
    ContractError,
    DecodeError,
    ErrorCode,
    ErrorReply,
    codec,
    subjects,
)
from roxabi_contracts.operations import SourcesRequest
from roxabi_contracts.subjects import InsightCommand
from roxabi_contracts.upkeep import DeadLettersRequest, LakeForgetRequest, ReplayRequest
from structlog.typing import FilteringBoundLogger

from cortex_insight.errors import BusUnavailable, StoreUnavailable
from cortex_insight.log import place_of

CONCURRENCY: Final = 4
WAITING: Final = 32
"""Requests that may wait for their turn; one more is told to come back."""

Asked = TypeVar("Asked", SourcesRequest, LakeForgetRequest, DeadLettersRequest, ReplayRequest)


@dataclass(frozen=True)
class Command(Generic[Asked]):
    """What the lake can be told, how that is read, and who obeys it."""

    what: InsightCommand
    expected: type[Asked]
    obey: Callable[[Asked], Awaitable[Contract]]


class Commands:
    """The service `cortex-insight` on the broker.

    Args:
        commands: All that it obeys.
    """

    def __init__(self, commands: Sequence[Command[Any]]) -> None:
        self._commands = commands
        self._free = asyncio.Semaphore(CONCURRENCY)
        self._tasks: set[asyncio.Task[None]] = set()
        self._service: Service | None = None
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def start(self, client: Client, version: str) -> None:
        """Serve from now on."""
        config = ServiceConfig(
            name="cortex-insight", version=version, description="The lake of Cortex"
        )
        self._service = Service(client, config)
        await self._service.start()
        for command in self._commands:
            await self._serve(self._service, command)
        with suppress(NatsError):  # else the broker learns of it when the connection is back
            await client.flush()

    async def stop(self) -> None:
        """Take no more requests, and finish those that were taken."""
        if self._service is not None:
            with suppress(NatsError, OSError):  # a broker that is away asks for nothing more
                await self._service.stop()
        await asyncio.gather(*self._tasks)

    async def _serve(self, service: Service, command: Command[Asked]) -> None:
        async def handle(request: Request) -> None:
            await self._accept(command, request)

        subject = f"{subjects.INSIGHT_COMMANDS}.{command.what}.*"
        await service.add_endpoint(
            EndpointConfig(name=command.what, subject=subject, handler=handle)
        )

    async def _accept(self, command: Command[Asked], request: Request) -> None:
        """Start a task: the library hands over one request at a time."""
        if len(self._tasks) >= CONCURRENCY + WAITING:
            await _respond(request, _error(ErrorCode.OVERLOADED, "too many requests wait"))
            return
        task = asyncio.create_task(self._answer(command, request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, command: Command[Asked], request: Request) -> None:
        async with self._free:
            try:
                reply = await _reply_to(command, request)
            except Exception as error:  # noqa: BLE001 - a top loop: no request goes unanswered
                fault, place = type(error).__name__, place_of(error)
                self._log.error("command_failed", command=command.what, fault=fault, place=place)
                reply = _error(ErrorCode.INTERNAL, "the request failed; the log says more")
            await _respond(request, reply)


async def _reply_to(command: Command[Asked], request: Request) -> Contract:
    try:
        project = subjects.project_token(request.subject)
        asked = codec.decode(request.data, command.expected)
    except DecodeError as error:
        return _error(error.code, str(error))
    except ContractError as error:
        return _error(ErrorCode.INVALID_REQUEST, str(error))
    if asked.project != project:
        return _error(ErrorCode.PROJECT_MISMATCH, "subject and body name different projects")
    try:
        return await command.obey(asked)
    except StoreUnavailable:
        return _error(ErrorCode.UNAVAILABLE, "the database cannot be reached")
    except BusUnavailable:
        return _error(ErrorCode.UNAVAILABLE, "a stream cannot be reached")


def _error(code: ErrorCode, message: str) -> ErrorReply:
    retryable = code in {ErrorCode.OVERLOADED, ErrorCode.UNAVAILABLE}
    return ErrorReply(code=code, message=message, retryable=retryable)


async def _respond(request: Request, reply: Contract) -> None:
    headers = codec.headers_of(reply)
    try:
        data = codec.encode(reply, headers)
    except ContractError as error:
        reply = _error(ErrorCode.INVALID_REQUEST, f"ask for less: {error}")
        headers = codec.headers_of(reply)
        data = codec.encode(reply, headers)
    with suppress(NatsError):  # who asked is told nothing, and may ask again
        await request.respond(data, headers=headers)
