"""Rows as the parameters of a statement: one list per column."""

from collections.abc import Iterable, Sequence

from cortex_insight.reading import EventKey
from cortex_insight.store.db import Parameters


def columns_of(names: Sequence[str], rows: Sequence[tuple[object, ...]]) -> Parameters:
    """The columns of rows."""
    return {name: [row[place] for row in rows] for place, name in enumerate(names)}


def event_columns(events: Iterable[EventKey]) -> Parameters:
    """Which events."""
    return columns_of(("projects", "event_ids"), sorted(events))
