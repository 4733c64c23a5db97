"""What calendars in a mail say: who calls a meeting, when it is, who comes and who does not."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Artifact,
    Correlation,
    Decision,
    Origin,
    Payload,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import DecisionStatus, TimePrecision, TimeSource

from cortex_insight.parser import Draft
from cortex_insight.parsers.mail.addresses import read_addresses
from cortex_insight.parsers.mail.correspondents import RECIPIENTS_AT_MOST, as_owner, person
from cortex_insight.parsers.mail.letter import Letter
from cortex_insight.parsers.mail.meeting_text import (
    answer_of,
    attendance,
    claims_of,
    details_of,
    title_of,
)
from cortex_insight.parsers.mail.meetings import Guest, Meeting
from cortex_insight.parsers.mail.parts import raw_header
from cortex_insight.parsers.records import capped

_STATUS: Final = {
    "ACCEPTED": DecisionStatus.ACCEPTED,
    "DECLINED": DecisionStatus.REJECTED,
    "TENTATIVE": DecisionStatus.PROPOSED,
}
_LONGEST_UID: Final = 400
_TOLERANCE: Final = 86_400_000
_SEQUENCE_STEP: Final = 2**33
"""More than the seconds of any `DTSTAMP`: a higher `SEQUENCE` is newer, whatever the clock said."""


@dataclass(frozen=True)
class _Place:
    """Where a record of a meeting stands: under its own name, or only as part of the mail."""

    ref: str
    timestamp: int
    time: TimeNote
    trace: str
    parent: str | None
    revision: int
    origin: Origin | None


def meeting_drafts(letter: Letter, meetings: tuple[Meeting, ...]) -> Iterator[Draft]:
    """An artifact for each meeting that is called or cancelled, a decision for each answer."""
    seen: set[tuple[str, int]] = set()
    for index, meeting in enumerate(meetings):
        replies = meeting.method == "REPLY"
        found = (
            _answers(letter, meeting, index) if replies else [_invitation(letter, meeting, index)]
        )
        for draft in found:
            if (draft.source_ref, draft.revision) not in seen:
                seen.add((draft.source_ref, draft.revision))
                yield draft


def _invitation(letter: Letter, meeting: Meeting, index: int) -> Draft:
    host, owner = meeting.organiser, letter.owner
    shown = meeting.invited[:RECIPIENTS_AT_MOST]
    author = _actor(host, ActorRole.AUTHOR, owner) if host else letter.people.author
    actors = (author, *(_actor(one, ActorRole.RECIPIENT, owner) for one in shown))
    place = _place(letter, meeting, host, f"{letter.ref[:900]}/calendar/{index}", "calendar")
    text, cut = capped("\n".join([title_of(meeting), *details_of(meeting, shown)]))
    people = [one.kind is ActorKind.PERSON for one in actors]
    payload = Artifact(
        text=text, time=place.time, kind="meeting",
        claims=() if meeting.is_gone else tuple(claims_of(meeting, people)),
        action="deleted" if meeting.is_gone else "modified" if meeting.sequence else "created",
        title=meeting.summary or None,
    )  # fmt: skip
    more = len(meeting.invited) - len(shown)
    return _draft(meeting, payload, place, actors, owner, cut | {"more_guests": str(more or "")})


def _answers(letter: Letter, meeting: Meeting, index: int) -> Iterator[Draft]:
    """A decision of each who answers: in an answer nobody else is named."""
    for guest in meeting.answering:
        author = _actor(guest, ActorRole.AUTHOR, letter.owner)
        whose = guest.email or guest.told
        apart = f"{letter.ref[:600]}/calendar/{index}/{whose[:320]}"
        place = _place(letter, meeting, guest, apart, "calendar/reply")
        said = answer_of(meeting, guest)
        comes = guest.answer == "ACCEPTED" and author.kind is ActorKind.PERSON
        payload = Decision(
            text="\n".join([said, *details_of(meeting, ())]), time=place.time, decision=said,
            status=_STATUS[guest.answer], decided_by=0,
            claims=tuple(attendance(meeting, 0, said)) if comes else (),
        )  # fmt: skip
        host = meeting.organiser
        others = (host,) if host is not None and host.email != guest.email else ()
        hosts = (_actor(one, ActorRole.RECIPIENT, letter.owner) for one in others)
        yield _draft(meeting, payload, place, (author, *hosts), letter.owner, {})


def _place(
    letter: Letter, meeting: Meeting, speaker: Guest | None, apart: str, kind: str
) -> _Place:
    """By the meeting's own name only what comes from whoever has the say in it.

    Else anybody who knows the name could revise it; what they send stays a part of their mail.
    """
    stamped = meeting.stamped
    senders = {
        one.email.casefold() for one in read_addresses(raw_header(letter.mail, "from")) if one.email
    }
    email = (speaker.email or "").casefold() if speaker else ""
    named = 0 < len(meeting.uid) <= _LONGEST_UID
    if (
        not named
        or email not in senders
        or letter.is_doubtful
        or stamped is None
        or not 0 <= epoch_ms(stamped) <= letter.timestamp + _TOLERANCE
    ):
        doubtful = Origin.UNTRUSTED if letter.is_doubtful else Origin.THIRD_PARTY
        return _Place(apart, letter.timestamp, letter.time, letter.trace, letter.ref, 0, doubtful)
    at = epoch_ms(stamped)
    return _Place(
        ref="/".join(one for one in (kind, email, meeting.uid, meeting.instance) if one),
        timestamp=at,
        time=TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD),
        trace=f"calendar/{meeting.uid}",
        parent=None,
        revision=meeting.sequence * _SEQUENCE_STEP + at // 1000,
        origin=None,
    )


def _draft(
    meeting: Meeting, payload: Payload, place: _Place, actors: tuple[ActorRef, ...],
    owner: ActorRef, notes: dict[str, str],
) -> Draft:  # fmt: skip
    own = [index for index, one in enumerate(actors) if one.identifiers == owner.identifiers]
    if not own:
        actors = (*actors, owner.model_copy(update={"role": ActorRole.OWNER}))
    stated = {"part": "calendar", **notes, "method": meeting.method.lower()}
    return Draft(
        payload=payload,
        source_ref=place.ref,
        timestamp=place.timestamp,
        actors=actors,
        subject=own[0] if own else len(actors) - 1,
        origin=place.origin,
        topic=(meeting.summary,) if meeting.summary else None,
        correlation=Correlation(
            trace_id=place.trace,
            parent_ref=place.parent,
            episode_id=place.trace,
            attributes={name: value for name, value in stated.items() if value},
        ),
        sequence=meeting.sequence,
        revision=place.revision,
    )


def _actor(guest: Guest, role: ActorRole, owner: ActorRef) -> ActorRef:
    drawn = person(guest.name, guest.email, role)
    if guest.is_group:
        drawn = drawn.model_copy(update={"kind": ActorKind.GROUP})
    return as_owner(drawn, owner, role) or drawn
