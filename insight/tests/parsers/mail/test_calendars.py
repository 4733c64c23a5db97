"""What calendars state, whatever their writer made of the format."""

import subprocess
import sys
from datetime import UTC, datetime
from email import message_from_bytes

import pytest
from cortex_insight.parsers.mail.calendars import read_meetings
from cortex_insight.parsers.mail.meetings import Meeting
from cortex_insight.testing.mutation import mutated
from hypothesis import given, settings
from roxabi_contracts import ActorKind

from .calendars import ADA, calendar, claim, invitation, left_out, start, stated, the_only
from .letters import emails, said

CALENDAR_PART = b"Content-Type: text/calendar\n\n"


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("DTSTART:20260310T090000Z", "2026-03-10 09:00 UTC"),
        ("DTSTART;TZID=Europe/Berlin:20260710T100000",
         "2026-07-10 10:00 +02:00 (Europe/Berlin)"),
        ("DTSTART;TZID=W. Europe Standard Time:20260710T100000",
         "2026-07-10 10:00 +02:00 (W. Europe Standard Time)"),
        ('DTSTART;TZID="Pacific Standard Time":20260110T100000',
         "2026-01-10 10:00 -08:00 (Pacific Standard Time)"),
        ("DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260710T100000",
         "2026-07-10 10:00 +02:00 (Europe/Berlin)"),
        ("DTSTART:20260310T100000", "2026-03-10 10:00 (no zone is stated)"),
        ("DTSTART;TZID=Customized Time Zone:20260310T100000",
         "2026-03-10 10:00 (Customized Time Zone, a zone that is not known)"),
        ("DTSTART;VALUE=DATE:20260310", "2026-03-10"),
    ],
)  # fmt: skip
def test_a_time_keeps_its_zone(line: str, told: str) -> None:
    assert start(line) == f"Start: {told}"


def zone(offset: str, rule: str = "") -> str:
    """The definition of a zone, below the meeting that is in it."""
    lines = ["BEGIN:VTIMEZONE", "TZID:Customized Time Zone", "BEGIN:STANDARD"]
    lines += ["DTSTART:16010101T000000", f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}"]
    return "\n".join([*lines, *([rule] if rule else []), "END:STANDARD", "END:VTIMEZONE"])


def test_a_zone_is_what_its_own_calendar_defines() -> None:
    """Whatever another calendar meant by the same name before."""
    line = "DTSTART;TZID=Customized Time Zone:20260310T100000"
    told = "Start: 2026-03-10 10:00"
    assert start(line, zone("+0330")) == f"{told} +03:30 (Customized Time Zone)"
    yearly = zone("-0500", "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11")
    assert start(line, yearly) == f"{told} -05:00 (Customized Time Zone)"
    assert start(line) == f"{told} (Customized Time Zone, a zone that is not known)"


@pytest.mark.parametrize(
    "rule",
    [
        "FREQ=SECONDLY",
        "FREQ=YEARLY;BYSECOND=1",
        "FREQ=YEARLY;INTERVAL=0",
        "FREQ=YEARLY;BYDAY=MO,TU",
        "\nRRULE:".join(["FREQ=YEARLY"] * 41),
    ],
)
def test_a_zone_whose_rules_take_long_to_count_is_not_known(rule: str) -> None:
    line = "DTSTART;TZID=Customized Time Zone:20260310T100000"
    assert start(line, zone("+0330", f"RRULE:{rule}")).endswith("a zone that is not known)")


