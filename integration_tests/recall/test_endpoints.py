"""Every request gets a typed reply, over a real broker."""

import asyncio
import json
from collections.abc import AsyncIterator

import pytest
from cortex_memory.answer_conflicts import ConflictAnswerer
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.bus.endpoints import Endpoints
from cortex_memory.clock import SystemClock
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.errors import Overloaded
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.trace_log import TraceLog
from nats.errors import NoRespondersError
from recall.rows import PROJECT, Rows
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import Contract
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest, Status, TraceRequest
from roxabi_contracts.errors import ErrorCode, ErrorReply, RequestRefused
from roxabi_contracts.operations import FactsRequest, StatsRequest
from roxabi_contracts.subjects import Query
from services import Servers

REQUEST = ContextRequest(project=PROJECT, subjects=("alice@acme.com",), query="lives in Lyon")
CONTEXT = subjects.query(Query.CONTEXT, PROJECT)


class SlowContext(ContextAnswerer):
    """Answers when it is let, or fails."""

    def __init__(self) -> None:
        self.asked = 0
        self.failure: Exception | None = None
        self.let = asyncio.Event()

    async def answer(self, request: ContextRequest) -> ContextPacket:
        self.asked += 1
        await self.let.wait()
        if self.failure is not None:
            raise self.failure
        return ContextPacket(trace_id="t")


@pytest.fixture
async def memory(servers: Servers) -> AsyncIterator[Connection]:
    """The connection of the service."""
    async with servers.broker.connected("memory") as connection:
        yield connection


@pytest.fixture
async def broker(servers: Servers) -> AsyncIterator[Connection]:
    """The connection of one who asks."""
    async with servers.broker.connected("operator") as connection:
        yield connection


@pytest.fixture
async def served(
    memory: Connection,
    broker: Connection,
    context: ContextAnswerer,
    queries: QueryAnswerer,
    pool: Pool,
) -> AsyncIterator[MemoryClient]:
    stopping = asyncio.Event()
    running = asyncio.create_task(
        Endpoints(memory, context, queries, ConflictAnswerer(pool)).run(stopping)
    )
    await broker_knows(broker)
    yield MemoryClient(broker)
    stopping.set()
    await running


@pytest.fixture
def slow() -> SlowContext:
    return SlowContext()


@pytest.fixture
async def served_slowly(
    memory: Connection, broker: Connection, slow: SlowContext, queries: QueryAnswerer, pool: Pool
) -> AsyncIterator[SlowContext]:
    stopping = asyncio.Event()
    endpoints = Endpoints(memory, slow, queries, ConflictAnswerer(pool), in_flight=4)
    running = asyncio.create_task(endpoints.run(stopping))
    await broker_knows(broker)
    yield slow
    slow.let.set()
    stopping.set()
    await running


async def broker_knows(broker: Connection) -> None:
    """Until the service answers a ping, its endpoints may not be there."""
    for _ in range(100):
        try:
            reply = await broker.client.request("$SRV.INFO.cortex-memory", b"", timeout=1)
        except NoRespondersError:
            await asyncio.sleep(0.02)
            continue
        if len(json.loads(reply.data)["endpoints"]) == 5:
            return
    raise AssertionError("the endpoints did not come up")


async def send(broker: Connection, data: bytes, subject: str = CONTEXT) -> ErrorReply:
    reply = await broker.client.request(subject, data, timeout=5)
    assert (reply.headers or {})["Schema"] == "ErrorReply/1"
    return codec.decode(reply.data, ErrorReply)


async def test_all_four_queries_are_answered(served: MemoryClient, rows: Rows) -> None:
    alice = await rows.person("alice@acme.com", "Alice")
    fact = await rows.fact(alice, "lives_in", "Lyon")
    packet = await served.context(REQUEST)
    assert [one.id for one in packet.facts] == [fact]
    assert packet.trace_id is not None
    trace = await served.trace(TraceRequest(project=PROJECT, trace_id=packet.trace_id))
    assert trace.candidates[0].id == fact
    listed = await served.facts(FactsRequest(project=PROJECT, subject=alice))
    assert [one.id for one in listed.facts] == [fact]
    assert (await served.stats(StatsRequest(project=PROJECT))).facts == {"active": 1}


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", ErrorCode.UNDECODABLE),
        (b"\xff\xfe", ErrorCode.UNDECODABLE),
        (b"null", ErrorCode.UNDECODABLE),
        (b"{}", ErrorCode.INVALID_REQUEST),
        (b'{"contract_version": 2}', ErrorCode.NEWER_VERSION),
        (b'{"project": "a.b", "subjects": ["x"], "query": "q"}', ErrorCode.INVALID_REQUEST),
        (b'{"project": "a", "subjects": ["\\u0000"], "query": "q"}', ErrorCode.INVALID_REQUEST),
        (REQUEST.model_copy(update={"project": "other"}), ErrorCode.PROJECT_MISMATCH),
        (REQUEST.model_copy(update={"budget_tokens": 0}), ErrorCode.BUDGET_EXCEEDED),
        (REQUEST.model_copy(update={"query": " "}), ErrorCode.EMPTY_QUERY),
        (REQUEST, ErrorCode.UNKNOWN_SUBJECT),
    ],
)
async def test_what_cannot_be_answered_gets_a_typed_error(
    served: MemoryClient, broker: Connection, data: bytes | Contract, code: ErrorCode
) -> None:
    sent = data if isinstance(data, bytes) else data.model_dump_json().encode()
    reply = await send(broker, sent)
    assert (reply.code, reply.retryable) == (code, False)
    assert reply.message


