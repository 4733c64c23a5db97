"""The calendars that come with a mail: their meetings, and what of them cannot be read."""

import re
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from typing import TYPE_CHECKING, Final

from cortex_insight.parsers.charset import decode_text
from cortex_insight.parsers.mail.meetings import Meeting, read_meeting
from cortex_insight.parsers.mail.parts import CUT_MARK, parameter, payload_of, raw_header

if TYPE_CHECKING:
    from icalendar import Component

_FOLD: Final = re.compile(rb"\r?\n[ \t]")
_CALENDAR: Final = re.compile(r"BEGIN:VCALENDAR\b.*?^END:VCALENDAR\b", re.I | re.S | re.M)
_ZONE: Final = re.compile(r"^BEGIN:VTIMEZONE\b.*?^END:VTIMEZONE\b[^\n]*\n", re.I | re.S | re.M)
_RULE: Final = re.compile(r"^RRULE[^:\n]*:(.*)$", re.I | re.M)
_PLAIN_RULE: Final = re.compile(
    r"FREQ=YEARLY(?:;(?:BYMONTH=\d+|BYDAY=[-+\d]*[A-Z]{2}|INTERVAL=1"
    r"|(?:BYMONTHDAY|UNTIL|COUNT|WKST)=[^;]*))*\s*",
    re.I,
)
"""A change of the clock comes once a year; other rules would be counted out for a long time."""
_VENDOR: Final = re.compile(
    r"(TZID[=:]\"?)/(?:[^\s\":;]*/(?=(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia"
    r"|Europe|Indian|Pacific)/))?"
)
"""What programs put before the name of a zone."""
_RULES_AT_MOST: Final = 40
_LONGEST: Final = 256 * 1024
_MEETINGS_AT_MOST: Final = 20
_METHODS: Final = frozenset(("REQUEST", "REPLY", "CANCEL", "PUBLISH"))
_OTHERS: Final = frozenset(("ADD", "COUNTER", "DECLINECOUNTER", "REFRESH"))
_BROKEN: Final = (
    ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError, OSError,
)  # fmt: skip
"""What the reader of calendars raises on one that is broken; it takes a zone for a file's name."""


def read_meetings(parts: tuple[Message, ...]) -> tuple[tuple[Meeting, ...], Counter[str]]:
    """The meetings of a mail, each once, and how often what was left out, and why."""
    left_out: Counter[str] = Counter()
    meetings = dict.fromkeys(
        meeting for part in parts for meeting in _meetings_of_part(part, left_out)
    )
    if len(meetings) > _MEETINGS_AT_MOST:
        left_out["calendar:more_meetings"] += len(meetings) - _MEETINGS_AT_MOST
    return tuple(meetings)[:_MEETINGS_AT_MOST], left_out


def _meetings_of_part(part: Message, left_out: Counter[str]) -> Iterator[Meeting]:
    content = payload_of(part)
    if raw_header(part, CUT_MARK) or len(content) > _LONGEST:
        left_out["calendar:too_long"] += 1
        return
    # A fold may stand between the bytes of one character.
    unfolded = _FOLD.sub(b"", content)
    text = decode_text(unfolded, parameter(part, "charset")).replace("\r\n", "\n")
    found = _CALENDAR.findall(text)
    if not found:
        left_out["calendar:broken"] += 1
    if len(found) > _MEETINGS_AT_MOST:
        left_out["calendar:more_calendars"] += len(found) - _MEETINGS_AT_MOST
    for one in found[:_MEETINGS_AT_MOST]:
        yield from _meetings_of_calendar(one, left_out)


def _meetings_of_calendar(text: str, left_out: Counter[str]) -> Iterator[Meeting]:
    # A lake that is sent no calendar need not hold their reader in memory.
    from icalendar import Calendar
    from icalendar.timezone import tzp

    try:
        tzp.use_default()  # it remembers the zones that other calendars defined
        calendars = Calendar.from_ical(_with_zones_first(text), multiple=True)
        events = [(_method(one), event) for one in calendars for event in one.walk("VEVENT")]
    except _BROKEN:
        calendars, events = [], []
    if not events:
        left_out["calendar:no_meeting" if calendars else "calendar:broken"] += 1
    for method, event in events:
        yield from _meeting(method, event, left_out)


def _with_zones_first(text: str) -> str:
    """The reader knows only the zones that stand before the times that are in them."""
    named = _VENDOR.sub(r"\1", text)
    head, _, rest = _ZONE.sub("", named).partition("\n")
    plain = [zone for zone in _ZONE.findall(named) if _is_plain(zone)]
    few = plain if len(_RULE.findall("".join(plain))) <= _RULES_AT_MOST else []
    return "".join([head, "\n", *few, rest])


def _is_plain(zone: str) -> bool:
    return all(map(_PLAIN_RULE.fullmatch, _RULE.findall(zone)))


def _method(calendar: "Component") -> str:
    """One that is not stated makes a calendar that is passed on for information."""
    return str(calendar.get("METHOD") or "PUBLISH").strip().upper()


def _meeting(method: str, event: "Component", left_out: Counter[str]) -> Iterator[Meeting]:
    if method not in _METHODS:
        name = method.lower() if method in _OTHERS else "unknown"
        left_out[f"calendar:method_{name}"] += 1
        return
    try:
        meeting = read_meeting(method, event)
    except _BROKEN:
        left_out["calendar:broken_meeting"] += 1
        return
    if meeting.start is None and method in ("REQUEST", "PUBLISH"):
        left_out["calendar:no_start"] += 1
    else:
        yield meeting
