"""What the lake answers over the broker: concurrent, bounded, and never without a typed reply."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

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
from roxabi_contracts.operations import SourcesReply, SourcesRequest
from roxabi_contracts.subjects import InsightCommand
from structlog.typing import FilteringBoundLogger

from cortex_insight.errors import StoreUnavailable

CONCURRENCY: Final = 4
WAITING: Final = 32
"""Requests that may wait for their turn; one more is told to come back."""

Answer = Callable[[SourcesRequest], Awaitable[SourcesReply]]


class Commands:
    """The service `cortex-insight` on the broker.

    Args:
        answer: Answers what is asked of the sources.
    """

    def __init__(self, answer: Answer) -> None:
        self._answer = answer
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
        what = InsightCommand.SOURCES
        await self._service.add_endpoint(
            EndpointConfig(
                name=what, subject=f"{subjects.INSIGHT_COMMANDS}.{what}.*", handler=self._accept
            )
        )
        with suppress(NatsError):  # else the broker learns of it when the connection is back
            await client.flush()

    async def stop(self) -> None:
        """Take no more requests, and finish those that were taken."""
        if self._service is not None:
            with suppress(NatsError):
                await self._service.stop()
        await asyncio.gather(*self._tasks)

    async def _accept(self, request: Request) -> None:
        """Start a task: the library hands over one request at a time."""
        if len(self._tasks) >= CONCURRENCY + WAITING:
            await _respond(request, _error(ErrorCode.OVERLOADED, "too many requests wait"))
            return
        task = asyncio.create_task(self._serve(request))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _serve(self, request: Request) -> None:
        async with self._free:
            try:
                reply = await self._reply(request)
            except Exception as error:  # noqa: BLE001 - a top loop: no request goes unanswered
                self._log.error("command_failed", fault=type(error).__name__)
                reply = _error(ErrorCode.INTERNAL, "the request failed; the log says more")
            await _respond(request, reply)

    async def _reply(self, request: Request) -> Contract:
        try:
            project = subjects.project_token(request.subject)
            asked = codec.decode(request.data, SourcesRequest)
        except DecodeError as error:
            return _error(error.code, str(error))
        except ContractError as error:
            return _error(ErrorCode.INVALID_REQUEST, str(error))
        if asked.project != project:
            return _error(ErrorCode.PROJECT_MISMATCH, "subject and body name different projects")
        try:
            return await self._answer(asked)
        except StoreUnavailable:
            return _error(ErrorCode.UNAVAILABLE, "the database cannot be reached")


def _error(code: ErrorCode, message: str) -> ErrorReply:
    retryable = code in {ErrorCode.OVERLOADED, ErrorCode.UNAVAILABLE}
    return ErrorReply(code=code, message=message, retryable=retryable)


async def _respond(request: Request, reply: Contract) -> None:
    headers = codec.headers_of(reply)
    await request.respond(codec.encode(reply, headers), headers=headers)
