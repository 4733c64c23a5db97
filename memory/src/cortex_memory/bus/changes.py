"""Announces what changed: out of the outbox, onto the stream of changes."""

import asyncio
from typing import Final

import structlog
from roxabi_contracts import subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.codec import headers_of

from cortex_memory.bus.publish import Outgoing, publish
from cortex_memory.errors import StoreUnavailable
from cortex_memory.faults import FaultPoint, Step
from cortex_memory.store.changes import ChangeOutbox, WaitingChange

BATCH: Final = 500
POLL_SECONDS: Final = 0.2

_log = structlog.get_logger()


class ChangePublisher:
    """Sends changes, the oldest first, until it is told to stop.

    One that the stream did not confirm comes after later ones: their versions tell the order.
    """

    def __init__(self, connection: Connection, outbox: ChangeOutbox, fault: FaultPoint) -> None:
        self._jetstream = connection.client.jetstream()
        self._outbox = outbox
        self._fault = fault

    async def run(self, stopping: asyncio.Event) -> None:
        """Publish; a broker or a database that is down is waited for."""
        while not stopping.is_set():
            try:
                sent = await self.publish_batch()
            except StoreUnavailable as error:
                _log.warning("changes_wait", reason=type(error).__name__)
                sent = 0
            except Exception:  # noqa: BLE001  (a top loop: what was not sent waits)
                _log.exception("changes_failed")
                sent = 0
            if sent < BATCH:
                await asyncio.sleep(POLL_SECONDS)

    async def publish_batch(self) -> int:
        """Publish the oldest waiting changes; how many the stream confirmed."""
        waiting = await self._outbox.oldest(BATCH)
        if not waiting:
            return 0
        confirmed = await publish(self._jetstream, map(_outgoing, waiting))
        self._fault(Step.AFTER_CHANGES_PUBLISHED)
        done = [change.position for change, ok in zip(waiting, confirmed, strict=True) if ok]
        await self._outbox.forget(done)
        return len(done)


def _outgoing(change: WaitingChange) -> Outgoing:
    headers = headers_of(Change.model_validate_json(change.message), change.id)
    return Outgoing(subjects.changes(change.project), change.id, change.message, headers)
