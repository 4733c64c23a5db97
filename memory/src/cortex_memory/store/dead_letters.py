"""What memory refused or could not retain: listed, tried again, gone once understood."""

from dataclasses import dataclass
from typing import Final

from psycopg.rows import class_row, tuple_row
from roxabi_contracts import subjects
from roxabi_contracts.upkeep import DeadLetterRecord, DeadLettersRequest

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query

RETAIN_FAILED: Final = "retain_failed"
"""The code under which an observation is shown that waits for another attempt to retain it."""


@dataclass(frozen=True, slots=True)
class RefusedMessage:
    """A message as it came."""

    subject: str | None
    """Null: it was not kept."""
    body: bytes


async def list_letters(
    transaction: Connection, asked: DeadLettersRequest, limit: int
) -> list[DeadLetterRecord]:
    """The letters asked for and the failed jobs, the newest first."""
    cursor = transaction.cursor(row_factory=class_row(DeadLetterRecord))
    bounds = {"limit": limit, "retain_failed": RETAIN_FAILED}
    await cursor.execute(query("dead_letters.list"), _scope(asked) | bounds)
    return await cursor.fetchall()


async def letters_to_retry(transaction: Connection, asked: DeadLettersRequest) -> list[str]:
    """The ids of the letters meant, those tried least first."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("dead_letters.to_retry"), _scope(asked) | {"limit": asked.limit})
    return [identity for (identity,) in await cursor.fetchall()]


async def refused_message(transaction: Connection, identity: str) -> RefusedMessage | None:
    """What was refused; null: it is no dead letter any more."""
    cursor = transaction.cursor(row_factory=class_row(RefusedMessage))
    await cursor.execute(query("dead_letters.message"), {"id": identity})
    return await cursor.fetchone()


async def remove_letter(transaction: Connection, identity: str) -> None:
    """It is understood by now."""
    await transaction.execute(query("dead_letters.remove"), {"id": identity})


async def refuse_again(transaction: Connection, identity: str, code: str, reason: str) -> None:
    """It is still refused, maybe for another reason."""
    row = {"id": identity, "code": code, "reason": reason}
    await transaction.execute(query("dead_letters.refuse_again"), row)


def _scope(asked: DeadLettersRequest) -> dict[str, object]:
    return {
        "project": asked.project,
        "unassigned": asked.project == subjects.UNASSIGNED,
        "id": asked.id,
    }
