"""Events that are too large for a message: beside it, put together, removed, and never lost."""

from collections.abc import Collection, Sequence
from datetime import timedelta

import pytest
from cortex_insight.bus.bodies import BodyReader, BodySweeper
from cortex_insight.bus.events import EventConsumer
from cortex_insight.clock import now
from cortex_insight.outbox import Receipt
from cortex_local import accounts
from linked_source import record
from nats.js import JetStreamContext
from roxabi_contracts import RawEvent, codec, subjects
from roxabi_contracts.client import Connection, ProducerClient
from roxabi_contracts.client.bodies import Bodies
from roxabi_contracts.codec import MAXIMUM_EVENT, MAXIMUM_PAYLOAD
from services import Broker

LARGE = record("large", text="x" * (MAXIMUM_PAYLOAD + 1))
NO_TIME = timedelta(0)
AN_HOUR = timedelta(hours=1)


class Lake:
    """Takes everything, and knows what it is told to know."""

    def __init__(self, *known: str) -> None:
        self.receipts: list[Receipt] = []
        self._known = known

    async def take(self, receipts: Sequence[Receipt]) -> Collection[int]:
        self.receipts += receipts
        return ()

    async def is_known(self, project: str, event_id: str) -> bool:
        return event_id in self._known


async def consume(connection: Connection, lake: Lake, largest: int = MAXIMUM_EVENT) -> None:
    bodies = BodyReader(connection.client, largest, lake.is_known)
    await EventConsumer(connection.client, lake.take, bodies).step()


async def publish(broker: Broker, *events: RawEvent) -> None:
    async with broker.connected(accounts.SOURCE) as connection:
        for event in events:
            await ProducerClient(connection).publish(event)


async def put(broker: Broker, event: RawEvent) -> None:
    """As a producer that dies before it publishes."""
    async with broker.connected(accounts.SOURCE) as connection:
        data = codec.encode(event, largest=MAXIMUM_EVENT)
        await ProducerClient(connection).put(event, data)


async def stored(connection: Connection) -> list[str]:
    return [body.subject async for body in Bodies(connection.client).stored()]


async def sweep(connection: Connection, orphaned: timedelta) -> None:
    await BodySweeper(connection.client, orphaned, now).sweep()


async def test_a_large_event_arrives_whole_among_others(
    broker: Broker, connection: Connection
) -> None:
    lake = Lake()
    await publish(broker, record("small"), LARGE, record("last"))
    await consume(connection, lake)
    read = [codec.decode(one.data, RawEvent, MAXIMUM_EVENT) for one in lake.receipts]
    assert {each.source_ref: each for each in read}["large"] == LARGE
    assert {each.source_ref for each in read} == {"small", "large", "last"}
    assert await stored(connection) == []


async def test_what_was_put_twice_is_read_once(broker: Broker, connection: Connection) -> None:
    lake = Lake()
    await put(broker, LARGE)
    await publish(broker, LARGE)
    await consume(connection, lake)
    (receipt,) = lake.receipts
    assert codec.decode(receipt.data, RawEvent, MAXIMUM_EVENT) == LARGE


async def test_an_event_above_the_configured_maximum_is_refused_with_its_size(
    broker: Broker, connection: Connection
) -> None:
    lake = Lake()
    await publish(broker, LARGE)
    await consume(connection, lake, largest=MAXIMUM_PAYLOAD)
    (receipt,) = lake.receipts
    assert receipt.refusal is not None
    assert receipt.refusal.code == "too_large"
    assert str(MAXIMUM_PAYLOAD) in receipt.refusal.reason
    assert await stored(connection) == []


@pytest.mark.parametrize("is_known", [True, False])
async def test_a_body_that_is_gone_is_refused_unless_the_lake_has_it(
    broker: Broker, connection: Connection, is_known: bool
) -> None:
    lake = Lake(*([LARGE.event_id] if is_known else []))
    await publish(broker, LARGE)
    (subject,) = await stored(connection)
    await Bodies(connection.client).remove(subject)
    await consume(connection, lake)
    refusals = [one.refusal.code for one in lake.receipts if one.refusal]
    assert refusals == ([] if is_known else ["body_missing"])


async def test_what_no_event_ever_came_for_is_swept(broker: Broker, connection: Connection) -> None:
    await put(broker, LARGE)
    await sweep(connection, AN_HOUR)
    assert len(await stored(connection)) == 1
    await sweep(connection, NO_TIME)
    assert await stored(connection) == []


async def test_nothing_is_swept_while_an_event_waits(
    broker: Broker, connection: Connection
) -> None:
    lake = Lake()
    await publish(broker, LARGE)
    await sweep(connection, NO_TIME)
    await consume(connection, lake)
    (receipt,) = lake.receipts
    assert receipt.refusal is None


async def test_a_claim_that_cannot_be_read_is_refused(
    broker: Broker, connection: Connection
) -> None:
    lake = Lake()
    headers = {"Claim-Digest": "a.b", "Claim-Size": "1", "Claim-Parts": "1"}
    async with broker.connected(accounts.SOURCE) as producer:
        stream = JetStreamContext(producer.client)
        await stream.publish(subjects.events("linked", "p"), b"", headers=headers)
    await consume(connection, lake)
    assert [one.refusal.code for one in lake.receipts if one.refusal] == ["invalid_claim"]
