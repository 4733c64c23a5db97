"""What a calendar that came with a mail states of a meeting, before anybody judges it."""

import re
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final, cast

from cortex_insight.parsers.mail.addresses import read_addresses
from cortex_insight.parsers.mail.words import header_text

if TYPE_CHECKING:
    from icalendar import Component, vCalAddress

ANSWERS: Final = {
    "ACCEPTED": "accepted",
    "DECLINED": "declined",
    "TENTATIVE": "tentatively accepted",
}
"""How a text tells what a guest answers."""
_PLACES: Final = frozenset(("ROOM", "RESOURCE"))
_PLACE_DOMAIN: Final = "@resource.calendar.google.com"
_GROUP_DOMAIN: Final = "@group.calendar.google.com"
_MAILTO: Final = re.compile(r"^\s*mailto:", re.I)
_LONGEST_LINE: Final = 500


@dataclass(frozen=True)
class Guest:
    """Who is named in a meeting: a person, a group, or what is booked for it."""

    name: str | None
    email: str | None
    answer: str
    """`PARTSTAT` in upper case; empty: none is stated."""
    is_place: bool
    """A room or a thing: nobody."""
    is_group: bool

    @property
    def told(self) -> str:
        """How the text names them."""
        address = f"<{self.email}>" if self.email else ""
        return " ".join(one for one in (self.name, address) if one)


@dataclass(frozen=True)
class Moment:
    """A time as it was stated, and where it lies in the time of the world, if that is known."""

    told: str
    instant: datetime | None
    """UTC; null: no zone is stated, or none that is known. Days begin and end as if in UTC."""
    is_day: bool


@dataclass(frozen=True)
class Meeting:
    """An event of a calendar: one meeting, a series, or one of its instances."""

    method: str
    uid: str
    instance: str
    """Which of a series, by the time it was first meant for; empty: the meeting itself."""
    sequence: int
    stamped: datetime | None
    """When this was written."""
    summary: str
    place: str
    rule: str
    is_cancelled: bool
    organiser: Guest | None
    guests: tuple[Guest, ...]
    start: Moment | None
    end: Moment | None

    @property
    def invited(self) -> list[Guest]:
        """The guests beside the organiser, each once; what is booked for the meeting is nobody."""
        host = self.organiser.email if self.organiser else None
        found = {one.email or one.told: one for one in self.guests if not one.is_place}
        return [one for one in found.values() if one.email is None or one.email != host]

    @property
    def answering(self) -> list[Guest]:
        """Those who say whether they come."""
        return [one for one in self.guests if one.answer in ANSWERS and not one.is_place]

    @property
    def is_gone(self) -> bool:
        """It does not take place, or not with whom this was sent to."""
        return self.is_cancelled or self.method == "CANCEL"


def read_meeting(method: str, event: "Component") -> Meeting:
    """The meeting that an event states.

    Raises:
        ValueError: a value lies outside of what can be counted.
    """
    began = _first(event.get("DTSTART"))
    organisers = _guests(event.get("ORGANIZER"))
    sequence = _line(event.get("SEQUENCE"))
    stamped = _time(event.get("DTSTAMP"))
    aware = isinstance(stamped, datetime) and stamped.tzinfo is not None
    return Meeting(
        method=method,
        uid=_line(event.get("UID")),
        instance=_instance(event.get("RECURRENCE-ID"), began),
        sequence=int(sequence) if re.fullmatch(r"[0-9]{1,5}", sequence) else 0,
        stamped=stamped.astimezone(UTC) if isinstance(stamped, datetime) and aware else None,
        summary=_line(event.get("SUMMARY")),
        place=_line(event.get("LOCATION")),
        rule=_rule(event.get("RRULE")),
        is_cancelled=_line(event.get("STATUS")).upper() == "CANCELLED",
        organiser=organisers[0] if organisers else None,
        guests=_guests(event.get("ATTENDEE")),
        start=_moment(began),
        end=_end(event, began),
    )


def _all(value: object) -> list[object]:
    """The values of a property, which may be stated more than once."""
    return cast("list[object]", value) if isinstance(value, list) else [value]


def _first(value: object) -> object:
    return next(iter(_all(value)), None)


def _line(value: object) -> str:
    first = _first(value)
    if first is None:
        return ""
    return header_text(str(first).replace("\n", " "))[:_LONGEST_LINE].strip()


