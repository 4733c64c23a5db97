"""Sending to a stream: many messages in one atomic batch, or each by itself."""

import asyncio
import json
from collections.abc import Sequence
from typing import Any, Final

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import APIError
from nats.js.errors import Error as JetStreamError
from nats.nuid import NUID

from cortex_insight.errors import BusUnavailable
from cortex_insight.outbox import Claimed

CONFIRM_SECONDS: Final = 5.0
IN_FLIGHT: Final = 64


class StreamSender:
    """Sends messages, each under an id by which the stream knows it again.

    Args:
        client: A connection that may publish to the subjects used.
    """

    def __init__(self, client: Client) -> None:
        self._client = client
        self._jetstream = JetStreamContext(client)
        self._batch_ids = NUID()

    async def send_together(self, subject: str, messages: Sequence[Claimed]) -> Sequence[int]:
        """Send as one atomic batch; one by one where the stream refuses that.

        A stream refuses a whole batch when it knows one of the messages already.

        Raises:
            BusUnavailable: nothing is known to be stored.
        """
        if len(messages) > 1 and await self._commit_batch(subject, messages):
            return [message.row for message in messages]
        return await self.send_each(subject, messages)

    async def send_each(self, subject: str, messages: Sequence[Claimed]) -> Sequence[int]:
        """Send one by one; the rows of those that the stream has.

        Raises:
            BusUnavailable: it has none of them.
        """
        free = asyncio.Semaphore(IN_FLIGHT)
        refusals: list[str] = []

        async def send(message: Claimed) -> int | None:
            async with free:
                refusal = await self._refusal(subject, message)
            refusals.extend(filter(None, [refusal]))
            return None if refusal else message.row

        rows = await asyncio.gather(*map(send, messages))
        confirmed = [row for row in rows if row is not None]
        if not confirmed:
            raise BusUnavailable(
                f"the stream confirmed none of {len(messages)} messages: {refusals[0]}"
            )
        return confirmed

    async def _commit_batch(self, subject: str, messages: Sequence[Claimed]) -> bool:
        batch_id = self._batch_ids.next().decode()
        *first, last = [
            (message.payload, _headers(message, batch_id, number))
            for number, message in enumerate(messages, 1)
        ]
        try:
            for payload, headers in first:
                await self._client.publish(subject, payload, headers=headers)
            payload, headers = last
            reply = await self._client.request(
                subject,
                payload,
                timeout=CONFIRM_SECONDS,
                headers={**headers, "Nats-Batch-Commit": "1"},
            )
        except (NatsError, TimeoutError) as error:
            raise BusUnavailable(f"batch not confirmed: {type(error).__name__}") from error
        answer: dict[str, Any] = json.loads(reply.data or b"{}")
        return answer.get("count") == len(messages) and "error" not in answer

    async def _refusal(self, subject: str, message: Claimed) -> str | None:
        """Why the stream does not have the message; null: it has it."""
        headers = {"Nats-Msg-Id": message.message_id}
        try:
            await self._jetstream.publish(
                subject, message.payload, timeout=CONFIRM_SECONDS, headers=headers
            )
        except APIError as error:  # as when it is full
            return error.description or type(error).__name__
        except (NatsError, JetStreamError, TimeoutError) as error:
            return type(error).__name__
        return None


def _headers(message: Claimed, batch_id: str, number: int) -> dict[str, str]:
    return {
        "Nats-Msg-Id": message.message_id,
        "Nats-Batch-Id": batch_id,
        "Nats-Batch-Sequence": str(number),
    }
