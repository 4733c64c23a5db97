"""The one place that reads the clock."""

from datetime import UTC, datetime
from typing import Protocol

from roxabi_contracts.base import epoch_ms


class Clock(Protocol):
    """What time it is."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> datetime:
        """The present moment, in UTC."""
        return datetime.now(UTC)


def now_ms(clock: Clock) -> int:
    """The present as milliseconds since 1970."""
    return epoch_ms(clock.now())
