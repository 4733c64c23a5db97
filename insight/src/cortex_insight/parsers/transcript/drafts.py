"""What a turn says and who was there; and the meeting as a thing of its own."""

import re
from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Artifact,
    Correlation,
    Interaction,
    Payload,
    RawEvent,
    TimeNote,
)
from roxabi_contracts.payloads import Direction, TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.records import as_text, capped, read_time
from cortex_insight.parsers.transcript.names import is_label, is_owner, speaker_name
from cortex_insight.parsers.transcript.record import Turn
from cortex_insight.parsers.transcript.splitting import FILE_TIME

_ATTENDEES_AT_MOST: Final = 100
_MACHINE: Final = re.compile(
    r".*\b(?:notetaker|note taker|otter\.ai|fireflies|read\.ai|copilot|assistant|bot)\b.*", re.I
)
_ROOM: Final = re.compile(r".*\b(?:conference|meeting|board) ?room\b.*|salle .*", re.I)


def draft_of(turn: Turn, event: RawEvent, owner: ActorRef, speakers: Iterable[str],
             context: ParseContext) -> Draft:  # fmt: skip
    """A turn in its meeting, beside all who spoke there."""
    timestamp, note = _when(turn, event, context)
    author = speaker_actor(turn.speaker, owner)
    actors, subject = _with_owner([author, *_attendees(speakers, owner, author)], owner)
    text, cut = capped(turn.text)
    own = author.identifiers == owner.identifiers
    payload = Interaction(
        text=text, time=note, channel="meeting",
        direction=Direction.OUTBOUND if own else Direction.INBOUND, thread=turn.meeting,
        reply_to=as_text(turn.fields.get("previous")),
    )  # fmt: skip
    known = author.kind is ActorKind.PERSON and (own or author.name is not None)
    return _draft(
        turn, event, payload, timestamp, actors, subject,
        speaker=0 if known else None, notes=cut | _label(turn),
    )  # fmt: skip


def meeting_draft(turn: Turn, event: RawEvent, owner: ActorRef, context: ParseContext) -> Draft:
    """The meeting itself: its name, and who spoke."""
    timestamp, note = _when(turn, event, context)
    named = turn.title or "untitled meeting"
    spoke = ", ".join(turn.speakers or ())
    text, cut = capped(f"{named}\nSpeakers: {spoke}" if spoke else named)
    actors, subject = _with_owner(_attendees(turn.speakers or (), owner, None), owner)
    payload = Artifact(text=text, time=note, kind="meeting", action="created", title=turn.title)
    return _draft(turn, event, payload, timestamp, actors, subject, speaker=None, notes=cut)


def speaker_actor(name: str | None, owner: ActorRef) -> ActorRef:
    """Somebody by name alone, which counts in this meeting; a number for a voice is no name."""
    if name is None:
        return ActorRef(kind=ActorKind.PERSON, role=ActorRole.AUTHOR)
    if is_owner(name):
        return owner.model_copy(update={"role": ActorRole.AUTHOR})
    kind = ActorKind.PERSON
    if _MACHINE.fullmatch(name):
        kind = ActorKind.BOT
    elif _ROOM.fullmatch(name):
        kind = ActorKind.GROUP
    shown = None if is_label(name) else (speaker_name(name) or name)[:512]
    return ActorRef(kind=kind, role=ActorRole.AUTHOR, name=shown)


def _label(turn: Turn) -> dict[str, str]:
    """The number of a voice that nobody named."""
    labelled = turn.speaker is not None and is_label(turn.speaker)
    return {"voice": turn.speaker[:200]} if labelled and turn.speaker else {}


def _attendees(speakers: Iterable[str], owner: ActorRef, author: ActorRef | None) -> list[ActorRef]:
    found = {
        (one.name, one.identifiers): one.model_copy(update={"role": ActorRole.PARTICIPANT})
        for one in (speaker_actor(name, owner) for name in speakers)
        if one.name is not None or one.identifiers
    }
    if author is not None:
        found.pop((author.name, author.identifiers), None)
    return list(found.values())[:_ATTENDEES_AT_MOST]


def _with_owner(actors: list[ActorRef], owner: ActorRef) -> tuple[tuple[ActorRef, ...], int]:
    for index, one in enumerate(actors):
        if one.identifiers == owner.identifiers:
            return tuple(actors), index
    return (*actors, owner.model_copy(update={"role": ActorRole.OWNER})), len(actors)


def _when(turn: Turn, event: RawEvent, context: ParseContext) -> tuple[int, TimeNote]:
    """The beginning of the recording and the place in it; of a bare day the place keeps order."""
    began = read_time(turn.fields.get("began"), TimeSource.ENVELOPE)
    exact, zoned = turn.fields.get("exact") is True, turn.fields.get("zoned") is True
    known = began.moment if began else None
    written = read_time(event.attributes.get(FILE_TIME), TimeSource.FILE)
    day = written.moment if written else None
    bounds: list[Bound] = []
    offset = timedelta(milliseconds=turn.start)
    try:
        if known is not None:
            precision = TimePrecision.SECOND if exact else TimePrecision.DAY
            bounds.append(
                Bound(known + offset, TimeSource.ENVELOPE, precision,
                      zone="UTC" if zoned else None, assumed=not zoned)
            )  # fmt: skip
        if day is not None:
            midnight = day.replace(hour=0, minute=0, second=0, microsecond=0)
            bounds.append(
                Bound(midnight + offset, TimeSource.FILE, TimePrecision.DAY, assumed=True)
            )
    except OverflowError:
        bounds = [one for one in bounds if one.moment is not None]
    published = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
    return resolve_time([*bounds, published], context.received_at)


def _draft(
    turn: Turn, event: RawEvent, payload: Payload, timestamp: int,
    actors: tuple[ActorRef, ...], subject: int, *, speaker: int | None, notes: dict[str, str],
) -> Draft:  # fmt: skip
    return Draft(
        payload=payload,
        source_ref=event.source_ref,
        timestamp=timestamp,
        actors=actors,
        subject=subject,
        speaker=speaker,
        topic=(turn.title[:200],) if turn.title else None,
        correlation=Correlation(
            trace_id=turn.meeting,
            parent_ref=as_text(turn.fields.get("previous")),
            episode_id=turn.meeting,
            attributes=notes,
        ),
        sequence=turn.start,
        revision=turn.end,
    )
