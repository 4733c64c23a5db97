"""Publishing raw events: acknowledged, deduplicated, bounded in flight."""

import asyncio
from collections.abc import AsyncIterable
from typing import Final

from nats.errors import Error as NatsError
from nats.js.errors import APIError

from roxabi_contracts import codec, subjects
from roxabi_contracts.claim import Claim, parts_of
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.errors import NotAcknowledged, StreamFull
from roxabi_contracts.event import RawEvent

ATTEMPTS: Final = 8
ATTEMPT_SECONDS: Final = 5.0

_NO_ROOM: Final = "maximum bytes exceeded"


class ProducerClient:
    """Publishes raw events and knows that they are stored.

    Args:
        connection: An open connection of a user that may publish events.
        in_flight: How many events may wait for their acknowledgement at once.
    """

    def __init__(self, connection: Connection, in_flight: int = 256) -> None:
        self._connection = connection
        self._jetstream = connection.client.jetstream()
        self._limit = in_flight
        self._in_flight = asyncio.Semaphore(in_flight)

    async def publish(self, event: RawEvent) -> bool:
        """Publish an event and wait until it is stored; false: the stream has it already.

        One that is too large for a message is put beside it in parts.

        A time-out does not mean that nothing was stored, so every attempt carries the same
        message id.

        Raises:
            ContractError: the event cannot be sent at all: too large, or text that cannot be kept.
            PermissionViolation: this user may not publish for this source or project.
            NotAcknowledged: no attempt was confirmed.
            StreamFull: no attempt found room; what waits has to be taken in first.
        """
        subject = subjects.events(event.source, event.project)
        # first, because text that cannot be kept has no id either
        data = codec.encode(event, largest=codec.MAXIMUM_EVENT)
        headers = codec.headers_of(event, event.event_id)
        async with self._in_flight:
            if len(data) + codec.headers_size(headers) > codec.MAXIMUM_MESSAGE:
                headers |= (await self.put(event, data)).headers()
                data = b""
            return await self._publish_until_stored(subject, data, headers)

    async def put(self, event: RawEvent, data: bytes) -> Claim:
        """Put the bytes of an event beside the stream of events; what stands for them there.

        Raises:
            PermissionViolation, NotAcknowledged, StreamFull: as `publish`.
        """
        claim = Claim.on(data)
        subject = subjects.bodies(event.source, event.project, claim.digest)
        for number, part in enumerate(parts_of(data)):
            headers = {"Nats-Msg-Id": claim.part_id(number)}
            await self._publish_until_stored(subject, part, headers)
        return claim

    async def publish_all(self, events: AsyncIterable[RawEvent]) -> int:
        """Publish a stream of events, no more of which are read than may be in flight.

        Returns how many were new.
        """
        new = 0
        pending: set[asyncio.Task[bool]] = set()
        async with asyncio.TaskGroup() as group:
            async for event in events:
                pending.add(group.create_task(self.publish(event)))
                if len(pending) >= self._limit:
                    done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
                    new += sum(task.result() for task in done)
        return new + sum(task.result() for task in pending)

    async def _publish_until_stored(
        self, subject: str, data: bytes, headers: dict[str, str]
    ) -> bool:
        failure: Exception | None = None
        for attempt in range(ATTEMPTS):
            try:
                acknowledgement = await self._jetstream.publish(
                    subject, data, timeout=ATTEMPT_SECONDS, headers=headers
                )
            except (NatsError, APIError, TimeoutError) as error:
                failure = error
                violation = self._connection.violation_on(subject)
                if violation is not None:
                    raise violation from error
                await asyncio.sleep(min(0.1 * 2**attempt, 5))
            else:
                return not acknowledgement.duplicate
        if isinstance(failure, APIError) and _NO_ROOM in (failure.description or ""):
            raise StreamFull(
                f"the stream of {subject} is full: nobody takes in what it holds, or not fast "
                "enough; what was stored is kept, so go on when there is room"
            ) from failure
        raise NotAcknowledged(f"{subject}: {failure!r} after {ATTEMPTS} attempts") from failure