@pytest.mark.parametrize(
    ("lines", "told", "until"),
    [
        ({"DTSTART": "DTSTART;VALUE=DATE:20260310", "DTEND": "DTEND;VALUE=DATE:20260312"},
         "Last day: 2026-03-11", datetime(2026, 3, 12, tzinfo=UTC)),
        ({"DTSTART": "DTSTART;VALUE=DATE:20260310", "DTEND": "DTEND;VALUE=DATE:20260310"},
         "Last day: 2026-03-10", datetime(2026, 3, 10, tzinfo=UTC)),
        ({"DTEND": "DURATION:PT90M"},
         "End: 2026-03-10 11:30 +01:00 (Europe/Berlin)", datetime(2026, 3, 10, 10, 30, tzinfo=UTC)),
        ({"DTSTART": "DTSTART;TZID=Europe/Berlin:20260329T013000", "DTEND": "DURATION:PT1H"},
         "End: 2026-03-29 03:30 +02:00 (Europe/Berlin)", datetime(2026, 3, 29, 1, 30, tzinfo=UTC)),
        ({"DTSTART": "DTSTART;TZID=Europe/Berlin:20260328T100000", "DTEND": "DURATION:P1D"},
         "End: 2026-03-29 10:00 +02:00 (Europe/Berlin)", datetime(2026, 3, 29, 8, tzinfo=UTC)),
        ({"DTSTART": "DTSTART:20260310T100000", "DTEND": "DTEND:20260310T110000"},
         "End: 2026-03-10 11:00 (no zone is stated)", None),
    ],
)  # fmt: skip
def test_an_end_is_where_the_calendar_puts_it(
    lines: dict[str, str], told: str, until: datetime | None
) -> None:
    one = the_only(invitation(calendar(**lines)))
    assert told in one.payload.text.split("\n")
    valid = claim(one, "attends").valid
    assert (valid.valid_until if valid else None) == until


def test_a_series_is_one_meeting_with_its_rule_and_no_end() -> None:
    one = the_only(invitation(calendar(RRULE="RRULE:FREQ=WEEKLY;BYDAY=TU")))
    assert "Repeats: FREQ=WEEKLY;BYDAY=TU" in one.payload.text
    assert claim(one, "attends").valid is None


@pytest.mark.parametrize("kind", ["ROOM", "RESOURCE", "room"])
def test_a_room_is_nobody(kind: str) -> None:
    room = f"ATTENDEE;CN=Room 4;CUTYPE={kind};PARTSTAT=ACCEPTED:mailto:room4@example.net"
    one = the_only(invitation(calendar(ATTENDEE=f"{ADA}\n{room}")))
    assert emails(one) == ["tom@example.net", "owner@example.org"]
    assert "Booked: Room 4 <room4@example.net>" in one.payload.text
    assert "attends" not in {each.predicate for each in one.payload.claims}


def test_a_group_takes_part_in_nothing() -> None:
    group = "ATTENDEE;CN=Board;CUTYPE=GROUP;PARTSTAT=ACCEPTED:mailto:board@example.net"
    one = the_only(invitation(calendar(ATTENDEE=f"{ADA}\n{group}")))
    assert one.actors[2].kind is ActorKind.GROUP
    assert "attends" not in {each.predicate for each in one.payload.claims}


@pytest.mark.parametrize(
    ("line", "name", "email"),
    [
        ("ATTENDEE;CN=zoe@x.org:mailto:zoe@X.org", None, "zoe@x.org"),
        ("ATTENDEE;CN=Zoe:invalid:nomail", "Zoe", None),
        ("ATTENDEE;CN=Zoe;EMAIL=zoe@x.org:/principals/17/", "Zoe", "zoe@x.org"),
        ("ATTENDEE;CN=\"'Zoe K.'\":MAILTO:zoe@x.org", "Zoe K.", "zoe@x.org"),
    ],
)
def test_a_guest_has_the_name_and_address_that_are_stated(
    line: str, name: str | None, email: str | None
) -> None:
    one = the_only(invitation(calendar(ATTENDEE=f"{ADA}\n{line}")))
    assert (one.actors[2].name, emails(one)[2]) == (name, email)


