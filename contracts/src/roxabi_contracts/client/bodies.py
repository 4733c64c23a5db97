"""Events in parts: read from their stream, removed from it, and found when nobody wants them."""

import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.js.errors import Error as JetStreamError

from roxabi_contracts import subjects
from roxabi_contracts.claim import Claim
from roxabi_contracts.client.errors import BrokerUnavailable
from roxabi_contracts.client.sweep import batches

PARTS_AT_ONCE: Final = 16
ANSWER_SECONDS: Final = 5.0

_STREAM: Final = subjects.STREAM_BODIES


@dataclass(frozen=True)
class StoredBody:
    """A body in the stream."""

    subject: str
    stored_at: datetime
    """When its last part came."""


class Bodies:
    """What producers put beside their events.

    Args:
        client: A connection that may read the stream directly, and purge it.
    """

    def __init__(self, client: Client) -> None:
        self._client = client

    async def read(self, subject: str, claim: Claim) -> bytes | None:
        """The bytes that a claim is on; null: they are not all there, or are others.

        A part that was put twice counts once.

        Raises:
            BrokerUnavailable: ask again.
        """
        found: dict[int, bytes] = {}
        async for batch in batches(self._client, _STREAM, subject, PARTS_AT_ONCE):
            for part in batch:
                number = claim.number_of(part.message_id)
                if number is not None:
                    found[number] = part.data
        data = b"".join(found[number] for number in sorted(found))
        return data if claim.is_met_by(data) else None

    async def remove(self, subject: str) -> None:
        """Take a body out of the stream; one that is not there is none.

        Raises:
            BrokerUnavailable: it may be there still.
        """
        await self._ask(f"$JS.API.STREAM.PURGE.{_STREAM}", {"filter": subject})

    async def stored(self) -> AsyncIterator[StoredBody]:
        """All bodies in the stream.

        Raises:
            BrokerUnavailable: not all were seen.
        """
        question = {"subjects_filter": subjects.BODIES_ALL}
        state = (await self._ask(f"$JS.API.STREAM.INFO.{_STREAM}", question)).get("state", {})
        for subject in sorted(state.get("subjects") or {}):
            stored_at = await self._last_at(subject)
            if stored_at is not None:
                yield StoredBody(subject, stored_at)

    async def _last_at(self, subject: str) -> datetime | None:
        question = json.dumps({"last_by_subj": subject}).encode()
        try:
            reply = await self._client.request(
                f"$JS.API.DIRECT.GET.{_STREAM}", question, timeout=ANSWER_SECONDS
            )
        except (NatsError, TimeoutError) as error:
            raise BrokerUnavailable(f"{_STREAM} cannot be read: {type(error).__name__}") from error
        stamp = (reply.headers or {}).get("Nats-Time-Stamp")
        return None if stamp is None else datetime.fromisoformat(stamp).astimezone(UTC)

    async def _ask(self, subject: str, question: dict[str, str]) -> dict[str, Any]:
        try:
            reply = await self._client.request(
                subject, json.dumps(question).encode(), timeout=ANSWER_SECONDS
            )
        except (NatsError, JetStreamError, TimeoutError) as error:
            raise BrokerUnavailable(f"{_STREAM} does not answer: {type(error).__name__}") from error
        answer: dict[str, Any] = json.loads(reply.data or b"{}")
        if "error" in answer:
            raise BrokerUnavailable(f"{_STREAM}: {answer['error'].get('description')}")
        return answer
