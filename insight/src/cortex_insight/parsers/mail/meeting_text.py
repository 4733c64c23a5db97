"""A meeting in words, line by line, and the claims whose evidence these lines are."""

from collections.abc import Iterator, Sequence

from roxabi_contracts import Claim
from roxabi_contracts.payloads import TimePrecision, Validity

from cortex_insight.parsers.mail.meetings import ANSWERS, Guest, Meeting

_UNNAMED = "a meeting"


def title_of(meeting: Meeting) -> str:
    """What it is, in a line."""
    name = meeting.summary or _UNNAMED
    if meeting.is_cancelled:
        return f"Cancelled: {name}"
    if meeting.method == "CANCEL":
        return f"Invitation withdrawn: {name}"
    return f"Invitation: {name}" if meeting.method == "REQUEST" else f"Meeting: {name}"


def answer_of(meeting: Meeting, guest: Guest) -> str:
    """What a guest answers, in a line."""
    return f"{guest.told} {ANSWERS[guest.answer]}: {meeting.summary or _UNNAMED}"


def details_of(meeting: Meeting, guests: Sequence[Guest]) -> Iterator[str]:
    """A line for each thing that is stated."""
    host, end = meeting.organiser, meeting.end
    lines = [
        ("Start", meeting.start.told if meeting.start else ""),
        ("Last day" if end and end.is_day else "End", end.told if end else ""),
        ("Repeats", meeting.rule),
        ("Instance", meeting.instance),
        ("Place", meeting.place),
        ("Organiser", host.told if host else ""),
    ]
    yield from (f"{name}: {value}" for name, value in lines if value)
    yield from (_guest_line(one) for one in guests)
    yield from (f"Booked: {one.told}" for one in meeting.guests if one.is_place)


def claims_of(meeting: Meeting, people: Sequence[bool]) -> Iterator[Claim]:
    """What holds of the organiser's meeting, and who is said to come.

    Args:
        meeting: A meeting that takes place.
        people: Whether the organiser, and then each guest who is told of, is a person.
    """
    if not meeting.summary:
        return
    host = meeting.organiser
    if host is not None and people[0]:
        yield _of_event(
            meeting, "meeting_organiser", host.name or host.told, "Organiser", host.told
        )
        if meeting.start:
            yield _of_event(meeting, "meeting_time", meeting.start.told, "Start")
        if meeting.place:
            yield _of_event(meeting, "meeting_place", meeting.place, "Place")
    for index, guest in enumerate(meeting.invited[: len(people) - 1], start=1):
        if guest.answer == "ACCEPTED" and people[index]:
            yield from attendance(meeting, index, _guest_line(guest))


def attendance(meeting: Meeting, about: int, evidence: str) -> Iterator[Claim]:
    """That somebody comes, up to the end of the meeting; of a series no end is known."""
    end = None if meeting.rule else meeting.end
    until = end.instant if end else None
    if meeting.summary:
        yield Claim(
            about=about, predicate="attends", value={"value": meeting.summary}, evidence=evidence,
            valid=Validity(
                until=until,
                precision=TimePrecision.DAY if end and end.is_day else TimePrecision.MINUTE,
            ) if until else None,
        )  # fmt: skip


def _of_event(
    meeting: Meeting, predicate: str, value: str, line: str, told: str | None = None
) -> Claim:
    return Claim(
        about=0, predicate=predicate, value={"value": value},
        qualifiers={"event": meeting.summary}, evidence=f"{line}: {told or value}",
    )  # fmt: skip


def _guest_line(guest: Guest) -> str:
    answer = f" ({ANSWERS[guest.answer]})" if guest.answer in ANSWERS else ""
    return f"Guest: {guest.told}{answer}"
