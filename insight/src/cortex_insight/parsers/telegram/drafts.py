"""What a message of Telegram says, and what it tells of who belongs where."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    Decision,
    Identifier,
    Interaction,
    Origin,
    Payload,
    RawEvent,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import (
    ClaimAction,
    DecisionStatus,
    Direction,
    TimePrecision,
    TimeSource,
)

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.records import capped, read_time
from cortex_insight.parsers.telegram.entry import ChatKind, Entry, Who
from cortex_insight.parsers.telegram.splitting import NOT_AFTER, NOT_BEFORE, OWN_PEER

ACCOUNT: Final = "account:telegram"
LAST_REVISION: Final = 2**53 - 1
"""Of a deletion, which says not when it was made: nothing comes after it."""


@dataclass(frozen=True)
class Place:
    """An entry with what its event and the lake know of it."""

    entry: Entry
    event: RawEvent
    owner: ActorRef
    timestamp: int
    time: TimeNote

    @classmethod
    def of(
        cls, entry: Entry, event: RawEvent, owner: ActorRef, context: ParseContext,
        original: Entry | None = None,
    ) -> "Place":  # fmt: skip
        """Place an entry in time; a deletion at that of the message that it deletes."""
        around = [
            read_time(event.attributes.get(NOT_BEFORE), TimeSource.NEIGHBOUR),
            read_time(event.attributes.get(NOT_AFTER), TimeSource.NEIGHBOUR),
        ]
        published = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
        sent = entry.sent or (original.sent if original else None)
        bounds = [sent, published, *around]
        timestamp, note = resolve_time([one for one in bounds if one], context.received_at)
        if note.source is TimeSource.NEIGHBOUR:
            note = note.model_copy(update={"assumed": True})
        return cls(entry, event, owner, timestamp, note)

    @property
    def ref(self) -> str:
        """Its natural id; of one without, its content's."""
        return self.entry.ref or f"{self.entry.chat.peer}/content:{content_id(self._content)}"

    @property
    def _content(self) -> list[JsonValue]:
        entry = self.entry
        people = [*(who.peer or who.name for who in (*entry.joined, *entry.left))]
        return [entry.author.peer, entry.author.name, self.timestamp, entry.said, *people]

    @property
    def trace(self) -> str:
        """The chat, or the topic in it."""
        chat = self.entry.chat
        return f"{chat.peer}/topic/{chat.thread}" if chat.thread else chat.peer


def drafts_of(place: Place) -> Iterator[Draft]:
    """All that an entry says."""
    entry = place.entry
    if entry.deleted:
        yield _deleted(place)
    elif entry.joined or entry.left:
        yield _membership(place)
    elif entry.poll is not None:
        yield _poll(place)
    elif entry.said or entry.quoted or entry.attachments:
        yield _message(place)


def actor_of(who: Who, role: ActorRole, owner: ActorRef) -> ActorRef:
    """Somebody as Telegram knows them; the owner as they are known here."""
    if who.peer is not None and who.peer in own_peers(owner):
        return owner.model_copy(update={"role": role})
    kind = ActorKind.BOT if who.is_bot else ActorKind.PERSON if who.is_user else ActorKind.GROUP
    keys = (Identifier(scheme=ACCOUNT, value=who.peer),) if who.peer else ()
    return ActorRef(
        kind=kind, role=role, name=who.name[:512] if who.name else None, identifiers=keys
    )


def own_peers(owner: ActorRef) -> frozenset[str]:
    """The owner's accounts, whether they were given as `user1` or as the bare number."""
    stated = (one.value.strip() for one in owner.identifiers if one.scheme == ACCOUNT)
    return frozenset(f"user{one}" if one.isdecimal() else one for one in stated)


def _author(place: Place) -> ActorRef:
    """Who wrote it; the owner, where the export tells which account is theirs."""
    who, chat = place.entry.author, place.entry.chat
    own = who.peer is not None and who.peer == place.event.attributes.get(OWN_PEER)
    if own or (chat.kind is ChatKind.SAVED and who.peer == chat.peer):
        return place.owner.model_copy(update={"role": ActorRole.AUTHOR})
    return actor_of(who, ActorRole.AUTHOR, place.owner)


def _message(place: Place) -> Draft:
    entry = place.entry
    text, cut = capped(entry.said or entry.quoted)
    author = _author(place)
    own = author.identifiers == place.owner.identifiers
    forwarded = entry.forwarded
    notes = cut | ({"quoted": entry.quoted[:2000]} if entry.quoted and entry.said else {})
    if forwarded is not None:
        return _passed_on(place, author, forwarded, text, notes)
    payload: Payload = Interaction(
        text=text,
        time=place.time,
        channel="telegram",
        direction=_direction(place, own=own),
        thread=place.trace,
        reply_to=entry.reply_to,
        attachments=entry.attachments,
    )
    if entry.chat.kind is ChatKind.SAVED and own:
        payload = Statement(text=text, time=place.time)
    speaks = author.kind is ActorKind.PERSON and bool(entry.said)
    origin = None if author.kind is ActorKind.PERSON else Origin.THIRD_PARTY
    draft = _draft(place, payload, (author, *_audience(place, own=own)), notes, origin)
    return replace(draft, speaker=0 if speaks else None)


