"""What waits in the outbox reaches its stream once, whatever happens on the way."""

import asyncio
from collections.abc import Sequence

import pytest
from cortex_insight.bus.stream import StreamSender
from cortex_insight.errors import BusUnavailable
from cortex_insight.ingest import Ingest
from cortex_insight.outbox import Claimed
from cortex_insight.publisher import Publisher, Send
from cortex_insight.store.db import Database
from cortex_insight.store.outbox import CLAIM_COUNT, Outbox
from linked_source import receipt, record
from nats.js import JetStreamContext
from roxabi_contracts import Observation, codec, subjects
from roxabi_contracts.client import Connection
from roxabi_contracts.operations import RejectedMessage


async def fill(ingest: Ingest, count: int) -> None:
    """Put that many observations into the outbox."""
    await ingest.take([receipt(record(f"r{number}")) for number in range(count)])


def publisher(database: Database, send: Send, subject: str = subjects.OBSERVATIONS) -> Publisher:
    return Publisher(Outbox(database), send, subject, asyncio.Event())


async def sent(connection: Connection, stream: str) -> list[bytes]:
    """Everything that a stream holds."""
    jetstream = JetStreamContext(connection.client)
    state = (await jetstream.stream_info(stream)).state
    found = [await jetstream.get_msg(stream, number + 1) for number in range(state.messages)]
    return [message.data or b"" for message in found]


async def waiting(database: Database) -> int:
    async with database.transaction() as transaction:
        (row,) = await transaction.fetch(
            b"SELECT count(*) AS n FROM outbox WHERE sent_at IS NULL", {}
        )
    return int(row["n"])


async def test_observations_are_sent_in_order_and_in_batches(
    ingest: Ingest, database: Database, connection: Connection, memory_provisioner: Connection
) -> None:
    await fill(ingest, CLAIM_COUNT + 3)
    relay = publisher(database, StreamSender(connection.client).send_together)
    for _ in range(2):
        await relay.step()
    refs = [
        codec.decode(data, Observation).source_ref
        for data in await sent(memory_provisioner, subjects.STREAM_OBSERVATIONS)
    ]
    assert refs == [f"r{number}" for number in range(CLAIM_COUNT + 3)]
    assert await waiting(database) == 0


async def test_what_was_sent_but_not_marked_is_sent_once(
    ingest: Ingest, database: Database, connection: Connection, memory_provisioner: Connection
) -> None:
    await fill(ingest, 5)
    sender, outbox = StreamSender(connection.client), Outbox(database)
    claimed = await outbox.claim(subjects.OBSERVATIONS)
    await sender.send_together(subjects.OBSERVATIONS, claimed[:2])
    await outbox.release([message.row for message in claimed])
    await publisher(database, sender.send_together).step()
    assert len(await sent(memory_provisioner, subjects.STREAM_OBSERVATIONS)) == 5
    assert await waiting(database) == 0


async def test_two_publishers_never_hold_the_same_message(
    ingest: Ingest, database: Database
) -> None:
    await fill(ingest, CLAIM_COUNT + 10)
    outbox = Outbox(database)
    claims = await asyncio.gather(*(outbox.claim(subjects.OBSERVATIONS) for _ in range(3)))
    rows = [message.row for claimed in claims for message in claimed]
    assert len(rows) == len(set(rows)) == CLAIM_COUNT + 10


async def test_what_the_stream_did_not_confirm_is_sent_again(
    ingest: Ingest, database: Database, connection: Connection, memory_provisioner: Connection
) -> None:
    await fill(ingest, 4)
    sender = StreamSender(connection.client)

    async def send_half(subject: str, messages: Sequence[Claimed]) -> Sequence[int]:
        return await sender.send_each(subject, messages[::2])

    with pytest.raises(BusUnavailable):
        await publisher(database, send_half).step()
    assert await waiting(database) == 2
    await publisher(database, sender.send_together).step()
    assert len(await sent(memory_provisioner, subjects.STREAM_OBSERVATIONS)) == 4
    assert await waiting(database) == 0


async def test_nothing_is_lost_while_no_stream_takes_it(
    ingest: Ingest, database: Database, connection: Connection, memory_provisioner: Connection
) -> None:
    await JetStreamContext(memory_provisioner.client).delete_stream(subjects.STREAM_OBSERVATIONS)
    await fill(ingest, 3)
    sender = StreamSender(connection.client)
    with pytest.raises(BusUnavailable):
        await publisher(database, sender.send_together).step()
    assert await waiting(database) == 3
    assert len(await Outbox(database).claim(subjects.OBSERVATIONS)) == 3


async def test_a_full_stream_is_said_and_what_it_refuses_waits(
    ingest: Ingest, database: Database, connection: Connection, memory_provisioner: Connection
) -> None:
    manager = JetStreamContext(memory_provisioner.client)
    config = (await manager.stream_info(subjects.STREAM_OBSERVATIONS)).config
    await manager.update_stream(config.evolve(max_bytes=100))
    await fill(ingest, 3)
    sending = publisher(database, StreamSender(connection.client).send_together)
    with pytest.raises(BusUnavailable, match="maximum bytes exceeded"):
        await sending.step()
    assert await waiting(database) == 3
    await manager.update_stream(config)
    await sending.step()
    assert await waiting(database) == 0
    assert len(await sent(memory_provisioner, subjects.STREAM_OBSERVATIONS)) == 3


async def test_dead_letters_are_sent_the_same_way(
    ingest: Ingest, database: Database, connection: Connection, insight_provisioner: Connection
) -> None:
    await ingest.take([receipt(record("bad", fault="reject"))])
    sender = StreamSender(connection.client)
    await publisher(database, sender.send_each, subjects.EVENTS_REJECTED).step()
    (data,) = await sent(insight_provisioner, subjects.STREAM_EVENTS_REJECTED)
    assert codec.decode(data, RejectedMessage).code == "unreadable"


async def test_a_claim_is_bounded_in_bytes_but_never_empty(
    ingest: Ingest, database: Database
) -> None:
    big = "x" * 5_000_000
    await ingest.take([receipt(record(name, text=big)) for name in "abc"])
    outbox = Outbox(database)
    sizes = [len(await outbox.claim(subjects.OBSERVATIONS)) for _ in range(3)]
    assert sizes == [2, 1, 0]
