"""What a note says, piece by piece, and what a later version has taken out of it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    Decision,
    Identifier,
    Origin,
    Payload,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import DecisionStatus, SpeechAct, TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.markdown.dates import day_in, midnight
from cortex_insight.parsers.markdown.decisions import stated_in, status_of
from cortex_insight.parsers.markdown.front_matter import all_of, first_of
from cortex_insight.parsers.markdown.inline import link_text
from cortex_insight.parsers.markdown.note import Note, Piece, stated_day
from cortex_insight.parsers.markdown.tasks import read_tasks, task_claims
from cortex_insight.parsers.records import capped, read_time

_TOPICS_AT_MOST: Final = 24
_PEOPLE_AT_MOST: Final = 40
_PRESENT: Final = ("attendees", "attendee", "participants", "participant", "people", "present")


def drafts_of(
    note: Note, versions: Sequence[Note], owner: ActorRef, context: ParseContext
) -> Iterator[Draft]:
    """All that a version of a note says, and what it no longer says.

    Args:
        note: The version.
        versions: The others that are known.
        owner: Whose note it is.
        context: Of its event.
    """
    by_time = sorted((one for one in versions if one.modified_at), key=_time)
    earlier = [one for one in by_time if note.modified_at and _time(one) < note.modified_at]
    digests = [{piece.ref: piece.digest for piece in one.pieces} for one in earlier]
    nearest = {piece.path: piece.ref for piece in reversed(note.pieces) if piece.lines}
    for index, piece in enumerate(note.pieces):
        since = _since(note, piece, [*zip(earlier, digests, strict=True)])
        parent = _parent(piece, nearest)
        yield _said(note, piece, index, since, parent, owner, context)
    yield from _taken_out(note, earlier, owner, context)


def revision_of(note: Note) -> int:
    """Which version is newer: by its own word, if that is as exact as a clock, else the file's."""
    stated = first_of(note.front, "updated", "modified", "last_modified", "lastmod", "updated_at")
    told = read_time(stated, TimeSource.RECORD) if stated else None
    if told is not None and told.moment is not None and told.precision is not TimePrecision.DAY:
        return max(0, epoch_ms(told.moment))
    return max(0, epoch_ms(note.modified_at)) if note.modified_at else 0


def _since(note: Note, piece: Piece, earlier: Sequence[tuple[Note, Mapping[str, str]]]) -> Note:
    """The first of the versions that have said it like this ever since.

    Args:
        note: This version.
        piece: Of it.
        earlier: The versions before, with the digest of each of their pieces.
    """
    first = note
    for one, digests in reversed(earlier):
        if piece.ref not in digests and not one.is_whole:
            continue
        if digests.get(piece.ref) != piece.digest:
            break
        first = one
    return first


def _taken_out(
    note: Note, earlier: Sequence[Note], owner: ActorRef, context: ParseContext
) -> Iterator[Draft]:
    """What an earlier version says and this one does not, if they are the same note at all."""
    own = {piece.ref for piece in note.pieces}
    if not note.is_whole:
        return
    gone: dict[str, None] = {}
    for one in earlier:
        refs = [piece.ref for piece in one.pieces]
        if one.is_whole and own & set(refs):
            gone |= dict.fromkeys(ref for ref in refs if ref not in own)
    timestamp, time = _when(note, None, note, context)
    for ref in gone:
        yield Draft(
            payload=Statement(text="", time=time), source_ref=ref, timestamp=timestamp,
            actors=(owner,), subject=0, correlation=Correlation(trace_id=note.name),
            revision=revision_of(note), deleted=True,
        )  # fmt: skip


def _said(
    note: Note, piece: Piece, index: int, since: Note, parent: str | None, owner: ActorRef,
    context: ParseContext,
) -> Draft:  # fmt: skip
    timestamp, time = _when(note, piece, since, context)
    own = note.belongs_to(owner)
    actors, subject = _actors(note, piece, owner)
    text, cut = capped(piece.text)
    payload = _payload(note, piece, text, time, actors, own=own)
    day = piece.day or stated_day(note)
    heading = " > ".join(piece.path)
    return Draft(
        payload=payload,
        source_ref=piece.ref,
        timestamp=timestamp,
        actors=actors,
        subject=subject,
        speaker=0 if own and piece.decision is None and not note.is_manual else None,
        origin=None if own else Origin.THIRD_PARTY,
        topic=_topics(note, piece) or None,
        correlation=Correlation(
            trace_id=note.name,
            parent_ref=parent,
            episode_id=f"{note.name}#{day}" if day else note.name,
            attributes=cut | ({"heading": heading[:500]} if heading else {}),
        ),
        sequence=index + 100_000 * note.part,
        revision=revision_of(note),
    )


def _payload(
    note: Note, piece: Piece, text: str, time: TimeNote, actors: Sequence[ActorRef], *, own: bool
) -> Payload:
    tasks = tuple(read_tasks(piece.lines)) if own else ()
    claims = tuple(claim for claim in task_claims(tasks, 0) if claim.evidence in text)
    if piece.decision is None or not piece.decision.strip() or not text.strip():
        return Statement(text=text, time=time, claims=claims, speech_act=_act(piece, claims))
    record = piece.record
    stated = stated_in(piece.lines, "status", "statut") or first_of(note.front, "status") or ""
    authors = [index for index, one in enumerate(actors) if one.role is ActorRole.AUTHOR]
    return Decision(
        text=text, time=time, claims=claims, decision=piece.decision[:500],
        status=record.status if record else status_of(stated) or DecisionStatus.ACCEPTED,
        rationale=record.rationale if record else None,
        alternatives=record.alternatives if record else (),
        decided_by=authors[0] if len(authors) == 1 else None,
    )  # fmt: skip


