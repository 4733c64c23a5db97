"""Days as people write them into headings, file names and front matter."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Final

_MONTHS: Final = {
    name: month
    for month, names in enumerate(
        (
            "january jan janvier januar", "february feb février fevrier februar",
            "march mar mars märz", "april apr avril", "may mai", "june jun juin juni",
            "july jul juillet juli", "august aug août aout", "september sep sept septembre",
            "october oct octobre oktober", "november nov novembre",
            "december dec décembre decembre dezember",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_ISO: Final = re.compile(r"(?<!\d)((?:19|20)\d\d)([-_./]?)([01]\d)\2([0-3]\d)(?!\d)")
_DAY_FIRST: Final = re.compile(r"(?<![\d.])(\d{1,2})\.(\d{1,2})\.((?:19|20)\d\d)(?!\d)")
_WORDS: Final = (
    re.compile(
        r"\b(?P<month>[^\W\d_]{3,9})\.? (?P<day>\d{1,2})(?:st|nd|rd|th)?,?"
        r" (?P<year>(?:19|20)\d\d)\b"
    ),
    re.compile(
        r"\b(?P<day>\d{1,2})(?:st|nd|rd|th|er)?\.? (?P<month>[^\W\d_]{3,9})\.?,?"
        r" (?P<year>(?:19|20)\d\d)\b"
    ),
)
_LONGEST: Final = 120


def day_in(text: str) -> date | None:
    """The first day that a text names; one that could be two days is none."""
    return next((day for _, day in _days(text[:_LONGEST])), None)


def day_of_heading(text: str) -> date | None:
    """The day of which a heading says that all below it is: it begins or ends with one."""
    shown = re.sub(r"[\[\]*_`#]", "", text[:_LONGEST]).strip()
    for (start, end), day in _days(shown):
        around = [part.strip(" ,:;-–—()|") for part in (shown[:start], shown[end:])]
        if not all(around):
            return day
    return None


def midnight(day: date) -> datetime:
    """The beginning of a day, taken for UTC."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _days(text: str) -> Iterator[tuple[tuple[int, int], date]]:
    found: list[tuple[tuple[int, int], date]] = []
    for stated in _ISO.finditer(text):
        found += _known(stated, stated[1], stated[3], stated[4])
    for stated in _DAY_FIRST.finditer(text):
        found += _known(stated, stated[3], stated[2], stated[1])
    for pattern in _WORDS:
        for stated in pattern.finditer(text):
            month = _MONTHS.get(stated["month"].casefold())
            found += _known(stated, stated["year"], str(month or 0), stated["day"])
    return iter(sorted(found))


def _known(
    found: re.Match[str], year: str, month: str, day: str
) -> list[tuple[tuple[int, int], date]]:
    try:
        return [(found.span(), date(int(year), int(month), int(day)))]
    except ValueError:
        return []
