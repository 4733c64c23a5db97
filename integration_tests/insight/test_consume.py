"""Events are acknowledged when they are stored, and not before."""

from collections.abc import Collection, Sequence

import pytest
from cortex_insight.bus.bodies import BodyReader
from cortex_insight.bus.events import EventConsumer
from cortex_insight.errors import BusUnavailable, StoreRefused, StoreUnavailable
from cortex_insight.outbox import Receipt
from cortex_local import accounts
from linked_source import record
from nats.js import JetStreamContext
from polling import NotYet, eventually
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, ProducerClient
from roxabi_contracts.client.pull import BATCH_BYTES
from roxabi_contracts.codec import MAXIMUM_EVENT
from services import Broker

LARGE = BATCH_BYTES * 2 // 5
"""Of messages of this size a batch may hold two."""


class Taker:
    """Takes batches, or fails the way it is told to."""

    def __init__(self, *failures: Exception) -> None:
        self.taken: list[list[bytes]] = []
        self._failures = [*failures]

    async def __call__(self, receipts: Sequence[Receipt]) -> Collection[int]:
        if self._failures:
            raise self._failures.pop(0)
        self.taken.append([receipt.data for receipt in receipts])
        return ()


async def nothing_known(project: str, event_id: str) -> bool:
    """A lake that has read nothing."""
    return False


def consumer_on(connection: Connection, take: Taker) -> EventConsumer:
    """What hands events over."""
    bodies = BodyReader(connection.client, MAXIMUM_EVENT, nothing_known)
    return EventConsumer(connection.client, take, bodies)


async def settled_at(connection: Connection, count: int) -> None:
    """Wait until exactly so many events are not acknowledged."""
    jetstream = JetStreamContext(connection.client)

    async def look() -> None:
        info = await jetstream.consumer_info(subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
        open_events = (info.num_ack_pending or 0) + (info.num_pending or 0)
        if open_events != count:
            raise NotYet(f"{open_events} events are not acknowledged")

    await eventually("acknowledgements", look)


async def publish(broker: Broker, *names: str) -> None:
    async with broker.connected(accounts.SOURCE) as producer:
        for name in names:
            await ProducerClient(producer).publish(record(name))


async def test_a_stored_batch_is_acknowledged(broker: Broker, connection: Connection) -> None:
    await publish(broker, "a", "b")
    take = Taker()
    await consumer_on(connection, take).step()
    assert [len(batch) for batch in take.taken] == [2]
    await settled_at(connection, 0)


async def test_a_batch_is_bounded_in_bytes(broker: Broker, connection: Connection) -> None:
    async with broker.connected(accounts.SOURCE) as producer:
        for number in range(5):
            large = record(str(number), text="x" * (LARGE + number))
            await ProducerClient(producer).publish(large)
    take = Taker()
    consumer = consumer_on(connection, take)
    while sum(map(len, take.taken)) < 5:
        await consumer.step()
    sizes = [[len(data) for data in batch] for batch in take.taken]
    assert max(map(sum, sizes)) <= BATCH_BYTES
    assert [size for batch in sizes for size in batch] == sorted(size for b in sizes for size in b)
    await settled_at(connection, 0)


async def test_while_the_database_is_away_the_batch_is_held(
    broker: Broker, connection: Connection
) -> None:
    await publish(broker, "a")
    take = Taker(StoreUnavailable("away"), StoreUnavailable("still away"))
    consumer = consumer_on(connection, take)
    for _ in range(2):
        with pytest.raises(StoreUnavailable):
            await consumer.step()
    await settled_at(connection, 1)
    await publish(broker, "b")
    for _ in range(2):
        await consumer.step()
    assert [len(batch) for batch in take.taken] == [1, 1]
    await settled_at(connection, 0)


async def test_a_batch_that_cannot_be_kept_lets_the_next_pass(
    broker: Broker, connection: Connection
) -> None:
    await publish(broker, "a")
    take = Taker(StoreRefused("bug"))
    consumer = consumer_on(connection, take)
    with pytest.raises(StoreRefused):
        await consumer.step()
    await publish(broker, "b")
    await consumer.step()
    assert [len(batch) for batch in take.taken] == [1]
    await settled_at(connection, 1)


async def test_a_missing_durable_is_said(
    connection: Connection, insight_provisioner: Connection
) -> None:
    jetstream = JetStreamContext(insight_provisioner.client)
    await jetstream.delete_consumer(subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
    with pytest.raises(BusUnavailable):
        await consumer_on(connection, Taker()).step()


async def test_no_event_is_no_fault(connection: Connection) -> None:
    take = Taker()
    await consumer_on(connection, take).step()
    assert take.taken == []
