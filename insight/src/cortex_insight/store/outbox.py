"""The queue of messages to send: claimed for a while, marked when the stream has them."""

from collections.abc import Sequence
from typing import Final

from cortex_insight.outbox import Claimed
from cortex_insight.store import queries
from cortex_insight.store.db import Database

CLAIM_COUNT: Final = 500
CLAIM_BYTES: Final = 8 * 1024 * 1024
CLAIM_SECONDS: Final = 10.0
"""After which another publisher may take over: sending twice is harmless."""

_SQL = queries.load("outbox")


class Outbox:
    """The outbox of every publisher."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def claim(self, subject: str) -> list[Claimed]:
        """The oldest messages that wait and that nobody else is sending."""
        parameters = {
            "subject": subject,
            "count": CLAIM_COUNT,
            "bytes": CLAIM_BYTES,
            "seconds": CLAIM_SECONDS,
        }
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_SQL["claim_messages"], parameters)
        return [Claimed(row["id"], row["message_id"], row["payload"]) for row in rows]

    async def mark_sent(self, rows: Sequence[int]) -> None:
        """Take messages that the stream has out of the queue."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_SQL["mark_sent"], {"ids": rows})

    async def release(self, rows: Sequence[int]) -> None:
        """Let others send these."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_SQL["release_messages"], {"ids": rows})
