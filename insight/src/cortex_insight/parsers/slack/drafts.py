"""What a message of Slack says, and what the workspace tells of its members."""

from dataclasses import dataclass
from typing import Final

from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    Identifier,
    Interaction,
    Origin,
    Payload,
    RawEvent,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms, from_epoch_ms
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import Attachment, ClaimAction, Direction, TimePrecision, TimeSource

from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, ParseContext
from cortex_insight.parsers.records import as_object, as_text, capped, read_time
from cortex_insight.parsers.slack.people import (
    ACCOUNT,
    Directory,
    as_owner,
    author_of,
    user_actor,
)
from cortex_insight.parsers.slack.record import Message, User, microseconds, moment_of, stamp_of
from cortex_insight.parsers.slack.splitting import FILE_TIME
from cortex_insight.parsers.slack.text import divided, plain, text_of_blocks

LAST_REVISION: Final = 2**53 - 1
"""Of a deletion, which says not when it was made: nothing comes after it."""

SPEECH: Final = frozenset(
    (None, "bot_message", "me_message", "file_share", "file_comment", "thread_broadcast",
     "message_replied", "reply_broadcast", "message_changed")
)  # fmt: skip
_JOINS: Final = frozenset(("channel_join", "group_join"))
_LEAVES: Final = frozenset(("channel_leave", "group_leave"))
_GONE: Final = frozenset(("tombstone", "message_deleted"))
_SILENT: Final = frozenset(
    (
        "assistant_app_thread", "bot_add", "bot_disable", "bot_enable", "bot_remove",
        "channel_archive", "channel_canvas_updated", "channel_convert_to_private",
        "channel_convert_to_public", "channel_name", "channel_posting_permissions",
        "channel_purpose", "channel_topic", "channel_unarchive", "document_mention",
        "ekm_access_denied", "group_archive", "group_name", "group_purpose", "group_topic",
        "group_unarchive", "huddle_thread", "joiner_notification",
        "joiner_notification_for_inviter", "pinned_item", "reminder_add", "sh_room_created",
        "sh_room_shared", "slackbot_response", "unpinned_item",
    )
)  # fmt: skip
"""Notes of the workspace that nobody says and that change no membership."""


@dataclass(frozen=True)
class Place:
    """A message in its channel."""

    message: Message
    owner: ActorRef
    directory: Directory
    timestamp: int
    time: TimeNote

    @classmethod
    def of(
        cls, message: Message, event: RawEvent, owner: ActorRef, directory: Directory,
        context: ParseContext,
    ) -> "Place":  # fmt: skip
        """Place a message in time."""
        published = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
        bounds = [one for one in (moment_of(message.stamp), published) if one is not None]
        timestamp, note = resolve_time(bounds, context.received_at)
        return cls(message, owner, directory, timestamp, note)

    @property
    def channel(self) -> str:
        """The id of the channel, else the name of its folder."""
        conversation = self.directory.conversation
        return (conversation.id if conversation else None) or self.message.folder

    @property
    def ref(self) -> str:
        """Its natural id."""
        stamp = self.message.stamp or content_id(dict(self.message.fields))
        return f"{self.channel}/{stamp}"

    @property
    def root(self) -> str | None:
        """The message at the beginning of its thread; null: it is in none."""
        stamp = stamp_of(self.message.fields.get("thread_ts"))
        return f"{self.channel}/{stamp}" if stamp else None

    @property
    def room(self) -> ActorRef:
        """The channel as an actor."""
        conversation = self.directory.conversation
        name = (conversation.name if conversation else None) or self.message.folder
        keys = (
            (Identifier(scheme=ACCOUNT, value=conversation.id[:200]),)
            if (conversation and conversation.id)
            else ()
        )
        return ActorRef(
            kind=ActorKind.GROUP, role=ActorRole.RECIPIENT, name=name[:512], identifiers=keys
        )


def draft_of(place: Place) -> Draft | None:
    """The one observation that a message is; null: it says nothing."""
    subtype = place.message.subtype
    if subtype in _GONE:
        return _deleted(place)
    if subtype in _JOINS or subtype in _LEAVES:
        return _membership(place, joined=subtype in _JOINS)
    return _message(place) if subtype in SPEECH else None


def unknown_types(message: Message) -> dict[str, int]:
    """The type of a message, if it is not known."""
    known = SPEECH | _JOINS | _LEAVES | _GONE | _SILENT
    if message.fields.get("type") not in ("message", None):
        return {f"type:{message.fields.get('type')}"[:200]: 1}
    return {} if message.subtype in known else {f"subtype:{message.subtype}"[:200]: 1}


def profile_draft(
    user: User, event: RawEvent, owner: ActorRef, context: ParseContext
) -> Draft | None:
    """What the list of users states of one of them."""
    actor = as_owner(user_actor(user, ActorRole.AUTHOR), owner)
    told = {
        "name": user.name,
        "email_address": user.email,
        "job_title": as_text(user.profile.get("title")),
        "phone_number": as_text(user.profile.get("phone")),
        "time_zone": as_text(user.fields.get("tz")),
    }
    stated = {name: value.strip()[:500] for name, value in told.items() if value}
    if user.is_bot or len(stated) < 2 or user.fields.get("deleted") is True:
        return None
    text = "\n".join(f"{name.replace('_', ' ')}: {value}" for name, value in stated.items())
    bounds = [read_time(user.updated) if user.updated else None,
              read_time(event.attributes.get(FILE_TIME), TimeSource.FILE)]  # fmt: skip
    timestamp, note = resolve_time([one for one in bounds if one], context.received_at)
    claims = tuple(
        Claim(about=0, predicate=name, value={"value": value}, evidence=value)
        for name, value in stated.items()
    )
    payload = Statement(text=text, time=note, claims=claims)
    own = actor.identifiers == owner.identifiers
    actors = (actor,) if own else (actor, owner.model_copy(update={"role": ActorRole.OWNER}))
    return Draft(
        payload=payload, source_ref=f"user/{user.id}"[:1024], timestamp=timestamp, actors=actors,
        subject=0 if own else 1, revision=user.updated * 1000,
        correlation=Correlation(trace_id=f"users/{user.team or 'unknown'}"),
    )  # fmt: skip


