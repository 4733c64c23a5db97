"""Finds the events of a source, page by page."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from roxabi_contracts.upkeep import ReplayRequest

from cortex_insight.reading import EventKey
from cortex_insight.store import queries
from cortex_insight.store.columns import event_columns
from cortex_insight.store.db import Database

PAGE: Final = 200
PAGE_BYTES: Final = 8 * 1024 * 1024

_SQL = queries.load("replay")


@dataclass(frozen=True)
class Page:
    """The next events of a source."""

    events: Collection[EventKey]
    cursor: str | None
    """Where the next page begins; null: this is the last."""
    total: int | None
    """How many events all pages hold; null but on the first page."""


class ReplayStore:
    """The stored events in the order of their ids."""

    def __init__(self, database: Database, page: int = PAGE) -> None:
        self._database = database
        self._page = page

    async def page(self, asked: ReplayRequest) -> Page:
        """The page after the cursor.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        scope = {"project": asked.project, "source": asked.source, "since": asked.since}
        bounds = {"after": asked.cursor or "", "count": self._page, "bytes": PAGE_BYTES}
        async with self._database.transaction() as transaction:
            rows = await transaction.fetch(_SQL["select_page"], {**scope, **bounds})
            total: int | None = None
            if asked.cursor is None:
                (counted,) = await transaction.fetch(_SQL["count_events"], scope)
                total = counted["events"]
        events = [EventKey(asked.project, row["event_id"]) for row in rows]
        return Page(events, events[-1].event_id if events else None, total)

    async def settle_letters(self, events: Collection[EventKey]) -> None:
        """Take away the dead letters of events that are read now, or refused for another reason.

        Raises:
            StoreUnavailable: the database cannot be reached.
        """
        async with self._database.transaction() as transaction:
            await transaction.execute(_SQL["delete_settled_letters"], event_columns(events))
