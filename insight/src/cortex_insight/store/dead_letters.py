"""What the lake refused: listed, tried again, and gone once it is read."""

from dataclasses import dataclass
from datetime import datetime

from roxabi_contracts import subjects
from roxabi_contracts.upkeep import DeadLetterRecord, DeadLettersRequest

from cortex_insight.reading import EventKey
from cortex_insight.store import queries
from cortex_insight.store.db import Database, Parameters

_SQL = queries.load("dead_letters")


@dataclass(frozen=True)
class Refused:
    """A refused message, or the event that it became."""

    project: str | None
    source: str | None
    event_id: str | None
    received_at: datetime
    data: bytes | None
    """Null: the lake keeps it as an event."""


class DeadLetterStore:
    """The dead letters in the lake's database; every method may raise `StoreUnavailable`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def letters(self, asked: DeadLettersRequest, limit: int) -> list[DeadLetterRecord]:
        """Those asked for, the newest first."""
        async with self._database.transaction() as transaction:
            parameters = {**_scope(asked), "limit": limit}
            rows = await transaction.fetch(_SQL["select_letters"], parameters)
        return [DeadLetterRecord.model_validate(row) for row in rows]

    async def to_retry(self, asked: DeadLettersRequest) -> list[str]:
        """The ids of those asked for, those tried least first."""
        async with self._database.transaction() as transaction:
            parameters = {**_scope(asked), "limit": asked.limit}
            rows = await transaction.fetch(_SQL["select_to_retry"], parameters)
        return [row["id"] for row in rows]

    async def refused(self, letter_id: str) -> Refused | None:
        """What the letter is about; null: it is none any more."""
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_SQL["select_refused"], {"id": letter_id})
        return Refused(**rows[0]) if rows else None

    async def settle(self, letter_id: str, event: EventKey) -> bool:
        """Remove the letter if its event was read meanwhile, else count the attempt; which."""
        async with self._database.transaction() as transaction:
            parameters = {"id": letter_id, **event._asdict()}
            settled = await transaction.fetch(_SQL["delete_settled"], parameters)
            if not settled:
                await transaction.execute(_SQL["count_attempt"], _attempt(letter_id))
        return any(row["was_read"] for row in settled)

    async def refuse_again(self, letter_id: str, code: str, reason: str) -> None:
        """It is no event, still, maybe for another reason."""
        async with self._database.transaction() as transaction:
            await transaction.execute(_SQL["count_attempt"], _attempt(letter_id, code, reason))


def _scope(asked: DeadLettersRequest) -> Parameters:
    return {
        "project": asked.project,
        "unassigned": asked.project == subjects.UNASSIGNED,
        "id": asked.id,
    }


def _attempt(letter_id: str, code: str | None = None, reason: str | None = None) -> Parameters:
    return {"id": letter_id, "code": code, "reason": reason}
