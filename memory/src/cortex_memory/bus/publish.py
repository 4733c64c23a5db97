"""Sending what waits in a table to a stream, each message until the stream confirms it."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import Error as JetStreamError
from roxabi_contracts import codec
from roxabi_contracts.base import Contract

IN_FLIGHT: Final = 64
PATIENCE_SECONDS: Final = 5.0


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A message on its way, with the key under which the stream keeps it once."""

    subject: str
    message_id: str
    data: bytes
    headers: dict[str, str]


def outgoing(subject: str, message_id: str, message: Contract) -> Outgoing:
    """A message of the contract, ready to be sent."""
    headers = codec.headers_of(message, message_id)
    return Outgoing(subject, message_id, codec.encode(message, headers), headers)


async def publish(jetstream: JetStreamContext, messages: Iterable[Outgoing]) -> list[bool]:
    """Send, and tell for each message in order whether the stream has confirmed it.

    What is not confirmed may be stored all the same; sent again, it counts once.
    """
    in_flight = asyncio.Semaphore(IN_FLIGHT)

    async def send(message: Outgoing) -> bool:
        async with in_flight:
            try:
                await jetstream.publish(
                    message.subject,
                    message.data,
                    timeout=PATIENCE_SECONDS,
                    headers=message.headers,
                )
            except (NatsError, JetStreamError, TimeoutError, OSError):
                return False
            return True

    return list(await asyncio.gather(*map(send, messages)))