def _act(piece: Piece, claims: Sequence[Claim]) -> SpeechAct:
    """A list of what is to be done is a commitment; prose with a task in it is not."""
    filled = sum(bool(line.strip()) for line in piece.lines)
    promised = sum(claim.predicate == "commitment" for claim in claims)
    return SpeechAct.COMMITMENT if promised * 2 > filled else SpeechAct.ASSERTION


def _when(
    note: Note, piece: Piece | None, since: Note, context: ParseContext
) -> tuple[int, TimeNote]:
    """The day of the headings, of the front matter, of the name; else how long it stands there."""
    recorded = piece.record.day if piece is not None and piece.record is not None else None
    named = stated_day(note)
    stated = [
        _day(piece.day, TimeSource.RECORD) if piece is not None and piece.day else None,
        _stated(recorded),
        _stated(first_of(note.front, "date", "day")),
        _day(named, TimeSource.ENVELOPE) if named else None,
        _stated(first_of(since.front, "updated", "modified", "last_modified", "lastmod",
                         "updated_at", "last_edited_time")),
        _stated(first_of(note.front, "created", "created_at", "created_time", "date_created")),
        _file_time(since.modified_at),
    ]  # fmt: skip
    return resolve_time([one for one in stated if one is not None], context.received_at)


def _stated(text: str | None) -> Bound | None:
    if text is None:
        return None
    exact = read_time(link_text(text), TimeSource.RECORD)
    if exact is not None:
        return exact
    day = day_in(text)
    return _day(day, TimeSource.RECORD) if day else None


def _day(day: date, source: TimeSource) -> Bound:
    return Bound(midnight(day), source, TimePrecision.DAY, assumed=True)


def _file_time(moment: datetime | None) -> Bound | None:
    return Bound(moment, TimeSource.FILE, TimePrecision.SECOND, assumed=True) if moment else None


def _time(note: Note) -> datetime:
    assert note.modified_at is not None
    return note.modified_at


def _actors(note: Note, piece: Piece, owner: ActorRef) -> tuple[tuple[ActorRef, ...], int]:
    """Who wrote it or decided, who was there, who is mentioned; the owner among them."""
    own = note.belongs_to(owner)
    first = [owner.model_copy(update={"role": ActorRole.AUTHOR})] if own else _authors(note)
    deciders = piece.record.deciders if piece.record is not None else ()
    if deciders:
        first = [_person(name, ActorRole.AUTHOR, owner) for name in deciders]
    present = [name for one in all_of(note.front, *_PRESENT) for name in _names(one)]
    named = {
        (one.name, one.identifiers): one
        for one in (
            *first,
            *(_person(name, ActorRole.PARTICIPANT, owner) for name in reversed(present)),
            *(_person(name, ActorRole.MENTIONED, owner) for name in piece.inline.mentions),
        )
    }
    actors = list(named.values())[:_PEOPLE_AT_MOST]
    for index, one in enumerate(actors):
        if one.identifiers == owner.identifiers:
            return tuple(actors), index
    return (*actors, owner.model_copy(update={"role": ActorRole.OWNER})), len(actors)


def _authors(note: Note) -> list[ActorRef]:
    if note.authors:
        return [_person(name, ActorRole.AUTHOR, None) for name in note.authors[:10]]
    page = note.page
    return [ActorRef(kind=ActorKind.ORGANISATION, role=ActorRole.AUTHOR, name=page)] if page else []


def _person(text: str, role: ActorRole, owner: ActorRef | None) -> ActorRef:
    address = re.search(r"[^\s<>()\[\]]+@[^\s<>()\[\]]+\.[^\s<>()\[\]]+", text)
    name = re.sub(r"[<(\[][^<>()\[\]]*[>)\]]", "", text).strip(" @*_") or None
    keys = (Identifier(scheme="email", value=address[0][:320]),) if address else ()
    if address and name and "@" in name:
        name = None
    one = ActorRef(kind=ActorKind.PERSON, role=role, name=name[:512] if name else None,
                   identifiers=keys)  # fmt: skip
    if owner is None:
        return one
    own = {key.value.casefold() for key in owner.identifiers}
    is_own = not own.isdisjoint(key.value.casefold() for key in keys)
    return owner.model_copy(update={"role": role}) if is_own else one


def _names(text: str) -> list[str]:
    return [name for part in re.split(r"\s*[,;]\s*", text) if (name := link_text(part).strip())]


def _parent(piece: Piece, nearest: Mapping[tuple[str, ...], str]) -> str | None:
    """The nearest piece above that says something.

    Args:
        piece: Below it.
        nearest: By the headings that a piece stands under: its reference.
    """
    above = (piece.path[:length] for length in range(len(piece.path) - 1, -1, -1))
    return next((nearest[path] for path in above if path in nearest), None)


def _topics(note: Note, piece: Piece) -> tuple[str, ...]:
    named = (
        note.title, *piece.path, *note.tags, *all_of(note.front, "aliases", "alias"),
        *piece.inline.tags, *piece.inline.links,
    )  # fmt: skip
    topics = dict.fromkeys(text.strip()[:200] for text in map(link_text, named) if text.strip())
    return tuple(topics)[:_TOPICS_AT_MOST]
