"""How long a provider wants to be left alone."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final

LONGEST_SECONDS: Final = 86_400.0


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Seconds that a Retry-After header (RFC 9110, 10.2.3) asks for, at most a day.

    Null: it says nothing.
    """
    if header is None:
        return None
    seconds = _in_seconds(header.strip(), now)
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_SECONDS)


def _in_seconds(text: str, now: datetime) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return _until(text, now)
    return number if isfinite(number) else None


def _until(text: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    zoned = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return (zoned - now).total_seconds()