def _message(place: Place) -> Draft | None:
    fields = place.message.fields
    author = as_owner(author_of(place.message, place.directory), place.owner)
    marked = as_text(fields.get("text")) or text_of_blocks(fields.get("blocks"))
    said, quoted = (plain(one, place.directory.names) for one in divided(marked))
    files = _files(place)
    shown = said or quoted or _attached(place)
    if not shown and not files:
        return None
    text, cut = capped(shown)
    own = author.identifiers == place.owner.identifiers
    payload = Interaction(
        text=text, time=place.time, channel="slack",
        direction=Direction.OUTBOUND if own else Direction.INBOUND,
        thread=place.root or place.channel, reply_to=_parent(place), attachments=files,
    )  # fmt: skip
    notes = cut | ({"quoted": quoted[:2000]} if quoted and said else {})
    speaks = author.kind is ActorKind.PERSON and bool(said)
    origin = None if author.kind is ActorKind.PERSON else Origin.THIRD_PARTY
    return _draft(
        place, payload, (author, *_audience(place)), notes, origin, speaker=0 if speaks else None
    )


def _attached(place: Place) -> str:
    """What stands below a message without words: cards of programs and of pages."""
    attachments = place.message.fields.get("attachments")
    lines: list[str] = []
    for value in attachments if isinstance(attachments, list) else []:
        one = as_object(value)
        told = [as_text(one.get(name)) for name in ("pretext", "title", "text")]
        lines += [text for text in told if text] or [as_text(one.get("fallback")) or ""]
    return plain("\n".join(line for line in lines if line), place.directory.names).strip()


def _files(place: Place) -> tuple[Attachment, ...]:
    stated = place.message.fields.get("files")
    found = stated if isinstance(stated, list) else [place.message.fields.get("file")]
    kept = [as_object(one) for one in found if as_object(one)]
    return tuple(
        Attachment(
            name=as_text(one.get("name")) or as_text(one.get("title")),
            media_type=as_text(one.get("mimetype")),
            size=size if isinstance(size := one.get("size"), int) and size >= 0 else None,
        )
        for one in kept
    )


def _audience(place: Place) -> tuple[ActorRef, ...]:
    """The other of a direct conversation, else the channel."""
    conversation = place.directory.conversation
    if conversation is None or not (conversation.id or "").startswith("D"):
        return (place.room,)
    others = (one for one in conversation.members if one != place.message.user)
    return tuple(
        as_owner(place.directory.actor(one, ActorRole.RECIPIENT), place.owner)
        for one in list(others)[:20]
    )


def _membership(place: Place, *, joined: bool) -> Draft:
    author = as_owner(author_of(place.message, place.directory), place.owner)
    room = place.room
    name = author.name or place.message.user or "somebody"
    text = f"{name} {'joined' if joined else 'left'} {room.name}."
    claim = Claim(
        about=0, predicate="member_of", value={"value": room.name},
        action=ClaimAction.CREATE if joined else ClaimAction.RETRACT, evidence=text,
    )  # fmt: skip
    payload = Interaction(
        text=text, time=place.time, claims=(claim,), channel="slack", thread=place.channel
    )
    return _draft(place, payload, (author, room), {"part": "membership"}, None)


def _deleted(place: Place) -> Draft:
    payload = Interaction(text="", time=place.time, channel="slack", thread=place.channel)
    return _draft(place, payload, (place.room,), {}, None, deleted=True)


def _draft(
    place: Place, payload: Payload, actors: tuple[ActorRef, ...], notes: dict[str, str],
    origin: Origin | None, *, speaker: int | None = None, deleted: bool = False,
) -> Draft:  # fmt: skip
    keys = place.owner.identifiers
    subject = next((index for index, one in enumerate(actors) if one.identifiers == keys), None)
    if subject is None:
        subject = len(actors)
        actors = (*actors, place.owner.model_copy(update={"role": ActorRole.OWNER}))
    day = from_epoch_ms(place.timestamp).date().isoformat()
    stamp = place.message.stamp
    return Draft(
        payload=payload,
        source_ref=place.ref[:1024],
        timestamp=place.timestamp,
        actors=actors,
        subject=subject,
        speaker=speaker,
        origin=origin,
        topic=(place.room.name,) if place.room.name else None,
        correlation=Correlation(
            trace_id=place.root or place.channel,
            parent_ref=_parent(place),
            episode_id=place.root or f"{place.channel}/{day}",
            attributes=notes,
        ),
        sequence=microseconds(stamp) if stamp else None,
        revision=LAST_REVISION if deleted else _edited(place),
        deleted=deleted,
    )


def _parent(place: Place) -> str | None:
    own = f"{place.channel}/{place.message.stamp}"
    return place.root if place.root != own else None


def _edited(place: Place) -> int:
    bound = moment_of(stamp_of(as_object(place.message.fields.get("edited")).get("ts")))
    return max(0, epoch_ms(bound.moment)) if bound and bound.moment else 0
