"""Since when and until when something holds, where a clause says so."""

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Final

from roxabi_contracts.payloads import TimePrecision, Validity

from cortex_insight.enrich.rules.lexicon.calendar import MONTHS, NUMBERS, WEEKDAYS

_MONTH: Final = "|".join(MONTHS)
_YEAR: Final = r"(?:19|20)\d\d"
_DATE: Final = (
    rf"(?:(?P<iso>{_YEAR}-\d\d-\d\d)"
    rf"|(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th|er)?\s+(?:of\s+)?(?P<month>{_MONTH})"
    rf"(?:,?\s+(?P<year>{_YEAR}))?"
    rf"|(?P<month_first>{_MONTH})\s+(?P<day_second>\d{{1,2}})(?:st|nd|rd|th)?(?!\d)"
    rf"(?:,?\s+(?P<year_last>{_YEAR}))?"
    rf"|(?P<month_only>{_MONTH})(?:\s+(?P<month_year>{_YEAR}))?"
    rf"|(?P<year_only>{_YEAR})"
    rf"|(?P<weekday>{'|'.join(WEEKDAYS)})"
    r"|(?P<tomorrow>tomorrow|demain))(?!\w)"
)
_SINCE: Final = (
    r"(?:since|as\s+of|from|starting(?:\s+(?:in|on))?"
    r"|depuis(?:\s+le)?|dès|à\s+(?:partir|compter)\s+d[eu])(?:\s+last)?"
)
_UNTIL: Final = r"(?:until|till|up\s+to|through|jusqu'(?:à|au|en))"
_FROM_PATTERN: Final = re.compile(rf"(?<!\w){_SINCE}\s+{_DATE}", re.IGNORECASE)
_IN_PATTERN: Final = re.compile(
    rf"(?<!\w)(?:in|on|en|le|in\s+early|in\s+late|last|début|fin)\s+{_DATE}", re.IGNORECASE
)
_UNTIL_PATTERN: Final = re.compile(rf"(?<!\w){_UNTIL}\s+{_DATE}", re.IGNORECASE)
_RANGE_PATTERN: Final = re.compile(
    rf"(?<!\w)(?:from|between|de|entre)\s+{_DATE}(?=\s*(?:to|and|until|till|à|et|jusqu'en|-|–))",
    re.IGNORECASE,
)
_RANGE_END_PATTERN: Final = re.compile(
    rf"\s*(?:to|and|until|till|à|et|jusqu'en|-|–)\s*{_DATE}", re.IGNORECASE
)
_DATE_PATTERN: Final = re.compile(rf"\s*(?:on\s+|in\s+|the\s+|le\s+|en\s+)?{_DATE}", re.IGNORECASE)
_COUNT: Final = rf"(?P<count>\d{{1,2}}|an?|{'|'.join(NUMBERS)})"
_AGO_PATTERN: Final = re.compile(
    rf"(?<!\w)(?:{_COUNT}\s+(?P<unit>years?|months?)\s+ago"
    rf"|il\s+y\s+a\s+{_COUNT.replace('count', 'nombre')}\s+(?P<unité>ans?|mois)"
    r"|(?P<last_year>last\s+year|l'an(?:née)?\s+derni(?:er|ère))"
    r"|(?P<last_month>last\s+month|le\s+mois\s+dernier)"
    r"|(?P<this_year>this\s+year|cette\s+année)"
    r"|(?P<yesterday>yesterday|hier)"
    rf"|(?P<weekday>{'|'.join(WEEKDAYS)}))(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Period:
    """A day, month or year: its first day, and the first day after it."""

    first: date
    after: date
    precision: TimePrecision

    @property
    def iso(self) -> str:
        """The period as ISO 8601, no more precise than it is."""
        length = {TimePrecision.YEAR: 4, TimePrecision.MONTH: 7}.get(self.precision, 10)
        return self.first.isoformat()[:length]


def validity(clause: str, said_at: datetime, *, happened: bool) -> Validity | None:
    """When what the clause says holds; null: it does not say.

    Args:
        clause: The words.
        said_at: The moment that relative dates count from.
        happened: The clause tells of a change, so that its `in March` is when it began.
    """
    today = said_at.date()
    start, end = _range(clause, today)
    if start is None or end is None:
        start = _start(clause, today, happened=happened)
        ends = _UNTIL_PATTERN.search(clause)
        end = period(ends, today, later=True) if ends else None
    stated = start or end
    if stated is None or (start and end and end.after <= start.first):
        return None
    return Validity.model_validate(
        {
            "from": _midnight(start.first) if start else None,
            "until": _midnight(end.after) if end else None,
            "precision": stated.precision,
        }
    )


def _start(clause: str, today: date, *, happened: bool) -> Period | None:
    began = _FROM_PATTERN.search(clause)
    if began is None and happened:
        began = _IN_PATTERN.search(clause)
    if began is not None:
        return period(began, today, later=_looks_ahead(began[0]))
    ago = _AGO_PATTERN.search(clause) if happened else None
    return _ago(ago, today) if ago else None


def _range(clause: str, today: date) -> tuple[Period | None, Period | None]:
    """The two periods of `from 2010 to 2014`; null: it is no such range."""
    first = _RANGE_PATTERN.search(clause)
    last = _RANGE_END_PATTERN.match(clause, first.end()) if first else None
    if first is None or last is None:
        return None, None
    return period(first, today, later=False), period(last, today, later=False)


def _ago(found: re.Match[str], today: date) -> Period:
    """The period in which something happened, counted back from today."""
    if found["yesterday"]:
        return _day(today - timedelta(days=1))
    if found["weekday"]:
        return _day(today + timedelta(days=_days_to(found["weekday"], today) - 7))
    if found["last_month"]:
        return _months_back(today, 1)
    if found["last_year"] or found["this_year"]:
        return _year(today.year - bool(found["last_year"]))
    said = (found["count"] or found["nombre"]).lower()
    count = int(said) if said.isdecimal() else NUMBERS.get(said, 1)
    if (found["unit"] or found["unité"]).lower().startswith("mo"):
        return _months_back(today, count)
    return _year(today.year - count)


def stated_period(words: str) -> Period | None:
    """The period that the words begin with; null: none that a year makes exact."""
    found = _DATE_PATTERN.match(words)
    if found is None or not re.search(_YEAR, found[0]):
        return None
    return period(found, date.max, later=False)


def period(found: re.Match[str], today: date, *, later: bool) -> Period | None:
    """The period that a match of a date names; null: there is no such day.

    Args:
        found: A match of the date's pattern.
        today: The day that incomplete dates count from.
        later: An incomplete date is the next of its kind, else the latest past one.
    """
    try:
        return _period(found, today, later=later)
    except ValueError:
        return None


def _period(found: re.Match[str], today: date, *, later: bool) -> Period:
    if found["iso"]:
        return _day(date.fromisoformat(found["iso"]))
    if found["tomorrow"]:
        return _day(today + timedelta(days=1))
    if found["weekday"]:
        ahead = _days_to(found["weekday"], today)
        return _day(today + timedelta(days=ahead if later else ahead - 7))
    if found["year_only"]:
        return _year(int(found["year_only"]))
    return _calendar(found, today, later=later)


def _calendar(found: re.Match[str], today: date, *, later: bool) -> Period:
    name = found["month"] or found["month_first"] or found["month_only"]
    stated_year = found["year"] or found["year_last"] or found["month_year"]
    day = found["day"] or found["day_second"]
    month = MONTHS[name.lower()]
    year = int(stated_year) if stated_year else today.year
    result = _day(date(year, month, int(day))) if day else _month(year, month)
    if stated_year:
        return result
    if later and result.after <= today:
        year += 1
    elif not later and result.first > today:
        year -= 1
    return _day(date(year, month, int(day))) if day else _month(year, month)


def _day(day: date) -> Period:
    return Period(day, day + timedelta(days=1), TimePrecision.DAY)


def _month(year: int, month: int) -> Period:
    after = date(year + month // 12, month % 12 + 1, 1)
    return Period(date(year, month, 1), after, TimePrecision.MONTH)


def _year(year: int) -> Period:
    return Period(date(year, 1, 1), date(year + 1, 1, 1), TimePrecision.YEAR)


def _months_back(today: date, count: int) -> Period:
    months = today.year * 12 + today.month - 1 - count
    return _month(months // 12, months % 12 + 1)


def _days_to(weekday: str, today: date) -> int:
    """Days to the next such day after today: 1 to 7."""
    return (WEEKDAYS[weekday.lower()] - today.weekday() - 1) % 7 + 1


def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _looks_ahead(words: str) -> bool:
    return bool(re.match(r"from|starting|dès|à\s", words, re.IGNORECASE))
