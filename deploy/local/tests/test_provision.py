from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.provision import PROVISIONERS, find_drift, provision
from cortex_local.topology import CONSUMERS, STREAMS
from nats.js.api import StreamConfig
from roxabi_contracts import subjects

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


def test_duplicates_are_remembered_no_longer_than_messages() -> None:
    for stream in STREAMS:
        assert 0 < stream.duplicate_window <= stream.max_age
