"""When an event happened: the best bound that is known and not after the lake received it."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from roxabi_contracts import TimeNote
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

TOLERANCE: Final = timedelta(days=1)
"""How far ahead of the lake's clock a source's clock may be."""


@dataclass(frozen=True)
class Bound:
    """A moment that a source offers for an event."""

    moment: datetime | None
    source: TimeSource
    precision: TimePrecision = TimePrecision.MILLISECOND
    zone: str | None = None
    assumed: bool = False
    """The zone, or the moment itself, is a guess."""


def resolve_time(bounds: Iterable[Bound], received_at: datetime) -> tuple[int, TimeNote]:
    """The timestamp (epoch ms) and how it is known: the first bound that can be true.

    Args:
        bounds: The record's own time first, then weaker ones.
        received_at: When the lake stored the event; the last resort, and the limit.
    """
    receipt = Bound(received_at, TimeSource.RECEIPT, assumed=True)
    for bound in (*bounds, receipt):
        if bound.moment is not None and bound.moment <= received_at + TOLERANCE:
            return _noted(bound.moment, bound)
    raise AssertionError("the receipt is never later than itself")


def _noted(moment: datetime, bound: Bound) -> tuple[int, TimeNote]:
    timestamp = epoch_ms(moment)
    note = TimeNote(
        precision=bound.precision,
        source=bound.source,
        assumed=bound.assumed,
        zone=bound.zone,
        local=moment.isoformat() if timestamp < 0 or moment.utcoffset() else None,
    )
    return max(timestamp, 0), note
