"""Events are acknowledged when they are stored, and not before."""

from collections.abc import Sequence

import pytest
from cortex_insight.bus.events import EventConsumer
from cortex_insight.errors import BusUnavailable, StoreRefused, StoreUnavailable
from cortex_insight.outbox import Receipt
from linked_source import record
from nats.js import JetStreamContext
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, ProducerClient


class Taker:
    """Takes batches, or fails the way it is told to."""

    def __init__(self, *failures: Exception) -> None:
        self.taken: list[list[bytes]] = []
        self._failures = [*failures]

    async def __call__(self, receipts: Sequence[Receipt]) -> None:
        if self._failures:
            raise self._failures.pop(0)
        self.taken.append([receipt.data for receipt in receipts])


async def unacknowledged(connection: Connection) -> int:
    jetstream = JetStreamContext(connection.client)
    await connection.client.flush()
    info = await jetstream.consumer_info(subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
    return (info.num_ack_pending or 0) + (info.num_pending or 0)


async def publish(connection: Connection, *names: str) -> None:
    for name in names:
        await ProducerClient(connection).publish(record(name))


async def test_a_stored_batch_is_acknowledged(connection: Connection) -> None:
    await publish(connection, "a", "b")
    take = Taker()
    await EventConsumer(connection.client, take).step()
    assert [len(batch) for batch in take.taken] == [2]
    assert await unacknowledged(connection) == 0


async def test_while_the_database_is_away_the_batch_is_held(connection: Connection) -> None:
    await publish(connection, "a")
    take = Taker(StoreUnavailable("away"), StoreUnavailable("still away"))
    consumer = EventConsumer(connection.client, take)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await consumer.step()
    assert await unacknowledged(connection) == 1
    await publish(connection, "b")
    for _ in range(2):
        await consumer.step()
    assert [len(batch) for batch in take.taken] == [1, 1]
    assert await unacknowledged(connection) == 0


async def test_a_batch_that_cannot_be_kept_lets_the_next_pass(connection: Connection) -> None:
    await publish(connection, "a")
    take = Taker(StoreRefused("bug"))
    consumer = EventConsumer(connection.client, take)
    with pytest.raises(StoreRefused):
        await consumer.step()
    await publish(connection, "b")
    await consumer.step()
    assert [len(batch) for batch in take.taken] == [1]
    assert await unacknowledged(connection) == 1


async def test_a_missing_durable_is_said(connection: Connection) -> None:
    jetstream = JetStreamContext(connection.client)
    await jetstream.delete_consumer(subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
    with pytest.raises(BusUnavailable):
        await EventConsumer(connection.client, Taker()).step()


async def test_no_event_is_no_fault(connection: Connection) -> None:
    take = Taker()
    await EventConsumer(connection.client, take).step()
    assert take.taken == []