def _rule(value: object) -> str:
    from icalendar import vRecur

    first = _first(value)
    return first.to_ical().decode()[:_LONGEST_LINE] if isinstance(first, vRecur) else ""


def _guests(value: object) -> tuple[Guest, ...]:
    from icalendar import vCalAddress

    read = [_guest(one) for one in _all(value) if isinstance(one, vCalAddress)]
    return tuple(one for one in read if one.told)


def _guest(stated: "vCalAddress") -> Guest:
    named = {key.upper(): _line(value) for key, value in stated.params.items()}
    address = _MAILTO.sub("", stated) if _MAILTO.match(stated) else named.get("EMAIL", "")
    email = next((one.email for one in read_addresses(f"<{address}>") if one.email), None)
    name = named.get("CN", "").strip("'\" ")
    kind = named.get("CUTYPE", "").upper()
    return Guest(
        name=name if name and "@" not in name else None,
        email=email,
        answer=named.get("PARTSTAT", "").upper(),
        is_place=kind in _PLACES or (email or "").endswith(_PLACE_DOMAIN),
        is_group=kind == "GROUP" or (email or "").endswith(_GROUP_DOMAIN),
    )


def _time(value: object) -> date | None:
    """A day or a moment; null: neither is stated, or not in a way that can be read."""
    from icalendar import vDDDTypes

    first = _first(value)
    stated = first.dt if isinstance(first, vDDDTypes) else None
    return stated if isinstance(stated, date) else None


def _zone(value: object) -> str:
    from icalendar import vDDDTypes

    first = _first(value)
    return _line(first.params.get("TZID")) if isinstance(first, vDDDTypes) else ""


def _moment(value: object) -> Moment | None:
    stated = _time(value)
    return None if stated is None else _told(stated, _zone(value))


def _told(stated: date, zone: str) -> Moment:
    if not isinstance(stated, datetime):
        begins = datetime(stated.year, stated.month, stated.day, tzinfo=UTC)
        return Moment(stated.isoformat(), begins, is_day=True)
    local = stated.replace(tzinfo=None).isoformat(" ", "minutes")
    if stated.tzinfo is None:
        missing = f"{zone}, a zone that is not known" if zone else "no zone is stated"
        return Moment(f"{local} ({missing})", None, is_day=False)
    offset = stated.isoformat()[len(stated.replace(tzinfo=None).isoformat()) :]
    known = f" {offset} ({zone})" if zone and zone.upper() != "UTC" else " UTC"
    return Moment(f"{local}{known}", stated.astimezone(UTC), is_day=False)


def _end(event: "Component", began: object) -> Moment | None:
    """The end, or the beginning and the duration."""
    ended, start = event.get("DTEND"), _time(began)
    stated = _time(ended)
    if stated is None:
        stated, ended = _lasting(start, event.get("DURATION")), began
    if stated is None or isinstance(stated, datetime):
        return None if stated is None else _told(stated, _zone(ended))
    # Of whole days the end that is stated is the day after the last, where there is one.
    last = stated - timedelta(days=1)
    told = _told(max(last, start) if type(start) is date else last, "")
    return replace(told, instant=_told(stated, "").instant)


def _lasting(start: date | None, duration: object) -> date | None:
    """The end of what lasts so long: days go by the calendar, hours by the clock."""
    from icalendar import vDDDTypes

    first = _first(duration)
    length = first.dt if isinstance(first, vDDDTypes) else None
    if start is None or not isinstance(length, timedelta):
        return None
    if not isinstance(start, datetime) or start.tzinfo is None:
        return start + length
    by_calendar = (start + timedelta(days=length.days)).astimezone(UTC)
    return (by_calendar + timedelta(seconds=length.seconds)).astimezone(start.tzinfo)


def _instance(value: object, began: object) -> str:
    """The instance in UTC: one that was written without a zone is in that of the beginning."""
    stated, start = _time(value), _time(began)
    if stated is None:
        return ""
    if not isinstance(stated, datetime):
        return stated.isoformat()
    if stated.tzinfo is None and isinstance(start, datetime):
        stated = stated.replace(tzinfo=start.tzinfo)
    return stated.isoformat() if stated.tzinfo is None else stated.astimezone(UTC).isoformat()
