import asyncio

import pytest
from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.provision import PROVISIONERS, find_drift, provision
from cortex_local.topology import CONSUMERS, STREAMS
from nats.js import JetStreamContext
from nats.js.api import RetentionPolicy, StreamConfig
from nats.js.errors import APIError, NoStreamResponseError
from roxabi_contracts import subjects
from roxabi_contracts.client.pull import Puller

from .conftest import Broker


async def test_repeating_changes_nothing(broker: Broker) -> None:
    assert await provision(broker.url, broker.seeds) == []
    assert await find_drift(broker.url, broker.seeds) == []


async def test_difference_is_reported_and_corrected(broker: Broker) -> None:
    async with connect_as(broker.url, broker.seeds, accounts.MEMORY_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        config = (await manager.stream_info(subjects.STREAM_CHANGES)).config
        config.max_age = 60.0
        config.duplicate_window = 60.0
        await manager.update_stream(config)
    (drift,) = await find_drift(broker.url, broker.seeds)
    assert drift.name == subjects.STREAM_CHANGES
    assert any("max_age" in difference for difference in drift.difference)
    assert await find_drift(broker.url, broker.seeds) == [drift]
    assert await provision(broker.url, broker.seeds) == [drift]
    assert await find_drift(broker.url, broker.seeds) == []


async def test_missing_durable_is_made_again(broker: Broker) -> None:
    async with connect_as(broker.url, broker.seeds, accounts.INSIGHT_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        await manager.delete_consumer(subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
    drifts = [str(drift) for drift in await provision(broker.url, broker.seeds)]
    assert drifts == ["INSIGHT_EVENTS/insight-ingest: missing"]


async def test_a_message_comes_again_until_it_is_acknowledged(broker: Broker) -> None:
    for consumer in CONSUMERS:
        user = PROVISIONERS[consumer.account]
        async with connect_as(broker.url, broker.seeds, user) as connection:
            manager = connection.client.jetstream()
            config = (await manager.consumer_info(consumer.stream, consumer.name)).config
        assert config.max_deliver == -1


async def test_a_bound_on_deliveries_of_former_days_is_lifted(broker: Broker) -> None:
    async with connect_as(broker.url, broker.seeds, accounts.MEMORY_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        info = await manager.consumer_info(subjects.STREAM_OBSERVATIONS, subjects.DURABLE_INBOX)
        info.config.max_deliver = 20
        await manager.add_consumer(subjects.STREAM_OBSERVATIONS, info.config)
    (drift,) = await provision(broker.url, broker.seeds)
    assert drift.difference == ("max_deliver is 20, not -1",)
    assert await find_drift(broker.url, broker.seeds) == []


async def test_streams_refuse_when_full_and_lose_nothing_of_value(broker: Broker) -> None:
    async with connect_as(broker.url, broker.seeds, accounts.MEMORY_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        config: StreamConfig = (await manager.stream_info(subjects.STREAM_OBSERVATIONS)).config
    assert config.discard == "new"
    assert config.storage == "file"
    assert config.allow_atomic is True
    assert not config.deny_delete
    assert not config.deny_purge


def test_every_durable_belongs_to_a_stream_of_its_account() -> None:
    accounts_of = {stream.name: stream.account for stream in STREAMS}
    for consumer in CONSUMERS:
        assert accounts_of[consumer.stream] == consumer.account


def test_duplicates_are_remembered_no_longer_than_messages_may_stay() -> None:
    for stream in STREAMS:
        assert stream.max_age == 0 or 0 < stream.duplicate_window <= stream.max_age


WORK_STREAMS = [
    pytest.param(
        subjects.STREAM_EVENTS,
        subjects.DURABLE_INGEST,
        accounts.INSIGHT_PROVISIONER,
        (accounts.SOURCE, subjects.events("message", "personal")),
        id="events",
    ),
    pytest.param(
        subjects.STREAM_OBSERVATIONS,
        subjects.DURABLE_INBOX,
        accounts.MEMORY_PROVISIONER,
        (accounts.INSIGHT, subjects.OBSERVATIONS),
        id="observations",
    ),
]


@pytest.mark.parametrize(("stream", "durable", "provisioner", "sender"), WORK_STREAMS)
async def test_streams_of_former_days_keep_what_nobody_has_taken_and_drop_the_rest(
    broker: Broker, stream: str, durable: str, provisioner: str, sender: tuple[str, str]
) -> None:
    user, subject = sender
    service = {subjects.STREAM_EVENTS: accounts.INSIGHT}.get(stream, accounts.MEMORY)
    async with (
        connect_as(broker.url, broker.seeds, provisioner) as provisioning,
        connect_as(broker.url, broker.seeds, user) as producer,
        connect_as(broker.url, broker.seeds, service) as consumer,
    ):
        manager = provisioning.client.jetstream()
        await _restore_former_stream(manager, stream, broker)
        for number in range(8):
            await producer.client.jetstream().publish(subject, b"%d" % number)
        taking = Puller(consumer.client, stream, durable)
        taken = await taking.fetch(5)
        for message in taken:
            if message.data in (b"0", b"1", b"4"):
                await message.ack_sync()
        await producer.client.jetstream().publish(subject, b"late")
        assert (await manager.stream_info(stream)).state.messages == 9

        (drift,) = await provision(broker.url, broker.seeds)
        assert drift.difference[0] == "retention is limits, not interest"
        assert await find_drift(broker.url, broker.seeds) == []
        info = await manager.stream_info(stream)
        assert (info.state.messages, info.config.max_age) == (6, 0)

        for message in taken:
            if message.data not in (b"0", b"1", b"4"):
                await message.nak()
        rest = await _all_waiting(taking, 6)
        assert sorted(rest) == [b"2", b"3", b"5", b"6", b"7", b"late"]
        assert (await manager.stream_info(stream)).state.messages == 0


async def _restore_former_stream(manager: JetStreamContext, stream: str, broker: Broker) -> None:
    """A stream and its durable, empty, with the retention of a former version."""
    await manager.delete_stream(stream)
    await provision(broker.url, broker.seeds)
    config = (await manager.stream_info(stream)).config
    await manager.update_stream(
        config.evolve(retention=RetentionPolicy.LIMITS, max_age=30 * 24 * 3600.0)
    )


async def _all_waiting(taking: Puller, count: int) -> list[bytes]:
    """Take so many messages, acknowledging each."""
    found: list[bytes] = []
    while len(found) < count:
        for message in await taking.fetch(5):
            found.append(message.data)
            await message.ack_sync()
    return found


@pytest.mark.parametrize(("stream", "durable", "provisioner", "sender"), WORK_STREAMS)
async def test_what_is_published_while_a_stream_is_made_is_kept_for_its_durable(
    broker: Broker, stream: str, durable: str, provisioner: str, sender: tuple[str, str]
) -> None:
    user, subject = sender
    made = asyncio.Event()
    async with (
        connect_as(broker.url, broker.seeds, provisioner) as provisioning,
        connect_as(broker.url, broker.seeds, user) as producer,
    ):
        manager, sending = provisioning.client.jetstream(), producer.client.jetstream()
        await manager.delete_stream(stream)

        async def publish_all_the_while() -> int:
            stored = 0
            while not made.is_set():
                try:
                    await sending.publish(subject, b"{}")
                except (NoStreamResponseError, APIError):
                    await asyncio.sleep(0)
                else:
                    stored += 1
            return stored

        publishing = [asyncio.create_task(publish_all_the_while()) for _ in range(4)]
        await provision(broker.url, broker.seeds)
        made.set()
        stored = sum([await task for task in publishing])
        waiting = (await manager.consumer_info(stream, durable)).num_pending
        assert stored > 0
        assert waiting == stored
        await manager.purge_stream(stream)