async def test_a_refusal_reaches_the_client_as_such(served: MemoryClient) -> None:
    with pytest.raises(RequestRefused) as refusal:
        await served.context(REQUEST)
    assert refusal.value.reply.code is ErrorCode.UNKNOWN_SUBJECT


async def test_requests_are_served_at_once_and_too_many_are_told_to_come_again(
    broker: Connection, served_slowly: SlowContext
) -> None:
    data = REQUEST.model_dump_json().encode()
    requests = [
        asyncio.create_task(broker.client.request(CONTEXT, data, timeout=5)) for _ in range(6)
    ]
    done, waiting = await asyncio.wait(requests, timeout=1)
    assert len(done) == 2
    for task in done:
        refused = codec.decode(task.result().data, ErrorReply)
        assert (refused.code, refused.retryable) == (ErrorCode.OVERLOADED, True)
    served_slowly.let.set()
    packets = [codec.decode((await task).data, ContextPacket) for task in waiting]
    assert len(packets) == served_slowly.asked == 4


async def test_the_client_goes_on_without_an_overloaded_memory(
    broker: Connection, served_slowly: SlowContext
) -> None:
    client = MemoryClient(broker)
    packets = await asyncio.gather(*(client.context(REQUEST, deadline=0.5) for _ in range(6)))
    assert {packet.status for packet in packets} == {Status.DEGRADED}


async def test_who_waited_too_long_is_told_to_come_again(
    broker: Connection, served_slowly: SlowContext
) -> None:
    served_slowly.failure = Overloaded("too many requests wait")
    served_slowly.let.set()
    reply = await send(broker, REQUEST.model_dump_json().encode())
    assert (reply.code, reply.retryable) == (ErrorCode.OVERLOADED, True)


async def test_a_fault_of_ours_is_told_without_its_details(
    broker: Connection, served_slowly: SlowContext
) -> None:
    served_slowly.failure = RuntimeError("a secret")
    served_slowly.let.set()
    reply = await send(broker, REQUEST.model_dump_json().encode())
    assert (reply.code, reply.retryable) == (ErrorCode.INTERNAL, False)
    assert "secret" not in reply.model_dump_json()


async def test_figures_are_in_the_services_own_statistics(
    broker: Connection, served_slowly: SlowContext
) -> None:
    served_slowly.let.set()
    await broker.client.request(CONTEXT, REQUEST.model_dump_json().encode(), timeout=5)
    await send(broker, b"nothing")
    reply = await broker.client.request("$SRV.STATS.cortex-memory", b"", timeout=5)
    figures = {one["name"]: one["data"] for one in json.loads(reply.data)["endpoints"]}
    assert figures["context"]["answered"] == 1
    assert figures["context"]["errors"] == {"undecodable": 1}


async def test_a_database_that_is_down_is_said_and_may_be_asked_again(
    memory: Connection, broker: Connection, embedding: EmbeddingService
) -> None:
    nowhere = "postgresql://nobody@127.0.0.1:9/nothing?connect_timeout=1"
    stopping = asyncio.Event()
    async with open_pool(nowhere, size=1, patience=0.3) as pool:
        traces = TraceLog(pool)
        endpoints = Endpoints(
            memory,
            ContextAnswerer(pool, SystemClock(), Catalogues(), embedding, traces),
            QueryAnswerer(pool, Catalogues(), embedding, traces),
            ConflictAnswerer(pool),
        )
        running = asyncio.create_task(endpoints.run(stopping))
        await broker_knows(broker)
        for query, body in (
            (Query.CONTEXT, REQUEST),
            (Query.FACTS, FactsRequest(project=PROJECT, subject="x")),
            (Query.STATS, StatsRequest(project=PROJECT)),
            (Query.TRACE, TraceRequest(project=PROJECT, trace_id="x")),
        ):
            data = body.model_dump_json().encode()
            reply = await send(broker, data, subjects.query(query, PROJECT))
            assert (reply.code, reply.retryable) == (ErrorCode.UNAVAILABLE, True)
        stopping.set()
        await running
