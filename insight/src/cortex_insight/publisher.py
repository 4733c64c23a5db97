"""Sends what waits in the outbox, and marks what the stream confirmed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

import structlog
from structlog.typing import FilteringBoundLogger

from cortex_insight.errors import BusUnavailable
from cortex_insight.faults import Step, reached
from cortex_insight.outbox import Claimed

POLL_SECONDS: Final = 0.5
"""How long a message waits at most that another process queued."""


class Queue(Protocol):
    """Where the messages wait."""

    async def claim(self, subject: str) -> list[Claimed]:
        """The oldest messages that wait and that nobody else is sending."""
        ...

    async def mark_sent(self, rows: Sequence[int]) -> None:
        """Take messages that the stream has out of the queue."""
        ...

    async def release(self, rows: Sequence[int]) -> None:
        """Let others send these."""
        ...


Send = Callable[[str, Sequence[Claimed]], Awaitable[Sequence[int]]]
"""Sends messages to a subject; the rows of those that the stream confirmed."""


class Publisher:
    """The relay from the outbox to one subject.

    Args:
        queue: Where the messages wait.
        send: How they are sent.
        subject: Which of them, and where to.
        queued: Set whenever this process queued a message.
    """

    def __init__(self, queue: Queue, send: Send, subject: str, queued: asyncio.Event) -> None:
        self._queue = queue
        self._send = send
        self._subject = subject
        self._queued = queued
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def step(self) -> None:
        """Send a batch, or wait for one.

        Raises:
            StoreUnavailable, BusUnavailable: the rest is sent later.
        """
        self._queued.clear()
        claimed = await self._queue.claim(self._subject)
        if not claimed:
            await self._wait()
            return
        reached(Step.AFTER_CLAIM)
        confirmed = await self._send_or_release(claimed)
        reached(Step.AFTER_PUBLISH_BEFORE_MARK)
        await self._queue.mark_sent(confirmed)
        reached(Step.AFTER_MARK)
        self._log.debug("messages_sent", subject=self._subject, count=len(confirmed))
        unconfirmed = {message.row for message in claimed}.difference(confirmed)
        if unconfirmed:
            await self._queue.release(sorted(unconfirmed))
            raise BusUnavailable(f"{len(unconfirmed)} messages were not confirmed")

    async def _send_or_release(self, claimed: Sequence[Claimed]) -> Sequence[int]:
        try:
            return await self._send(self._subject, claimed)
        except BusUnavailable:
            await self._queue.release([message.row for message in claimed])
            raise

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self._queued.wait(), POLL_SECONDS)
        except TimeoutError:
            return
