"""When a mail was written: its own word, else that of the servers that passed it on."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta, timezone
from email.utils import parsedate_tz
from typing import Final

from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound

_COMMENT: Final = re.compile(r"\([^()]*\)")
_OFFSET_IN_COMMENT: Final = re.compile(r"\((?:GMT|UTC)?\s*([+-]\d{1,2}):?(\d{2})\)")
_NAMED_OFFSET: Final = re.compile(r"\b(?:GMT|UTC|UT)\s*([+-]\d{1,2}):?(\d{2})\b")
_ZONE: Final = re.compile(r"(?:[+-]\d{4}|\b[A-Za-z]{1,5})$")
_EARLIEST: Final = datetime(1980, 1, 1, tzinfo=UTC)
_LONGEST: Final = 200
_SLACK: Final = timedelta(days=1)


def read_date(raw: str, source: TimeSource) -> Bound | None:
    """The moment that a date in the style of mail states; null: none.

    `-0000` and a missing zone both say that the zone is not known: the time is taken for UTC.
    """
    text = _NAMED_OFFSET.sub(
        _offset, _OFFSET_IN_COMMENT.sub(_offset, raw[:_LONGEST].replace("\n", " "))
    )
    text = " ".join(_COMMENT.sub(" ", text).split())
    try:
        parts = parsedate_tz(text)
        if parts is None:
            return None
        moment = datetime(*parts[:6], tzinfo=timezone(timedelta(seconds=parts[9] or 0)))
        moment.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    stated = _ZONE.search(text) is not None
    zone = moment.strftime("%z") if stated and not text.endswith("-0000") else None
    return Bound(moment, source, TimePrecision.SECOND, zone=zone, assumed=not stated)


def bounds_of(date: str | None, received: Sequence[str]) -> list[Bound]:
    """What a mail's headers say of its time, the most credible first.

    Args:
        date: The `Date` header.
        received: The `Received` headers, the newest first, as they stand in the mail.
    """
    stated = read_date(date, TimeSource.RECORD) if date else None
    passed = [*_passed(received)]
    if stated is None:
        return passed[::-1]
    moment = stated.moment
    newest = max((one.moment for one in passed if one.moment), default=None)
    strange = moment is not None and moment < _EARLIEST
    late = moment is not None and newest is not None and moment > newest + _SLACK
    return [*passed[::-1], stated] if passed and (strange or late) else [stated, *passed[::-1]]


def _passed(received: Sequence[str]) -> Iterator[Bound]:
    for header in received:
        _, semicolon, tail = header.rpartition(";")
        date = read_date(tail if semicolon else header[-45:], TimeSource.ENVELOPE)
        if date is not None and date.moment is not None and date.moment >= _EARLIEST:
            yield date


def _offset(found: re.Match[str]) -> str:
    hours = int(found[1])
    return f" {'-' if hours < 0 else '+'}{abs(hours):02}{found[2]}"
