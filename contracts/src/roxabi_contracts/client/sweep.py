"""Taking messages out of a stream of one's own, so that what is forgotten is in none."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError
from nats.js.errors import NotFoundError

from roxabi_contracts.client.errors import BrokerUnavailable

BATCH: Final = 256
PATIENCE_SECONDS: Final = 5.0
IN_FLIGHT: Final = 64

_END_OF_BATCH: Final = "204"
_NOTHING_THERE: Final = "404"


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """A message as a stream holds it."""

    subject: str
    sequence: int
    data: bytes
    message_id: str | None


async def sweep(
    client: Client,
    stream: str,
    is_gone: Callable[[list[StoredMessage]], Awaitable[set[int]]],
    subject: str = ">",
) -> int:
    """Look at every message of a stream and overwrite those that have to go; how many did.

    Args:
        client: A connection that may read the stream directly and delete its messages.
        stream: The stream's name.
        is_gone: The sequences of those messages of a batch that have to go.
        subject: Which messages to look at; wildcards are allowed.

    Raises:
        BrokerUnavailable: not all was looked at; sweep again.
    """
    gone = 0
    async for batch in batches(client, stream, subject):
        gone += await delete(client, stream, await is_gone(batch))
    return gone


async def delete(client: Client, stream: str, sequences: set[int]) -> int:
    """Overwrite messages of a stream; how many were there.

    Raises:
        BrokerUnavailable: some may be there still.
    """
    manager = client.jetstream()
    in_flight = asyncio.Semaphore(IN_FLIGHT)

    async def delete_one(sequence: int) -> bool:
        async with in_flight:
            try:
                return await manager.delete_msg(stream, sequence)
            except NotFoundError:
                return False

    try:
        return sum(await asyncio.gather(*map(delete_one, sorted(sequences))))
    except (NatsError, JetStreamError, TimeoutError) as error:
        raise BrokerUnavailable(f"{stream} does not let go: {type(error).__name__}") from error


async def batches(
    client: Client, stream: str, subject: str, size: int = BATCH
) -> AsyncIterator[list[StoredMessage]]:
    """Every message of a stream, so many at a time.

    Raises:
        BrokerUnavailable: not all was seen.
    """
    sequence = 1
    while batch := await _batch(client, stream, subject, sequence, size):
        yield batch
        sequence = batch[-1].sequence + 1


async def _batch(
    client: Client, stream: str, subject: str, first: int, size: int
) -> list[StoredMessage]:
    """The next messages from a sequence on; the broker ends them with a message of its own."""
    inbox = client.new_inbox()
    question = {"seq": first, "batch": size, "next_by_subj": subject}
    try:
        replies = await client.subscribe(inbox)
        try:
            await client.publish(
                f"$JS.API.DIRECT.GET.{stream}", json.dumps(question).encode(), reply=inbox
            )
            batch: list[StoredMessage] = []
            while True:
                reply = await replies.next_msg(timeout=PATIENCE_SECONDS)
                status = (reply.headers or {}).get("Status")
                if status in (_END_OF_BATCH, _NOTHING_THERE):
                    return batch
                batch.append(_stored(reply, status))
        finally:
            await replies.unsubscribe()
    except (NatsError, TimeoutError) as error:
        raise BrokerUnavailable(f"{stream} cannot be read: {type(error).__name__}") from error


def _stored(reply: Msg, status: str | None) -> StoredMessage:
    headers = reply.headers or {}
    if status is not None or "Nats-Sequence" not in headers:
        raise BrokerUnavailable(f"a stream cannot be read: status {status}")
    return StoredMessage(
        subject=headers["Nats-Subject"],
        sequence=int(headers["Nats-Sequence"]),
        data=reply.data,
        message_id=headers.get("Nats-Msg-Id"),
    )
