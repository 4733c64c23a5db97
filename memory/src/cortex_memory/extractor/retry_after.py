"""How long a provider asks us to wait."""

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from typing import Final

LONGEST_SECONDS: Final = 86_400.0


def retry_after_seconds(header: str | None, now: datetime) -> float | None:
    """Seconds from a Retry-After header (RFC 9110, 10.2.3), at most a day; null: it says nothing.

    Args:
        header: A number of seconds, or a date of HTTP.
        now: The present moment.
    """
    if header is None:
        return None
    seconds = _seconds(header.strip(), now)
    return None if seconds is None else min(max(seconds, 0.0), LONGEST_SECONDS)


def _seconds(text: str, now: datetime) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return _seconds_until(text, now)
    return number if isfinite(number) else None


def _seconds_until(text: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()
