"""The relay marks exactly what the stream confirmed."""

import asyncio
from collections.abc import Sequence

import pytest
from cortex_insight.errors import BusUnavailable
from cortex_insight.outbox import Claimed
from cortex_insight.publisher import Publisher


class Waiting:
    """An outbox in memory."""

    def __init__(self, count: int) -> None:
        self.waiting = {row: Claimed(row, f"m{row}", b"") for row in range(count)}
        self.claimed: set[int] = set()

    async def claim(self, subject: str) -> list[Claimed]:
        assert subject == "subject"
        free = [message for row, message in self.waiting.items() if row not in self.claimed]
        self.claimed |= {message.row for message in free}
        return free

    async def mark_sent(self, rows: Sequence[int]) -> None:
        for row in rows:
            del self.waiting[row]

    async def release(self, rows: Sequence[int]) -> None:
        self.claimed -= set(rows)


async def all_of(_: str, messages: Sequence[Claimed]) -> Sequence[int]:
    return [message.row for message in messages]


async def every_second(_: str, messages: Sequence[Claimed]) -> Sequence[int]:
    return [message.row for message in messages[::2]]


async def none(_: str, messages: Sequence[Claimed]) -> Sequence[int]:
    raise BusUnavailable("away")


async def test_what_is_confirmed_waits_no_longer() -> None:
    queue = Waiting(3)
    await Publisher(queue, all_of, "subject", asyncio.Event()).step()
    assert queue.waiting == {}


async def test_what_is_not_confirmed_can_be_claimed_again() -> None:
    queue = Waiting(4)
    with pytest.raises(BusUnavailable):
        await Publisher(queue, every_second, "subject", asyncio.Event()).step()
    assert [*queue.waiting] == [message.row for message in await queue.claim("subject")] == [1, 3]


async def test_nothing_is_marked_while_the_broker_is_away() -> None:
    queue = Waiting(2)
    with pytest.raises(BusUnavailable):
        await Publisher(queue, none, "subject", asyncio.Event()).step()
    assert len(await queue.claim("subject")) == 2


async def test_an_empty_queue_is_looked_at_again_when_something_is_queued() -> None:
    queued = asyncio.Event()
    step = asyncio.create_task(Publisher(Waiting(0), all_of, "subject", queued).step())
    await asyncio.sleep(0)
    queued.set()
    await asyncio.wait_for(step, 0.3)
