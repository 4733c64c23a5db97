"""Pulling from a durable: batches that are bounded in messages and in bytes."""

import json
from collections.abc import Mapping
from typing import Final

from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.aio.subscription import Subscription
from nats.errors import Error as NatsError

from roxabi_contracts.client.errors import BrokerUnavailable, NoDurable
from roxabi_contracts.codec import MAXIMUM_PAYLOAD

BATCH: Final = 500
BATCH_BYTES: Final = 2 * MAXIMUM_PAYLOAD
"""Room for any message; what waits unread on a connection never comes near the library's limit,
past which it drops messages."""
ANSWER_SECONDS: Final = 2.0
"""How long the broker may take for the first word of an answer."""

_HEARTBEAT: Final = "100"
_NOBODY: Final = "503"
_CONFLICT: Final = "409"
_HARMLESS: Final = ("exceeds maxbytes", "batch completed")


class Puller:
    """Fetches what waits at a durable.

    Args:
        client: A connection that may pull from the durable.
        stream: The stream's name.
        durable: The durable's name.
        messages: How many messages a batch may hold.
        size: How many bytes they may have together; one larger message is a batch by itself.
    """

    def __init__(
        self,
        client: Client,
        stream: str,
        durable: str,
        *,
        messages: int = BATCH,
        size: int = BATCH_BYTES,
    ) -> None:
        self._client = client
        self._next = f"$JS.API.CONSUMER.MSG.NEXT.{stream}.{durable}"
        self._messages = messages
        self._size = size
        self._inbox = ""
        self._asked = 0
        self._replies: Subscription | None = None

    @property
    def subject(self) -> str:
        """Where the broker is asked."""
        return self._next

    async def fetch(self, seconds: float) -> list[Msg]:
        """What waits now, or else the next message to come; none: none came in that time.

        Raises:
            NoDurable: the stream or the durable is not there.
            BrokerUnavailable: nor is an answer of the broker.
        """
        bounded = {"batch": self._messages, "max_bytes": self._size, "no_wait": True}
        if waiting := await self._ask(bounded, self._messages, ANSWER_SECONDS):
            return waiting
        one = {"batch": 1, "expires": int(seconds * 1_000_000_000)}
        return await self._ask(one, 1, seconds + ANSWER_SECONDS)

    async def close(self) -> None:
        """Ask for no more; what was fetched and not acknowledged comes again, to whoever asks."""
        if self._replies is not None:
            replies, self._replies = self._replies, None
            await replies.unsubscribe()

    async def _ask(
        self, question: Mapping[str, object], messages: int, patience: float
    ) -> list[Msg]:
        """Ask once; an answer that breaks off counts as far as it came."""
        found: list[Msg] = []
        try:
            replies = await self._subscribed()
            self._asked += 1
            place = f"{self._inbox}.{self._asked}"
            await self._client.publish(self._next, json.dumps(question).encode(), reply=place)
            while len(found) < messages:
                reply = await replies.next_msg(timeout=patience)
                status = (reply.headers or {}).get("Status")
                if status is None:
                    found.append(reply)  # of an earlier question, perhaps: it waits like the others
                elif reply.subject == place and status != _HEARTBEAT:
                    _check_end(status, reply)
                    break
        except (NatsError, TimeoutError, BrokerUnavailable) as error:
            if not found:
                kind = NoDurable if isinstance(error, NoDurable) else BrokerUnavailable
                raise kind(f"{self._next} cannot be pulled from: {error!r}") from error
        return found

    async def _subscribed(self) -> Subscription:
        if self._replies is None:
            self._inbox = self._client.new_inbox()
            self._replies = await self._client.subscribe(f"{self._inbox}.*")
        return self._replies


def _check_end(status: str, reply: Msg) -> None:
    """Tell the end of a batch from a durable that is not there."""
    said = str((reply.headers or {}).get("Description", "")).lower()
    gone = status == _CONFLICT and not any(word in said for word in _HARMLESS)
    if status == _NOBODY or gone:
        raise NoDurable(f"status {status} {said}".strip())
