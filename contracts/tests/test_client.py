"""The clients against a real broker: what is stored, what is refused, what is missing."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from broker import running_broker
from nats.aio.msg import Msg
from roxabi_contracts import (
    ContextPacket,
    ContextRequest,
    Contract,
    ErrorCode,
    ErrorReply,
    JsonBody,
    RawEvent,
    codec,
    subjects,
)
from roxabi_contracts.client import (
    BrokerUnavailable,
    Connection,
    LakeClient,
    MemoryClient,
    NoAnswer,
    PermissionViolation,
    ProducerClient,
    StreamFull,
    connect,
    producer,
)
from roxabi_contracts.client.memory import CONTEXT_DEADLINE
from roxabi_contracts.client.requests import request
from roxabi_contracts.context import ContextTrace, Status, TraceRequest
from roxabi_contracts.decisions import (
    ConflictsReply,
    ConflictsRequest,
    DecisionReply,
    DecisionRequest,
)
from roxabi_contracts.errors import ContractError, InvalidToken, RequestRefused, TooLarge
from roxabi_contracts.operations import DecisionAction, SourcesReply, SourcesRequest
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running_broker(tmp_path_factory.mktemp("broker")) as address:
        yield address


@pytest.fixture
async def connection(broker: str) -> AsyncIterator[Connection]:
    opened = await connect(f"nats://all:all@{broker}", name="test")
    yield opened
    await opened.close()


@pytest.fixture
async def confined(broker: str) -> AsyncIterator[Connection]:
    opened = await connect(f"nats://one:one@{broker}", name="confined")
    yield opened
    await opened.close()


@pytest.fixture
async def events(connection: Connection) -> AsyncIterator[str]:
    jetstream = connection.client.jetstream()
    await jetstream.add_stream(name=subjects.STREAM_EVENTS, subjects=[subjects.EVENTS_ALL])
    yield subjects.STREAM_EVENTS
    await jetstream.delete_stream(subjects.STREAM_EVENTS)


def event(text: str = "hello", project: str = "mine") -> RawEvent:
    return RawEvent(
        project=project,
        source="message",
        source_ref="1",
        media_type="application/json",
        body=JsonBody(content={"text": text}),
    )


def ask(project: str = "mine") -> ContextRequest:
    return ContextRequest(project=project, subjects=("alice@example.org",), query="city")


async def serve(connection: Connection, subject: str, reply: Contract) -> None:
    async def answer(message: Msg) -> None:
        headers = codec.headers_of(reply)
        await connection.client.publish(message.reply, codec.encode(reply), headers=headers)

    await connection.client.subscribe(subject, cb=answer)
    await connection.client.flush()


async def test_an_event_is_stored_once(connection: Connection, events: str) -> None:
    producer = ProducerClient(connection)

    assert await producer.publish(event())
    assert not await producer.publish(event())

    stored = await connection.client.jetstream().get_last_msg(
        events, subjects.events("message", "mine")
    )
    assert stored.data is not None
    assert event() == codec.decode(stored.data, RawEvent)


async def test_many_events_are_published_bounded_in_flight(
    connection: Connection, events: str
) -> None:
    async def several() -> AsyncIterator[RawEvent]:
        for number in range(50):
            yield event(str(number % 40))

    assert await ProducerClient(connection, in_flight=4).publish_all(several()) == 40


async def test_no_more_events_are_read_than_may_be_in_flight(
    connection: Connection, events: str
) -> None:
    running: list[int] = []

    async def several() -> AsyncIterator[RawEvent]:
        before = len(asyncio.all_tasks())
        for number in range(20):
            running.append(len(asyncio.all_tasks()) - before)
            yield event(str(number))

    await ProducerClient(connection, in_flight=4).publish_all(several())

    assert max(running) <= 4


async def test_an_event_that_cannot_be_sent_costs_nothing(
    connection: Connection, events: str
) -> None:
    producer = ProducerClient(connection)
    with pytest.raises(TooLarge):
        await producer.publish(event("x" * codec.MAXIMUM_EVENT))
    with pytest.raises(ContractError):
        await producer.publish(event("a\0b"))
    with pytest.raises(InvalidToken):
        await producer.publish(event().model_copy(update={"project": "a.b"}))

    assert connection.client.is_connected
    assert await producer.publish(event())


async def test_a_full_stream_is_waited_for_and_then_said(
    connection: Connection, events: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    jetstream = connection.client.jetstream()
    await jetstream.update_stream(
        name=events, subjects=[subjects.EVENTS_ALL], max_bytes=3000, discard="new"
    )
    client = ProducerClient(connection)
    await client.publish(event("x" * 1500))
    waiting = asyncio.create_task(client.publish(event("y" * 1500)))
    await asyncio.sleep(0.05)
    assert not waiting.done()
    await jetstream.purge_stream(events)
    assert await waiting
    monkeypatch.setattr(producer, "ATTEMPTS", 2)
    with pytest.raises(StreamFull, match="is full"):
        await client.publish(event("z" * 1500))
    state = (await jetstream.stream_info(events)).state
    assert state.messages == 1


async def test_what_the_broker_refuses_is_an_error_of_its_own(confined: Connection) -> None:
    with pytest.raises(PermissionViolation, match="theirs"):
        await MemoryClient(confined).context(ask("theirs"), deadline=0.5)


async def test_a_refused_request_does_not_wait_for_its_deadline(confined: Connection) -> None:
    subject = subjects.query(Query.TRACE, "mine")
    asked = TraceRequest(project="mine", trace_id="1")
    async with asyncio.timeout(30):
        both = [request(confined, subject, asked, ContextTrace, deadline=3600) for _ in range(2)]
        failed = await asyncio.gather(*both, return_exceptions=True)
    assert [type(error) for error in failed] == [PermissionViolation, PermissionViolation]


async def test_context_is_answered(connection: Connection) -> None:
    packet = ContextPacket(trace_id="t")
    await serve(connection, subjects.query(Query.CONTEXT, "mine"), packet)

    assert packet == await MemoryClient(connection).context(ask())


async def test_an_agent_is_never_blocked(connection: Connection) -> None:
    nobody = await MemoryClient(connection).context(ask("nobody"))

    async def never(_: Msg) -> None:
        await asyncio.sleep(0)

    await connection.client.subscribe(subjects.query(Query.CONTEXT, "slow"), cb=never)
    slow = await MemoryClient(connection).context(ask("slow"), deadline=0.05)

    for packet in (nobody, slow):
        assert Status.DEGRADED is packet.status
        assert packet.trace_id is None
        assert "memory unavailable" in packet.warnings[0]


def test_what_is_not_said_is_as_agents_need_it() -> None:
    assert CONTEXT_DEADLINE == 2
    asked = ask()
    assert (asked.budget_tokens, asked.about, asked.as_of, asked.goal) == (900, None, None, None)
    assert (asked.limits.facts, asked.limits.episodes) == (64, None)


async def test_a_wrong_request_is_told_and_a_fault_of_memory_is_not(connection: Connection) -> None:
    wrong = ErrorReply(code=ErrorCode.BUDGET_EXCEEDED, message="0 tokens")
    busy = ErrorReply(code=ErrorCode.OVERLOADED, message="later", retryable=True)
    broken = ErrorReply(code=ErrorCode.INTERNAL, message="the request failed here")
    for project, reply in (("wrong", wrong), ("busy", busy), ("broken", broken)):
        await serve(connection, subjects.query(Query.CONTEXT, project), reply)

    with pytest.raises(RequestRefused, match="budget_exceeded"):
        await MemoryClient(connection).context(ask("wrong"))
    for project in ("busy", "broken"):
        packet = await MemoryClient(connection).context(ask(project))
        assert (packet.trace_id, packet.status) == (None, Status.DEGRADED)


@pytest.mark.parametrize("query", ["a\0b", "a\ud800b"])
async def test_a_text_that_cannot_be_sent_is_refused_like_any_wrong_request(
    connection: Connection, query: str
) -> None:
    unsendable = ContextRequest(project="own", subjects=("x@acme.com",), query="q").model_copy(
        update={"query": query}
    )
    with pytest.raises(RequestRefused) as refusal:
        await MemoryClient(connection).context(unsendable)
    assert refusal.value.reply.code is ErrorCode.INVALID_REQUEST
    assert not refusal.value.reply.retryable


async def test_an_answer_that_cannot_be_read_is_no_memory(connection: Connection) -> None:
    async def babble(message: Msg) -> None:
        await message.respond(b'{"contract_version": 999}')

    subject = subjects.query(Query.CONTEXT, "babbling")
    subscription = await connection.client.subscribe(subject, cb=babble)
    asked = ContextRequest(project="babbling", subjects=("x@acme.com",), query="q")
    packet = await MemoryClient(connection).context(asked)
    await subscription.unsubscribe()
    assert (packet.trace_id, packet.status) == (None, Status.DEGRADED)


async def test_other_questions_are_not_fail_open(connection: Connection) -> None:
    with pytest.raises(NoAnswer, match="nobody serves"):
        await MemoryClient(connection).trace(TraceRequest(project="mine", trace_id="t"))


async def test_conflicts_are_listed_and_decided(connection: Connection) -> None:
    listed = ConflictsReply(project="mine", conflicts=())
    decided = DecisionReply(decision_id="d", known=False, facts=())
    await serve(connection, subjects.query(Query.CONFLICTS, "mine"), listed)
    await serve(connection, subjects.memory_command(MemoryCommand.RESOLVE, "mine"), decided)
    request = DecisionRequest(
        project="mine",
        subject="ann",
        action=DecisionAction.DISABLE,
        fact_id="f",
        decided_by="dora",
        decided_at=datetime(2026, 3, 1, tzinfo=UTC),
    )

    assert listed == await MemoryClient(connection).conflicts(ConflictsRequest(project="mine"))
    assert decided == await MemoryClient(connection).decide(request)


async def test_the_lake_answers_too(connection: Connection) -> None:
    reply = SourcesReply(project="mine", sources=())
    await serve(connection, subjects.insight_command(InsightCommand.SOURCES, "mine"), reply)

    assert reply == await LakeClient(connection).sources(SourcesRequest(project="mine"))


async def test_no_broker_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises(BrokerUnavailable, match="no broker answers"):
        await connect("nats://127.0.0.1:1", name="test")
