"""The times that a question names, resolved against the moment it is asked: English and French."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

YEARS_BACK: Final = 10
"""How many years a month or a day without a year may lie back."""
MOST_SPANS: Final = 128
"""Of a question that names more, the latest count: every span is looked for."""

_YEARS: Final = (1900, 9000)
_DAY: Final = timedelta(days=1)
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "january janvier jan",
            "february février fevrier feb",
            "march mars",
            "april avril apr",
            "may mai",
            "june juin jun",
            "july juillet jul",
            "august août aout aug",
            "september septembre sept sep",
            "october octobre oct",
            "november novembre nov",
            "december décembre decembre dec",
        ),
        start=1,
    )
    for name in names.split()
}
_WEEKDAYS: Final = {
    name: number
    for number, names in enumerate(
        (
            "monday lundi",
            "tuesday mardi",
            "wednesday mercredi",
            "thursday jeudi",
            "friday vendredi",
            "saturday samedi",
            "sunday dimanche",
        )
    )
    for name in names.split()
}
_NAME: Final = "|".join(sorted(_MONTHS, key=len, reverse=True))
_WRITTEN: Final = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?\s+(?:of\s+)?)?(?P<month>{_NAME})\b"
    r"(?:\s+(?P<late>\d{1,2})(?:st|nd|rd|th)?(?!\d|\s*:))?(?:,?\s+(?:of\s+)?(?P<year>(?:19|20)\d\d)\b)?"
)
_ISO: Final = re.compile(r"\b((?:19|20)\d\d)-(\d\d)(?:-(\d\d))?\b")
_YEAR: Final = re.compile(r"\b(?:in|en|of|de|during|since|depuis)\s+((?:19|20)\d\d)\b")
_AGO: Final = re.compile(
    r"\b(?:(?P<n>\d{1,3}|an?|one|two|three) (?P<unit>day|week|month|year)s? ago"
    r"|il y a (?P<nombre>\d{1,3}|une?|deux|trois) (?P<mesure>jour|semaine|mois|an|année)s?)\b"
)
_COUNTS: Final = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "un": 1, "une": 1} | {
    "deux": 2,
    "trois": 3,
}
_UNITS: Final = {"jour": "day", "semaine": "week", "mois": "month", "an": "year", "année": "year"}
_LAST: Final = re.compile(
    r"\b(?:last|past) (?P<unit>week|month|year)\b|\b(?P<mesure>semaine|mois|an|année) "
    r"(?:dernier|dernière|passée?)\b"
)
_THIS: Final = re.compile(
    r"\bthis (?P<unit>week|month|year)\b|\b(?:cette|ce) (?P<mesure>semaine|mois|année)\b"
)
_NEAR_DAYS: Final = {
    re.compile(r"\b(?:today|tonight|this (?:morning|afternoon|evening)|aujourd['’]hui)\b"): 0,
    re.compile(r"\b(?:yesterday|last night|hier)\b"): -1,
    re.compile(r"\b(?:tomorrow|demain)\b"): 1,
}
_ON_WEEKDAY: Final = re.compile(rf"\b(?:on |last )?({'|'.join(_WEEKDAYS)})s?(?: dernier)?\b")
_AMBIGUOUS: Final = {"may", "march", "mars", "jan", "jun", "sept", "sep", "dec", "oct", "nov"}
"""Names of months that are other words, too: alone they need a preposition before them."""
_PREPOSITION: Final = re.compile(r"\b(?:in|last|since|during|of|en|de|depuis|mois de)\s+$")
_BEFORE: Final = 32
"""How many characters before a month its preposition is looked for."""


@dataclass(frozen=True, slots=True)
class Span:
    """From a moment, and before another: epoch milliseconds, UTC."""

    since: int
    before: int


def times_in(query: str, now: int) -> tuple[Span, ...]:
    """The spans of time that a question names, earliest first; none for most questions.

    They neither overlap nor touch.

    Args:
        query: The question.
        now: When it is asked, in epoch milliseconds.
    """
    text, today = query.casefold(), datetime.fromtimestamp(now / 1000, UTC).date()
    if not _YEARS[0] <= today.year <= _YEARS[1]:
        return ()
    spans = _joined(sorted({*_stated(text, today), *_relative(text, today)}))[-MOST_SPANS:]
    return tuple(Span(_epoch_ms(since), _epoch_ms(before)) for since, before in spans)


def is_within(moment: int, spans: Sequence[Span]) -> bool:
    """Whether a moment lies in any of the spans."""
    return bool(spans) and any(span.since <= moment < span.before for span in spans)


def _joined(spans: Iterable[tuple[date, date]]) -> list[tuple[date, date]]:
    """The same days in as few spans as there can be."""
    joined: list[tuple[date, date]] = []
    for since, before in spans:
        if joined and since <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(before, joined[-1][1])
        else:
            joined.append((since, before))
    return joined


def _stated(text: str, today: date) -> Iterator[tuple[date, date]]:
    for year, month, day in _ISO.findall(text):
        yield from _dates([int(year)], int(month), int(day) if day else None)
    has_month = False
    for found in _WRITTEN.finditer(text):
        day, year = found["day"] or found["late"], found["year"]
        if not (day or year or _stands_alone(found, text)):
            continue
        has_month = True
        years = [int(year)] if year else range(today.year, today.year - YEARS_BACK, -1)
        if not year and _is_last(found, text):
            years = [today.year - (_MONTHS[found["month"]] >= today.month)]
        yield from _dates(years, _MONTHS[found["month"]], int(day) if day else None)
    if not has_month:
        for year in _YEAR.findall(text):
            yield date(int(year), 1, 1), date(int(year) + 1, 1, 1)


def _stands_alone(found: re.Match[str], text: str) -> bool:
    if found["month"] not in _AMBIGUOUS:
        return True
    start = found.start()
    return _PREPOSITION.search(text, max(0, start - _BEFORE), start) is not None


def _is_last(found: re.Match[str], text: str) -> bool:
    start, end = found.span()
    before, after = text[max(0, start - _BEFORE) : start].rstrip(), text[end : end + _BEFORE]
    return before.endswith("last") or after.lstrip().startswith("dernier")


def _dates(years: Iterable[int], month: int, day: int | None) -> Iterator[tuple[date, date]]:
    for year in years:
        try:
            begun = date(year, month, day or 1)
        except ValueError:  # no such day, as the 30th of February
            continue
        yield begun, _next_month(begun) if day is None else begun + _DAY


def _relative(text: str, today: date) -> Iterator[tuple[date, date]]:
    for pattern, days in _NEAR_DAYS.items():
        if pattern.search(text):
            yield today + days * _DAY, today + (days + 1) * _DAY
    for found in _AGO.finditer(text):
        count = found["n"] or found["nombre"]
        number = int(count) if count.isdigit() else _COUNTS[count]
        yield _ago(today, number, found["unit"] or _UNITS[found["mesure"]])
    for found in _LAST.finditer(text):
        yield _period(today, found["unit"] or _UNITS[found["mesure"]], back=True)
    for found in _THIS.finditer(text):
        yield _period(today, found["unit"] or _UNITS[found["mesure"]], back=False)
    for weekday in _ON_WEEKDAY.findall(text):
        back = (today.weekday() - _WEEKDAYS[weekday] - 1) % 7 + 1
        yield today - back * _DAY, today - (back - 1) * _DAY


def _ago(today: date, number: int, unit: str) -> tuple[date, date]:
    """So long ago, give or take half a unit."""
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[unit]
    middle, slack = today - number * days * _DAY, days // 2
    return middle - slack * _DAY, middle + (slack + 1) * _DAY


def _period(today: date, unit: str, *, back: bool) -> tuple[date, date]:
    """The calendar's week, month or year, this one or the last."""
    match unit:
        case "week":
            begun = today - today.weekday() * _DAY
            return (begun - 7 * _DAY, begun) if back else (begun, begun + 7 * _DAY)
        case "month":
            begun = today.replace(day=1)
            former = (begun - _DAY).replace(day=1)
            return (former, begun) if back else (begun, _next_month(begun))
        case _:
            year = today.year - back
            return date(year, 1, 1), date(year + 1, 1, 1)


def _next_month(begun: date) -> date:
    return (begun.replace(day=1) + 32 * _DAY).replace(day=1)


def _epoch_ms(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp() * 1000)
