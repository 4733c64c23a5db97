"""Hands out all that the journal holds of a memory, a page at a time."""

from pydantic import BaseModel, ConfigDict, ValidationError
from roxabi_contracts.errors import ErrorCode
from roxabi_contracts.upkeep import ExportPage, ExportRequest

from cortex_memory.find_fact import memory_of
from cortex_memory.refusal import Refused
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.export import SETS, Exported, count_records, read_records


class _Cursor(BaseModel):
    """Where a page ended: the set of the journal, and the key of its last record."""

    model_config = ConfigDict(frozen=True)

    set: int
    after: list[str] | None
    total: int


class ExportObeyer:
    """Exports memories; what arrives meanwhile may be part of it or not."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool

    async def export(self, request: ExportRequest) -> ExportPage:
        """The page after the cursor.

        Raises:
            Refused: nobody is known as the subject, or the cursor is none of ours.
            StoreUnavailable: ask again.
        """
        async with connection(self._pool) as transaction:
            memory = await memory_of(transaction, request.project, request.subject)
            if request.cursor is None:
                total = await count_records(transaction, request.project, memory)
                start = _Cursor(set=0, after=None, total=total)
            else:
                start = _read_cursor(request.cursor)
            records, end = await _next_page(transaction, request.project, memory, start)
        return ExportPage(
            project=request.project,
            subject=memory,
            records=tuple(each.record for each in records),
            cursor=None if end is None else end.model_dump_json(),
            total=start.total,
        )


async def _next_page(
    transaction: Connection, project: str, memory: str, start: _Cursor
) -> tuple[list[Exported], _Cursor | None]:
    """The records of the first set that has some, and where they end; null: there are no more."""
    after = start.after
    for index in range(start.set, len(SETS)):
        records = await read_records(transaction, SETS[index], project, memory, after)
        if records:
            return records, _Cursor(set=index, after=records[-1].key, total=start.total)
        after = None
    return [], None


def _read_cursor(text: str) -> _Cursor:
    try:
        cursor = _Cursor.model_validate_json(text)
    except ValidationError as error:
        raise Refused(ErrorCode.INVALID_REQUEST, "this is no cursor of an export") from error
    if not 0 <= cursor.set < len(SETS):
        raise Refused(ErrorCode.INVALID_REQUEST, "this is no cursor of this version's exports")
    return cursor
