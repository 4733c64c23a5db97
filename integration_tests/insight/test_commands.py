"""Every request gets a typed reply, soon, whatever was sent."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from cortex_insight.bus.commands import CONCURRENCY, WAITING, Command, Commands
from cortex_insight.errors import StoreUnavailable
from cortex_local import accounts
from roxabi_contracts import ErrorCode, ErrorReply, codec, subjects
from roxabi_contracts.client import Connection, LakeClient
from roxabi_contracts.errors import RequestRefused
from roxabi_contracts.operations import SourcesReply, SourcesRequest, SourceStats
from roxabi_contracts.subjects import InsightCommand
from services import Broker

ASKED = SourcesRequest(project="p")
SUBJECT = subjects.insight_command(InsightCommand.SOURCES, "p")


@asynccontextmanager
async def serving(
    connection: Connection, answer: Callable[[SourcesRequest], Awaitable[SourcesReply]]
) -> AsyncGenerator[None]:
    commands = Commands([Command(InsightCommand.SOURCES, SourcesRequest, answer)])
    await commands.start(connection.client, "1.2.3")
    try:
        yield
    finally:
        await commands.stop()


@pytest.fixture
async def operator(broker: Broker) -> AsyncGenerator[Connection]:
    async with broker.connected(accounts.OPERATOR) as connected:
        yield connected


async def nothing(asked: SourcesRequest) -> SourcesReply:
    return SourcesReply(project=asked.project, sources=())


async def refusal(operator: Connection, data: bytes) -> ErrorReply:
    reply = await operator.client.request(SUBJECT, data, timeout=10)
    return codec.decode(reply.data, ErrorReply)


async def test_a_request_is_answered(connection: Connection, operator: Connection) -> None:
    async with serving(connection, nothing):
        assert await LakeClient(operator).sources(ASKED) == await nothing(ASKED)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"\xff", ErrorCode.UNDECODABLE),
        (b"null", ErrorCode.UNDECODABLE),
        (b'{"project": "p", "contract_version": 99}', ErrorCode.NEWER_VERSION),
        (b'{"project": "a.b"}', ErrorCode.INVALID_REQUEST),
        (b'{"project": "other"}', ErrorCode.PROJECT_MISMATCH),
    ],
)
async def test_what_cannot_be_answered_gets_a_typed_error(
    connection: Connection, operator: Connection, data: bytes, code: ErrorCode
) -> None:
    async with serving(connection, nothing):
        error = await refusal(operator, data)
    assert (error.code, error.retryable) == (code, False)


@pytest.mark.parametrize(
    ("fault", "code", "retryable"),
    [
        (StoreUnavailable("away"), ErrorCode.UNAVAILABLE, True),
        (KeyError("a secret"), ErrorCode.INTERNAL, False),
    ],
)
async def test_a_fault_is_answered_without_its_detail(
    connection: Connection,
    operator: Connection,
    fault: Exception,
    code: ErrorCode,
    retryable: bool,
) -> None:
    async def fail(_: SourcesRequest) -> SourcesReply:
        raise fault

    async with serving(connection, fail):
        with pytest.raises(RequestRefused) as refused:
            await LakeClient(operator).sources(ASKED)
    assert (refused.value.reply.code, refused.value.reply.retryable) == (code, retryable)
    assert "secret" not in refused.value.reply.message


async def test_a_reply_that_cannot_be_sent_is_told(
    connection: Connection, operator: Connection
) -> None:
    name = "x" * codec.MAXIMUM_PAYLOAD

    async def say_too_much(asked: SourcesRequest) -> SourcesReply:
        source = SourceStats(
            source="s", events=1, observations=0, rejected=0, record_types={name: 1}
        )
        return SourcesReply(project=asked.project, sources=(source,))

    async with serving(connection, say_too_much):
        with pytest.raises(RequestRefused) as refused:
            await LakeClient(operator).sources(ASKED)
    assert refused.value.reply.code is ErrorCode.INVALID_REQUEST


async def test_more_than_can_wait_is_told_to_come_back(
    connection: Connection, operator: Connection
) -> None:
    release = asyncio.Event()
    at_once = 0

    async def slow(asked: SourcesRequest) -> SourcesReply:
        nonlocal at_once
        at_once += 1
        await release.wait()
        return await nothing(asked)

    async def ask() -> ErrorCode | None:
        try:
            await LakeClient(operator).sources(ASKED)
        except RequestRefused as refused:
            return refused.reply.code
        return None

    async with serving(connection, slow):
        asked = [asyncio.create_task(ask()) for _ in range(CONCURRENCY + WAITING + 5)]
        done, _ = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED, timeout=10)
        assert {task.result() for task in done} == {ErrorCode.OVERLOADED}
        assert at_once == CONCURRENCY
        release.set()
        answers = await asyncio.gather(*asked)
    assert answers.count(ErrorCode.OVERLOADED) == 5
    assert answers.count(None) == CONCURRENCY + WAITING
