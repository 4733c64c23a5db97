"""Raw events from their stream, acknowledged when the lake has them."""

from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from roxabi_contracts import subjects
from roxabi_contracts.client import BrokerUnavailable
from roxabi_contracts.client.pull import Puller
from roxabi_contracts.client.sweep import delete

from cortex_insight.bus.bodies import BodyReader, has_claim, receipt_of
from cortex_insight.errors import BusUnavailable, StoreUnavailable
from cortex_insight.faults import Step, reached
from cortex_insight.outbox import Receipt

FETCH_SECONDS: Final = 1.0

Take = Callable[[Sequence[Receipt]], Awaitable[Collection[int]]]
"""Stores a batch; the places in the stream of events that were erased before."""


class EventConsumer:
    """Hands the events that wait to the lake.

    Args:
        client: A connection that may pull from the lake's durable.
        take: Stores a batch.
        bodies: Fetches events that are too large for a message.
    """

    def __init__(self, client: Client, take: Take, bodies: BodyReader) -> None:
        self._client = client
        self._waiting = Puller(client, subjects.STREAM_EVENTS, subjects.DURABLE_INGEST)
        self._take = take
        self._bodies = bodies
        self._held: list[Msg] = []

    async def step(self) -> None:
        """Fetch a batch, have it stored, and only then acknowledge it.

        While the database is away the batch is held: to fetch it again and again would use up
        the times that the broker delivers a message.

        Raises:
            BusUnavailable: the broker, the stream or the durable is not there.
            StoreUnavailable: the database is not there; the next step tries this batch again.
        """
        messages, self._held = self._held or await self._fetch(), []
        if not messages:
            return
        reached(Step.AFTER_FETCH)
        try:
            erased = await self._store(messages)
        except (StoreUnavailable, BusUnavailable):
            self._held = messages
            raise
        await self._delete(erased)
        await self._acknowledge(messages)
        reached(Step.AFTER_ACK)
        for message in filter(has_claim, messages):
            await self._bodies.remove(message)

    async def stop(self) -> None:
        """Ask for no more events; what is not acknowledged comes to another consumer."""
        with suppress(NatsError, OSError):
            await self._waiting.close()

    async def _fetch(self) -> list[Msg]:
        try:
            return await self._waiting.fetch(FETCH_SECONDS)
        except BrokerUnavailable as error:
            raise BusUnavailable(f"events cannot be fetched: {error}") from error

    async def _store(self, messages: Sequence[Msg]) -> set[int]:
        """Store a batch; large events one by one, so that no two are held at once."""
        plain = [message for message in messages if not has_claim(message)]
        erased: set[int] = set()
        if plain:
            receipts = [receipt_of(message, message.data) for message in plain]
            erased.update(await self._take(receipts))
        for message in filter(has_claim, messages):
            receipt = await self._bodies.receipt(message)
            if receipt is not None:
                erased.update(await self._take([receipt]))
        return erased

    async def _delete(self, sequences: Collection[int]) -> None:
        """Before they are acknowledged: what the broker misses comes again, and goes then."""
        try:
            await delete(self._client, subjects.STREAM_EVENTS, set(sequences))
        except BrokerUnavailable as error:
            raise BusUnavailable(str(error)) from error

    async def _acknowledge(self, messages: Sequence[Msg]) -> None:
        """What the broker misses comes again, and is known."""
        try:
            for message in messages:
                await message.ack()
        except NatsError as error:
            raise BusUnavailable(f"not acknowledged: {type(error).__name__}") from error
