"""Who can do what on the broker: the proof that the services are apart."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import pytest
from cortex_local import accounts
from cortex_local.keys import seed_file
from nats import micro
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoRespondersError
from nats.errors import TimeoutError as NatsTimeoutError
from nats.js.api import ConsumerConfig, StreamConfig
from nats.js.errors import Error as JetStreamError
from nats.js.errors import NoStreamResponseError, NotFoundError
from nats.micro.service import ServiceConfig
from roxabi_contracts import subjects
from roxabi_contracts.client import BrokerUnavailable, PermissionViolation, connect
from roxabi_contracts.client.requests import request
from roxabi_contracts.client.sweep import StoredMessage, delete, sweep
from roxabi_contracts.operations import MemoryStats, StatsRequest

from .conftest import Broker

SOON = 0.15
CONTEXT = subjects.query(subjects.Query.CONTEXT, "personal")
OTHER_TENANT = subjects.query(subjects.Query.CONTEXT, "other")
EVENT = subjects.events("message", "personal")
SOURCES = subjects.insight_command(subjects.InsightCommand.SOURCES, "personal")
LAKE_FORGET = subjects.insight_command(subjects.InsightCommand.FORGET, "personal")
FORGET = subjects.memory_command(subjects.MemoryCommand.FORGET, "personal")
EXPORT = subjects.memory_command(subjects.MemoryCommand.EXPORT, "personal")
ENTITIES = subjects.query(subjects.Query.ENTITIES, "personal")
CHANGES = subjects.changes("personal")


@dataclass
class Party:
    """A connection and what the broker refused to it."""

    client: Client
    refusals: list[str] = field(default_factory=list[str])

    async def settle(self) -> None:
        """Return when the broker knows the subscriptions: the first ping may overtake them."""
        await self.client.flush()
        await self.client.flush()

    async def is_refused(self, subject: str) -> bool:
        """Whether the broker refuses the subject, which it reports in its own time."""
        for _ in range(100):
            if any(subject.lower() in refusal.lower() for refusal in self.refusals):
                return True
            await asyncio.sleep(0.05)
        return False


@asynccontextmanager
async def party(broker: Broker, user: str) -> AsyncGenerator[Party]:
    refusals: list[str] = []

    async def note(error: Exception) -> None:
        refusals.append(str(error))

    client = Client()
    await client.connect(
        broker.url,
        nkeys_seed_str=seed_file(broker.seeds, user).read_text(),
        inbox_prefix=accounts.inbox_prefix(user).encode(),
        error_cb=note,
    )
    try:
        yield Party(client, refusals)
    finally:
        await client.close()


async def reply(message: Msg) -> None:
    await message.respond(b"answer")


@pytest.mark.parametrize(
    ("server", "caller", "subject"),
    [
        ("memory", "agent", CONTEXT),
        ("memory", "operator", CONTEXT),
        ("memory", "operator", OTHER_TENANT),
        ("memory", "operator", FORGET),
        ("memory", "reader", OTHER_TENANT),
        ("memory", "assistant", CONTEXT),
        ("memory", "assistant", FORGET),
        ("insight", "operator", SOURCES),
        ("insight", "memory", LAKE_FORGET),
    ],
)
async def test_who_may_ask_whom(broker: Broker, server: str, caller: str, subject: str) -> None:
    async with party(broker, server) as serving, party(broker, caller) as asking:
        await serving.client.subscribe(subject, cb=reply)
        await serving.settle()
        answer = await asking.client.request(subject, b"", timeout=5)
        assert answer.data == b"answer"


@pytest.mark.parametrize(
    ("server", "caller", "subject"),
    [
        ("memory", "insight", CONTEXT),
        ("memory", "insight", FORGET),
        ("memory", "agent", OTHER_TENANT),
        ("memory", "agent", FORGET),
        ("memory", "source", CONTEXT),
        ("memory", "reader", FORGET),
        ("memory", "reader", ENTITIES),
        ("memory", "assistant", EXPORT),
        ("insight", "assistant", SOURCES),
        ("insight", "agent", SOURCES),
        ("insight", "source", SOURCES),
        ("insight", "memory", SOURCES),
    ],
)
async def test_who_may_not_ask_whom(broker: Broker, server: str, caller: str, subject: str) -> None:
    async with party(broker, server) as serving, party(broker, caller) as asking:
        await serving.client.subscribe(subject, cb=reply)
        await serving.settle()
        with pytest.raises((NatsTimeoutError, NoRespondersError)):
            await asking.client.request(subject, b"", timeout=SOON)
        assert await asking.is_refused(subject)


@pytest.mark.parametrize("user", ["source", "operator", "assistant"])
async def test_events_are_stored_for_who_may_publish(broker: Broker, user: str) -> None:
    async with party(broker, user) as producer:
        stored = await producer.client.jetstream().publish(EVENT, b"{}")
        assert stored.stream == subjects.STREAM_EVENTS


@pytest.mark.parametrize(
    ("user", "event"),
    [
        ("assistant", subjects.events("mail", "personal")),
        ("reader", EVENT),
        ("agent", EVENT),
    ],
)
async def test_events_are_not_taken_from_others(broker: Broker, user: str, event: str) -> None:
    async with party(broker, user) as producer:
        with pytest.raises((NatsTimeoutError, NoStreamResponseError)):
            await producer.client.jetstream().publish(event, b"{}", timeout=SOON)
        assert await producer.is_refused(event)


async def test_insight_publishes_observations_and_never_reads_them(broker: Broker) -> None:
    async with party(broker, "insight") as insight:
        stream = insight.client.jetstream()
        stored = await stream.publish(subjects.OBSERVATIONS, b"{}")
        assert stored.stream == subjects.STREAM_OBSERVATIONS
        with pytest.raises(NotFoundError):
            await stream.stream_info(subjects.STREAM_OBSERVATIONS)


async def test_same_message_is_stored_once_across_the_boundary(broker: Broker) -> None:
    async with party(broker, "insight") as insight:
        stream = insight.client.jetstream()
        headers = {"Nats-Msg-Id": "one-of-a-kind"}
        first = await stream.publish(subjects.OBSERVATIONS, b"{}", headers=headers)
        second = await stream.publish(subjects.OBSERVATIONS, b"{}", headers=headers)
        assert (first.seq, second.duplicate) == (second.seq, True)


@pytest.mark.parametrize("user", ["agent", "source", "operator", "assistant", "memory"])
async def test_nobody_but_insight_publishes_observations(broker: Broker, user: str) -> None:
    async with party(broker, user) as other:
        with pytest.raises((NatsTimeoutError, NoStreamResponseError)):
            await other.client.jetstream().publish(subjects.OBSERVATIONS, b"{}", timeout=SOON)
        assert await other.is_refused(subjects.OBSERVATIONS)


async def test_memory_sees_no_stream_of_insight(broker: Broker) -> None:
    async with party(broker, "memory") as memory:
        with pytest.raises(NotFoundError):
            await memory.client.jetstream().stream_info(subjects.STREAM_EVENTS)
        names = await memory.client.jetstream().streams_info()
        assert {info.config.name for info in names} == {
            subjects.STREAM_OBSERVATIONS,
            subjects.STREAM_OBSERVATIONS_REJECTED,
            subjects.STREAM_CHANGES,
        }


@pytest.mark.parametrize(
    ("user", "subject"),
    [
        ("insight", "roxabi.memory.>"),
        ("insight", CHANGES),
        ("insight", subjects.OBSERVATIONS),
        ("memory", subjects.EVENTS_ALL),
        ("memory", SOURCES),
        ("agent", subjects.QUERIES_ALL),
        ("agent", CHANGES),
        ("agent", "_INBOX.>"),
        ("agent", ">"),
        ("source", subjects.EVENTS_ALL),
        ("operator", subjects.QUERIES_ALL),
        ("assistant", CHANGES),
        ("reader", "_INBOX_operator.>"),
        ("insight", "_INBOX_insight_provisioner.>"),
        ("memory", "_INBOX_memory_provisioner.>"),
    ],
)
async def test_nobody_listens_where_it_is_not_theirs(
    broker: Broker, user: str, subject: str
) -> None:
    async with party(broker, user) as curious:
        await curious.client.subscribe(subject)
        assert await curious.is_refused(subject)


@pytest.mark.parametrize("user", ["insight", "memory", "agent", "assistant", "source", "operator"])
async def test_only_provisioners_make_streams_and_consumers(broker: Broker, user: str) -> None:
    async with party(broker, user) as curious:
        stream = curious.client.jetstream(timeout=SOON)
        with pytest.raises((NatsTimeoutError, JetStreamError)):
            await stream.add_stream(StreamConfig(name="MINE", subjects=["mine.>"]))
        assert await curious.is_refused("$JS.API.STREAM.CREATE.MINE")
        for name in (subjects.STREAM_EVENTS, subjects.STREAM_OBSERVATIONS):
            with pytest.raises((NatsTimeoutError, JetStreamError)):
                await stream.add_consumer(name, ConsumerConfig(durable_name="mine"))
            with pytest.raises((NatsTimeoutError, JetStreamError)):
                await stream.purge_stream(name)


@pytest.mark.parametrize(
    ("user", "sender", "subject", "stream", "foreign"),
    [
        (
            "insight",
            "operator",
            EVENT,
            subjects.STREAM_EVENTS,
            subjects.STREAM_OBSERVATIONS,
        ),
        (
            "memory",
            "insight",
            subjects.OBSERVATIONS,
            subjects.STREAM_OBSERVATIONS,
            subjects.STREAM_EVENTS,
        ),
    ],
)
async def test_services_overwrite_single_messages_of_their_own_streams_alone(
    broker: Broker, user: str, sender: str, subject: str, stream: str, foreign: str
) -> None:
    async def all_of_them(batch: list[StoredMessage]) -> set[int]:
        return {message.sequence for message in batch if message.data == b"secret"}

    async with party(broker, user) as service, party(broker, sender) as producer:
        await producer.client.jetstream().publish(subject, b"secret")
        assert await sweep(service.client, stream, all_of_them) == 1
        assert await sweep(service.client, stream, all_of_them) == 0
        assert service.refusals == []
        with pytest.raises(BrokerUnavailable):
            await delete(service.client, foreign, {1})
        assert await service.is_refused(f"$JS.API.STREAM.MSG.DELETE.{foreign}")


@pytest.mark.parametrize("user", ["agent", "assistant", "source", "operator"])
async def test_nobody_else_deletes_messages(broker: Broker, user: str) -> None:
    async with party(broker, user) as curious:
        stream = curious.client.jetstream(timeout=SOON)
        for name in (subjects.STREAM_EVENTS, subjects.STREAM_OBSERVATIONS):
            with pytest.raises((NatsTimeoutError, JetStreamError)):
                await stream.delete_msg(name, 1)
            assert await curious.is_refused(f"$JS.API.STREAM.MSG.DELETE.{name}")


@pytest.mark.parametrize(
    ("user", "durable", "stream"),
    [
        ("insight", subjects.DURABLE_INGEST, subjects.STREAM_EVENTS),
        ("memory", subjects.DURABLE_INBOX, subjects.STREAM_OBSERVATIONS),
    ],
)
async def test_services_pull_and_acknowledge(
    broker: Broker, user: str, durable: str, stream: str
) -> None:
    sender, subject = {
        "insight": ("operator", EVENT),
        "memory": ("insight", subjects.OBSERVATIONS),
    }[user]
    async with party(broker, user) as service, party(broker, sender) as producer:
        await producer.client.jetstream().publish(subject, b"work")
        work = await service.client.jetstream().pull_subscribe_bind(consumer=durable, stream=stream)
        for message in await work.fetch(100, timeout=5):
            await message.ack_sync(timeout=5)
        info = await service.client.jetstream().consumer_info(stream, durable)
        assert (info.num_pending, info.num_ack_pending) == (0, 0)
        assert service.refusals == []


async def test_operator_follows_changes_and_finds_the_services(broker: Broker) -> None:
    async with party(broker, "memory") as memory, party(broker, "operator") as operator:
        changes = await operator.client.subscribe(subjects.CHANGES_ALL)
        await operator.settle()
        await memory.client.jetstream().publish(CHANGES, b"changed")
        assert (await changes.next_msg(timeout=5)).data == b"changed"
        service = await micro.add_service(
            memory.client, ServiceConfig(name="memory", version="1.0.0")
        )
        found = await operator.client.request("$SRV.PING", b"", timeout=5)
        assert b'"memory"' in found.data
        await service.stop()


async def test_client_turns_a_foreign_tenant_into_a_violation(broker: Broker) -> None:
    connection = await connect(
        broker.url,
        name="agent",
        seed_file=seed_file(broker.seeds, "agent"),
        inbox_prefix=accounts.inbox_prefix("agent"),
    )
    subject = subjects.query(subjects.Query.STATS, "other")
    with pytest.raises(PermissionViolation, match=subject):
        await request(connection, subject, StatsRequest(project="other"), MemoryStats, SOON)
    await connection.close()


async def test_broker_lets_nobody_in_without_a_key(broker: Broker) -> None:
    async def silent(_error: Exception) -> None: ...

    client = Client()
    with pytest.raises(NatsError):
        await client.connect(
            broker.url, allow_reconnect=False, max_reconnect_attempts=0, error_cb=silent
        )
    await client.close()