def test_an_organiser_who_is_also_a_guest_is_one_person() -> None:
    own = "ATTENDEE;CN=Tom Reed;PARTSTAT=ACCEPTED:mailto:tom@example.net"
    one = the_only(invitation(calendar(ATTENDEE=f"{own}\n{ADA}\n{ADA}")))
    assert emails(one) == ["tom@example.net", "owner@example.org"]


def test_a_fold_may_cut_a_character() -> None:
    content = calendar(SUMMARY="SUMMARY:Café").encode()
    cut = content.replace("é".encode(), b"\xc3\r\n \xa9")
    assert the_only(invitation(b"\xef\xbb\xbf" + cut)).payload.text.startswith("Invitation: Café\n")


def test_several_calendars_in_a_part_are_all_read() -> None:
    both = calendar() + "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:m-2\nDTSTART:20260311\nEND:VCALENDAR\n"
    both += calendar(UID="UID:m-3", more="BEGIN:VEVENT\nUID:m-4\nDTSTART:soon\nEND:VEVENT")
    found = stated(invitation(both))
    assert [one.source_ref.rpartition("/")[2] for one in found] == ["m-1", "m-3"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("junk", "calendar:broken"),
        (calendar().replace("END:VEVENT\n", ""), "calendar:broken"),
        (calendar(DTSTART="DTSTART:soon", DTEND=None), "calendar:no_start"),
        (calendar(DTSTART=None, DTEND=None), "calendar:no_start"),
        ("BEGIN:VCALENDAR\nVERSION:2.0\nEND:VCALENDAR\n", "calendar:no_meeting"),
        (calendar("COUNTER"), "calendar:method_counter"),
        (calendar("Ada's secret"), "calendar:method_unknown"),
        (calendar(DTSTART=f"DTSTART;TZID={'x' * 300}:20260310T100000"), "calendar:broken"),
        ("BEGIN:VCALENDAR\n" + "X" * 300_000, "calendar:too_long"),
    ],
)
def test_what_cannot_be_read_is_left_out_and_counted(content: str, reason: str) -> None:
    """The mail itself is read, whatever came with it."""
    assert left_out(invitation(content)) == {reason: 1}
    (words,) = said(invitation(content))
    assert words.payload.text == "Please come."


def test_a_broken_meeting_leaves_its_neighbour() -> None:
    broken = "BEGIN:VEVENT\nUID:m-2\nDTSTART:soon\nEND:VEVENT"
    sent = invitation(calendar(more=broken))
    assert left_out(sent) == {"calendar:no_start": 1}
    assert len(stated(sent)) == 1


def test_of_many_meetings_the_rest_is_counted() -> None:
    events = "\n".join(
        f"BEGIN:VEVENT\nUID:x-{index}\nDTSTART:20260310T090000Z\nEND:VEVENT" for index in range(24)
    )
    sent = invitation(calendar(more=events))
    assert left_out(sent) == {"calendar:more_meetings": 5}
    assert len(stated(sent)) == 20


@given(content=mutated(calendar(more=zone("+0330"), RRULE="RRULE:FREQ=DAILY").encode()))
@settings(max_examples=200, deadline=None)
def test_no_calendar_is_too_broken(content: bytes) -> None:
    """What cannot be read of it is counted, never raised."""
    meetings, left_out = read_meetings((message_from_bytes(CALENDAR_PART + content),))
    assert meetings or left_out


def test_of_many_calendars_the_rest_is_counted() -> None:
    sent = invitation("".join(calendar(UID=f"UID:{index}") for index in range(25)))
    assert left_out(sent) == {"calendar:more_calendars": 5}
    assert len(stated(sent)) == 20


def test_a_mail_without_a_calendar_leaves_nothing_out() -> None:
    none: tuple[tuple[Meeting, ...], dict[str, int]] = ((), {})
    assert read_meetings(()) == none


def test_who_has_no_calendars_holds_no_reader_of_them() -> None:
    code = "import sys, cortex_insight.parsers; sys.exit('icalendar' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