def _passed_on(
    place: Place, author: ActorRef, forwarded: Who, text: str, notes: dict[str, str]
) -> Draft:
    """The words of somebody else, which the author passes on."""
    source = actor_of(forwarded, ActorRole.AUTHOR, place.owner)
    messenger = author.model_copy(update={"role": ActorRole.PARTICIPANT})
    payload = Interaction(
        text=text, time=place.time, channel="telegram", thread=place.trace,
        reply_to=place.entry.reply_to, attachments=place.entry.attachments,
    )  # fmt: skip
    actors = (source, messenger) if source.identifiers != messenger.identifiers else (source,)
    return _draft(place, payload, actors, notes | {"part": "forwarded"}, Origin.THIRD_PARTY)


def _poll(place: Place) -> Draft:
    poll = place.entry.poll
    assert poll is not None
    author = _author(place)
    lines = [poll.question, *(f"- {answer}" for answer, _ in poll.answers)]
    text, cut = capped("\n".join(lines))
    most = max((votes for _, votes in poll.answers), default=0)
    chosen = [answer for answer, votes in poll.answers if votes == most and most]
    payload: Payload = Interaction(
        text=text, time=place.time, channel="telegram", thread=place.trace
    )
    if poll.is_closed and len(chosen) == 1:
        others = tuple(answer for answer, _ in poll.answers if answer != chosen[0])
        payload = Decision(
            text=text, time=place.time, decision=f"{poll.question} {chosen[0]}"[:1000],
            status=DecisionStatus.ACCEPTED, alternatives=others,
        )  # fmt: skip
    own = author.identifiers == place.owner.identifiers
    return _draft(place, payload, (author, *_audience(place, own=own)), cut, None)


def _membership(place: Place) -> Draft:
    """Who came and who went: the chat itself says so."""
    entry = place.entry
    author = _author(place)
    group = entry.chat.name or entry.chat.peer
    actors = [author, _room(place)]
    lines: list[str] = []
    claims: list[Claim] = []
    moves = [(who, ClaimAction.CREATE) for who in entry.joined]
    moves += [(who, ClaimAction.RETRACT) for who in entry.left]
    for who, action in moves[:100]:
        actor = actor_of(who, ActorRole.MENTIONED, place.owner)
        same = who == entry.author
        about = 0 if same else len(actors)
        if not same:
            actors.append(actor)
        verb = "joined" if action is ClaimAction.CREATE else "left"
        line = f"{who.name or who.peer or 'somebody'} {verb} {group}."
        lines.append(line)
        claims.append(
            Claim(about=about, predicate="member_of", value={"value": group}, action=action,
                  evidence=line)
        )  # fmt: skip
    payload = Interaction(
        text="\n".join(lines), time=place.time, claims=tuple(claims), channel="telegram",
        thread=place.trace,
    )  # fmt: skip
    return _draft(place, payload, tuple(actors), {"part": "membership"}, None)


def _deleted(place: Place) -> Draft:
    payload = Interaction(text="", time=place.time, channel="telegram", thread=place.trace)
    draft = _draft(place, payload, (_room(place),), {}, None)
    return replace(draft, deleted=True, revision=LAST_REVISION)


def _draft(
    place: Place, payload: Payload, actors: tuple[ActorRef, ...], notes: dict[str, str],
    origin: Origin | None,
) -> Draft:  # fmt: skip
    entry = place.entry
    keys = place.owner.identifiers
    subject = next((index for index, one in enumerate(actors) if one.identifiers == keys), None)
    if subject is None:
        subject = len(actors)
        actors = (*actors, place.owner.model_copy(update={"role": ActorRole.OWNER}))
    named = entry.chat.kind in (ChatKind.GROUP, ChatKind.CHANNEL) and entry.chat.name
    day = from_epoch_ms(place.timestamp).date().isoformat()
    return Draft(
        payload=payload,
        source_ref=place.ref[:1024],
        timestamp=place.timestamp,
        actors=actors,
        subject=subject,
        origin=origin,
        topic=(named,) if named else None,
        correlation=Correlation(
            trace_id=place.trace,
            parent_ref=entry.reply_to,
            episode_id=f"{place.trace}/{day}",
            attributes=notes,
        ),
        sequence=entry.id,
        revision=entry.edited,
    )


def _direction(place: Place, *, own: bool) -> Direction:
    if not own:
        return Direction.INBOUND
    return Direction.INTERNAL if place.entry.chat.kind is ChatKind.SAVED else Direction.OUTBOUND


def _audience(place: Place, *, own: bool) -> tuple[ActorRef, ...]:
    """Who it was said to: the other of two, or the room."""
    chat = place.entry.chat
    if chat.kind is ChatKind.SAVED:
        return ()
    if chat.kind in (ChatKind.GROUP, ChatKind.CHANNEL):
        room = _room(place)
        return () if place.entry.author.peer == chat.peer else (room,)
    if not own and place.entry.author.peer == chat.peer:
        return (place.owner.model_copy(update={"role": ActorRole.RECIPIENT}),)
    other = Who(chat.peer, chat.name, chat.kind is ChatKind.BOT)
    return (actor_of(other, ActorRole.RECIPIENT, place.owner),)


def _room(place: Place) -> ActorRef:
    chat = place.entry.chat
    keys = () if chat.peer.startswith("name:") else (Identifier(scheme=ACCOUNT, value=chat.peer),)
    return ActorRef(
        kind=ActorKind.GROUP,
        role=ActorRole.RECIPIENT,
        name=chat.name[:512] if chat.name else None,
        identifiers=keys,
    )
