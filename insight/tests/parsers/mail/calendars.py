"""Calendars written for tests, the mails that bring them, and what the lake makes of them."""

import base64

from roxabi_contracts import Claim, Observation

from .letters import emails, parts, readings, said

TEXT = "Content-Type: text/plain; charset=utf-8\n\nPlease come.\n"
TOM = "ORGANIZER;CN=Tom Reed:mailto:tom@example.net"
ADA = "ATTENDEE;CN=Ada Owner;PARTSTAT=NEEDS-ACTION:mailto:owner@example.org"
ZOE = 'ATTENDEE;CN="Zoë, K.";PARTSTAT=ACCEPTED:MAILTO:zoe@x.org'
USUAL = {
    "UID": "UID:m-1",
    "DTSTAMP": "DTSTAMP:20260303T080000Z",
    "SUMMARY": "SUMMARY:Budget review",
    "DTSTART": "DTSTART;TZID=Europe/Berlin:20260310T100000",
    "DTEND": "DTEND;TZID=Europe/Berlin:20260310T110000",
    "ORGANIZER": TOM,
    "ATTENDEE": f"{ADA}\n{ZOE}",
}


def calendar(
    method: str | None = "REQUEST", /, more: str | None = None, **lines: str | None
) -> str:
    """A calendar; a line that is given replaces the usual one, null removes it."""
    told = [line for line in {**USUAL, **lines}.values() if line is not None]
    head = [f"METHOD:{method}"] if method else []
    event = ["BEGIN:VEVENT", *told, "END:VEVENT", *([more] if more else [])]
    return "\n".join(["BEGIN:VCALENDAR", "VERSION:2.0", *head, *event, "END:VCALENDAR", ""])


def plain_part(content: str) -> str:
    """A calendar in a part that holds it as it is."""
    return f"Content-Type: text/calendar; charset=utf-8\n\n{content}"


def part(content: str | bytes, kind: str = "text/calendar; charset=utf-8") -> str:
    """A calendar in a part that is encoded for transfer."""
    encoded = base64.encodebytes(content if isinstance(content, bytes) else content.encode())
    return f"Content-Type: {kind}\nContent-Transfer-Encoding: base64\n\n{encoded.decode()}"


def invitation(*calendars: str | bytes, **header: str | None) -> bytes:
    """A mail with words and calendars."""
    return parts("alternative", TEXT, *(part(one) for one in calendars), **header)


def stated(*mails: bytes) -> list[Observation]:
    """What the calendars of mails say."""
    return [one for one in said(*mails) if one.correlation.attributes.get("part") == "calendar"]


def the_only(*mails: bytes) -> Observation:
    """The one thing that they say."""
    (one,) = stated(*mails)
    return one


def claims(one: Observation) -> dict[tuple[str, object], object]:
    """The value of each predicate, by the address of whom it is about."""
    addresses = emails(one)
    return {
        (claim.predicate, addresses[claim.about]): claim.value["value"]
        for claim in one.payload.claims
        if isinstance(claim.about, int)
    }


def claim(one: Observation, predicate: str) -> Claim:
    """The first claim of that name."""
    return next(each for each in one.payload.claims if each.predicate == predicate)


def start(line: str, more: str = "", **lines: str | None) -> str:
    """How the text tells the beginning."""
    text = the_only(invitation(calendar(DTSTART=line, DTEND=None, more=more, **lines))).payload.text
    return next(one for one in text.split("\n") if one.startswith("Start: "))


def left_out(*mails: bytes) -> dict[str, int]:
    """How often what of a mail was not read, by the reason."""
    (reading,) = readings(*mails)
    assert reading.reject is None
    return dict(reading.unknown_types)
