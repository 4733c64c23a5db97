"""Takes erased events, and what announced their refusal, out of the lake's streams."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Final

from nats.aio.client import Client
from roxabi_contracts import subjects
from roxabi_contracts.client import BrokerUnavailable
from roxabi_contracts.client.sweep import StoredMessage, sweep

from cortex_insight.admit import admit
from cortex_insight.erased import digests_of, event_digest
from cortex_insight.errors import BusUnavailable
from cortex_insight.outbox import Receipt, dead_letter
from cortex_insight.parser import Reject
from cortex_insight.store.db import Database
from cortex_insight.store.erasing import keys_of, known_digests

_NO_TIME: Final = datetime.min.replace(tzinfo=UTC)


class StreamSweeper:
    """Finds by its digests what has to go."""

    def __init__(self, client: Client, database: Database) -> None:
        self._client = client
        self._database = database

    async def sweep(self, project: str) -> int:
        """Take out whatever the streams hold of what was erased in a project; how many messages.

        Raises:
            StoreUnavailable, BusUnavailable: not all was looked at; sweep again.
        """
        async with self._database.transaction() as transaction:
            keys = await keys_of(transaction, [project])
        if project not in keys:
            return 0
        key = keys[project]

        async def refused(batch: Sequence[StoredMessage]) -> set[int]:
            names = {one.sequence: one.message_id for one in batch if one.message_id}
            digests = {place: {event_digest(key, name)} for place, name in names.items()}
            return await self._known(project, digests)

        async def events(batch: Sequence[StoredMessage]) -> set[int]:
            return await self._known(project, {one.sequence: _digests(key, one) for one in batch})

        try:
            gone = await sweep(
                self._client, subjects.STREAM_EVENTS, events, subjects.events_of(project)
            )
            return gone + await sweep(self._client, subjects.STREAM_EVENTS_REJECTED, refused)
        except BrokerUnavailable as error:
            raise BusUnavailable(str(error)) from error

    async def _known(self, project: str, digests: dict[int, set[bytes]]) -> set[int]:
        asked = {digest for own in digests.values() for digest in own}
        async with self._database.transaction() as transaction:
            known = await known_digests(transaction, {project: asked})
        return {place for place, own in digests.items() if own & known}


def _digests(key: bytes, message: StoredMessage) -> set[bytes]:
    """By which an event is known, or else the dead letter that was made of the message."""
    receipt = Receipt(message.subject, message.data, _NO_TIME)
    answer = admit(receipt)
    if isinstance(answer, Reject):
        return {event_digest(key, dead_letter(receipt, answer, None).rejected.id)}
    return digests_of(key, answer.event_id, answer.event)
