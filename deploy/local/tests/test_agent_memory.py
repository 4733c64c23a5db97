"""What an agent reads of a memory that is new, that does not answer, or that others wrote into."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from cortex_local import accounts
from cortex_local.agent_memory import AgentMemory, AgentScope
from cortex_local.broker_user import connect_as
from nats.aio.msg import Msg
from roxabi_contracts import codec, subjects
from roxabi_contracts.actor import Identifier
from roxabi_contracts.base import Contract
from roxabi_contracts.context import ContextPacket
from roxabi_contracts.errors import ErrorCode, ErrorReply, RequestRefused
from roxabi_contracts.operations import FactRecord, FactsReply, FactStatus
from roxabi_contracts.subjects import Query

from .conftest import Broker

SCOPE = AgentScope("agents", Identifier.parse("ada@example.org"), "Ada", "talk")
NOW = datetime(2026, 3, 1, tzinfo=UTC)
UNKNOWN = ErrorReply(code=ErrorCode.UNKNOWN_SUBJECT, message="nobody is known as that")
FACT = FactRecord(
    id="f",
    about="a",
    about_name="Ada",
    predicate="lives_in",
    value={"value": "Bergen"},
    status=FactStatus.ACTIVE,
    confidence=0.9,
    confirmations=0,
    authority=3,
    kind="attribute",
    volatility="slow",
    valid_from=None,
    valid_until=None,
    last_confirmed=None,
    sources=("o",),
)


@asynccontextmanager
async def memory_that_replies(broker: Broker, what: Query, reply: Contract) -> AsyncGenerator[None]:
    """While it is open, every such question gets this reply."""

    async def answer(message: Msg) -> None:
        await service.client.publish(
            message.reply, codec.encode(reply), headers=codec.headers_of(reply)
        )

    async with connect_as(broker.url, broker.seeds, accounts.MEMORY) as service:
        await service.client.subscribe(subjects.query(what, SCOPE.project), cb=answer)
        await service.client.flush()
        yield


async def read(broker: Broker, use: Callable[[AgentMemory], Awaitable[str]]) -> str:
    async with connect_as(broker.url, broker.seeds, accounts.ASSISTANT) as connection:
        return await use(AgentMemory(SCOPE, connection, lambda: NOW))


async def recall(memory: AgentMemory) -> str:
    return (await memory.context("where?", 900, None, None))[0]


async def listing(memory: AgentMemory) -> str:
    return await memory.inspect(None, history=False)


async def test_a_memory_in_which_nothing_was_said_is_no_error(broker: Broker) -> None:
    for what, use in ((Query.CONTEXT, recall), (Query.FACTS, listing)):
        async with memory_that_replies(broker, what, UNKNOWN):
            assert await read(broker, use) == "Nothing is known of email:ada@example.org yet."
    wrong = UNKNOWN.model_copy(update={"code": ErrorCode.BUDGET_EXCEEDED})
    async with memory_that_replies(broker, Query.CONTEXT, wrong):
        with pytest.raises(RequestRefused):
            await read(broker, recall)


async def test_a_memory_that_does_not_answer_is_not_said_to_know_nothing(broker: Broker) -> None:
    told = await read(broker, recall)
    assert told.startswith("Memory did not answer.\nWarning: memory unavailable")
    nothing = ContextPacket(trace_id="t", empty_reason="no_relevant_memory")
    async with memory_that_replies(broker, Query.CONTEXT, nothing):
        assert await read(broker, recall) == "Nothing that bears on this is known."


async def test_a_listed_fact_that_others_stated_is_marked(broker: Broker) -> None:
    rumour = FACT.model_copy(update={"id": "g", "authority": 1})
    reply = FactsReply(project=SCOPE.project, subject="a", facts=(FACT, rumour))
    async with memory_that_replies(broker, Query.FACTS, reply):
        lines = (await read(broker, listing)).splitlines()
    assert lines[1:-1] == [
        "f [active] Ada: lives in: Bergen",
        "g [active, said by a third party] Ada: lives in: Bergen",
    ]
