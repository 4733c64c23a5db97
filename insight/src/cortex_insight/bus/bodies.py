"""Events that came in parts: put together for the lake, and removed when nobody wants them."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import structlog
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.js import JetStreamContext
from nats.js.errors import Error as JetStreamError
from roxabi_contracts import ContractError, subjects
from roxabi_contracts.claim import Claim
from roxabi_contracts.client import BrokerUnavailable
from roxabi_contracts.client.bodies import Bodies
from roxabi_contracts.ids import canonical_json
from structlog.typing import FilteringBoundLogger

from cortex_insight.errors import BusUnavailable
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Reject

SWEEP_SECONDS: Final = 60.0
POLL_SECONDS: Final = 0.5

IsKnown = Callable[[str, str], Awaitable[bool]]
"""Whether the lake has read, refused or erased an event, by project and id."""


def has_claim(message: Msg) -> bool:
    """Whether the event lies beside its message."""
    try:
        return Claim.of(message.headers) is not None
    except (KeyError, ValueError):
        return True


class BodyReader:
    """Fetches events that lie beside their messages.

    Args:
        client: A connection that may read the stream of bodies, and purge it.
        largest: Bytes of the largest event that is taken in.
        is_known: Asked where a body is gone: the lake may have taken it in before.
    """

    def __init__(self, client: Client, largest: int, is_known: IsKnown) -> None:
        self._bodies = Bodies(client)
        self._largest = largest
        self._is_known = is_known

    async def receipt(self, message: Msg) -> Receipt | None:
        """The event as if the message had held it, or why it cannot be read; null: it is known.

        Raises:
            StoreUnavailable, BusUnavailable: ask again.
        """
        try:
            claim = Claim.of(message.headers)
            subject = "" if claim is None else _body_subject(message.subject, claim)
        except (ContractError, KeyError, ValueError):
            return _refused(message, None, "invalid_claim", "its headers say of no event where")
        if claim is None:
            return receipt_of(message, message.data)
        if claim.size > self._largest:
            reason = f"it has {claim.size} bytes, and at most {self._largest} are taken in"
            return _refused(message, claim, "too_large", reason)
        try:
            data = await self._bodies.read(subject, claim)
        except BrokerUnavailable as error:
            raise BusUnavailable(str(error)) from error
        if data is not None:
            return receipt_of(message, data)
        if await self._was_taken_in(message):
            return None
        reason = "its parts are not all there: have its producer publish it again"
        return _refused(message, claim, "body_missing", reason)

    async def remove(self, message: Msg) -> None:
        """Remove what lies beside a message that was taken in.

        Raises:
            BusUnavailable: it may be there still; nobody wants it any more.
        """
        try:
            claim = Claim.of(message.headers)
            if claim is not None:
                await self._bodies.remove(_body_subject(message.subject, claim))
        except BrokerUnavailable as error:
            raise BusUnavailable(str(error)) from error
        except (ContractError, KeyError, ValueError):
            return  # it named none

    async def _was_taken_in(self, message: Msg) -> bool:
        event_id = (message.headers or {}).get("Nats-Msg-Id")
        _, project = subjects.event_tokens(message.subject)
        return event_id is not None and await self._is_known(project, event_id)


class BodySweeper:
    """Removes bodies whose events never came, as when a producer died between the two.

    Args:
        client: As of `BodyReader`.
        orphaned: How long a body waits for its event.
        now: The time.
    """

    def __init__(self, client: Client, orphaned: timedelta, now: Callable[[], datetime]) -> None:
        self._client = client
        self._bodies = Bodies(client)
        self._orphaned = orphaned
        self._now = now
        self._due = 0.0
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def step(self) -> None:
        """Sweep if it is time, or wait a moment.

        Raises:
            BusUnavailable: not all was looked at; the next sweep goes on.
        """
        time = asyncio.get_running_loop().time
        if time() < self._due:
            await asyncio.sleep(POLL_SECONDS)
            return
        self._due = time() + min(SWEEP_SECONDS, self._orphaned.total_seconds())
        try:
            await self.sweep()
        except BrokerUnavailable as error:
            raise BusUnavailable(str(error)) from error
        except (NatsError, JetStreamError, TimeoutError) as error:
            raise BusUnavailable(f"bodies are not swept: {type(error).__name__}") from error

    async def sweep(self) -> None:
        """Remove what is old enough, unless an event waits that may be about it."""
        before = self._now() - self._orphaned
        events = await JetStreamContext(self._client).consumer_info(
            subjects.STREAM_EVENTS, subjects.DURABLE_INGEST
        )
        if events.num_pending or events.num_ack_pending:
            return
        async for body in self._bodies.stored():
            if body.stored_at < before:
                await self._bodies.remove(body.subject)
                self._log.warning("orphaned_body_removed", subject=body.subject)


def receipt_of(message: Msg, data: bytes) -> Receipt:
    """What the broker handed over."""
    metadata = message.metadata
    stored_at = metadata.timestamp.astimezone(UTC)
    return Receipt(message.subject, data, stored_at, metadata.sequence.stream)


def _body_subject(subject: str, claim: Claim) -> str:
    source, project = subjects.event_tokens(subject)
    return subjects.bodies(source, project, claim.digest)


def _refused(message: Msg, claim: Claim | None, code: str, reason: str) -> Receipt:
    """What there was is the claim, which tells one from another."""
    told = canonical_json({"claim": None if claim is None else claim.digest})
    return replace(
        receipt_of(message, told),
        refusal=Reject(code, reason),
        refused_id=(message.headers or {}).get("Nats-Msg-Id"),
    )
