"""Pulling from a durable: bounded, complete, and prompt."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import dataclass

import pytest
from cortex_local import accounts
from nats.js import JetStreamContext
from roxabi_contracts import subjects
from roxabi_contracts.client import BrokerUnavailable
from roxabi_contracts.client.pull import Puller
from services import Broker

ROOM = 1000


@dataclass(frozen=True)
class Line:
    """Somebody who sends, and somebody who pulls."""

    sender: JetStreamContext
    puller: Puller

    async def send(self, *messages: bytes) -> None:
        for message in messages:
            await self.sender.publish(subjects.OBSERVATIONS, message)

    async def batch(self) -> list[bytes]:
        """One batch, acknowledged."""
        messages = await self.puller.fetch(5)
        for message in messages:
            await message.ack()
        return [message.data for message in messages]


@pytest.fixture
async def line(broker: Broker) -> AsyncGenerator[Line]:
    """Memory's own durable, with room for little."""
    async with (
        broker.connected(accounts.INSIGHT) as sender,
        broker.connected(accounts.MEMORY) as connection,
    ):
        durable = (subjects.STREAM_OBSERVATIONS, subjects.DURABLE_INBOX)
        puller = Puller(connection.client, *durable, messages=3, size=ROOM)
        yield Line(sender.client.jetstream(), puller)
        await puller.close()


async def test_a_batch_is_bounded_in_messages_and_in_bytes(line: Line) -> None:
    small, large = [b"%d" % number for number in range(4)], [b"x" * 400, b"y" * 400, b"z" * 400]
    await line.send(*small, *large)
    assert await line.batch() == small[:3]
    assert await line.batch() == [small[3], large[0]]
    assert await line.batch() == large[1:2]
    assert await line.batch() == large[2:]


async def test_a_message_larger_than_a_batch_comes_by_itself(line: Line) -> None:
    await line.send(b"x" * (2 * ROOM), b"small")
    assert await line.batch() == [b"x" * (2 * ROOM)]
    assert await line.batch() == [b"small"]


async def test_a_message_that_is_waited_for_comes_at_once(line: Line) -> None:
    waiting = asyncio.create_task(line.puller.fetch(3600))
    await asyncio.sleep(0)
    await line.send(b"late")
    assert [message.data for message in await waiting] == [b"late"]


async def test_nothing_comes_when_nothing_is_there(line: Line) -> None:
    assert await line.puller.fetch(0.1) == []


async def test_a_durable_that_goes_away_while_it_is_asked_is_said(
    line: Line, broker: Broker
) -> None:
    waiting = asyncio.create_task(line.puller.fetch(3600))
    async with broker.connected(accounts.MEMORY_PROVISIONER) as connection:
        manager = connection.client.jetstream()
        await line.send(b"first")
        assert [message.data for message in await waiting] == [b"first"]
        waiting = asyncio.create_task(line.puller.fetch(3600))
        await asyncio.sleep(0.1)
        await manager.delete_consumer(subjects.STREAM_OBSERVATIONS, subjects.DURABLE_INBOX)
        with pytest.raises(BrokerUnavailable, match="409"):
            await waiting
