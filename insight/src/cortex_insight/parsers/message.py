"""A chat turn or note as a JSON object: the simplest way in, and the example to copy.

    {"id": "42", "text": "I moved to Lyon", "at": "2026-03-01T09:30:00Z", "author": "owner",
     "conversation": "family", "reply_to": "41", "channel": "chat", "kind": "message"}

`text` and `author` are needed, all else may be missing. `at` is ISO 8601 or a count since 1970;
`author`, and each of the list `to`, is "owner", "assistant" or an object with any of name, kind,
email, phone, slug, uri and accounts; `kind` is message, note or decision. An edit repeats the
`id` with a higher `revision` or a later `edited_at`; `"deleted": true` takes the message back.
`claims` may state what the text says. A file holds one object, an array, or an object a line.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Claim,
    Correlation,
    Decision,
    Identifier,
    Interaction,
    Payload,
    RawEvent,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import DecisionStatus, Direction, TimePrecision, TimeSource

from cortex_insight.event import FileContext, Skipped, split_lines
from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.records import capped, read_json, read_time

_MEDIA_TYPE: Final = "application/json"
_FILE_TIME: Final = "file_modified_at"

Name = Annotated[str, Field(min_length=1, max_length=512)]


class _Author(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    name: Name | None = None
    kind: Literal["person", "agent", "bot", "organisation", "group"] = "person"
    email: Name | None = None
    phone: Name | None = None
    slug: Name | None = None
    uri: Name | None = None
    accounts: dict[str, Name] = {}


class _Message(BaseModel):
    model_config = ConfigDict(extra="ignore", strict=True)

    text: str = ""
    author: Literal["owner", "assistant"] | _Author
    to: list[Literal["owner", "assistant"] | _Author] = Field(default=[], max_length=200)
    id: str | int | None = None
    at: str | int | float | None = None
    conversation: Name | None = None
    reply_to: str | int | None = None
    channel: Name | None = None
    kind: Literal["message", "note", "decision"] = "message"
    status: Literal["proposed", "accepted", "rejected", "reversed"] = "accepted"
    revision: Annotated[int, Field(ge=0)] | None = None
    edited_at: str | int | float | None = None
    deleted: bool = False
    claims: list[JsonValue] = []


class MessageParser:
    """The source `message`."""

    source: Final = "message"
    version: Final = 1
    media_types: Final = frozenset({_MEDIA_TYPE})

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event for each object of the file; the file is read whole."""
        file = b"".join(content)
        try:
            whole = read_json(file)
        except ValueError:
            yield from _split_lines(file, context)
            return
        for record in whole if isinstance(whole, list) else [whole]:
            yield _event(json.dumps(record, sort_keys=True).encode(), context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """Nothing: each message stands for itself."""
        return ()

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Nothing: each message stands for itself."""
        return ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """The one observation that a message is."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        try:
            message = _read(event.body.to_bytes())
            return Parsed((_draft(message, event, event.owner, context),))
        except _Malformed as error:
            return Reject(error.code, error.reason)


class _Malformed(Exception):
    """The record is no message."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def _split_lines(file: bytes, context: FileContext) -> Iterator[RawEvent | Skipped]:
    for line in split_lines([file]):
        if not line.content.strip():
            continue
        if not line.complete and _is_broken(line.content):
            yield Skipped(line.offset, "the last line is still being written")
            continue
        yield _event(line.content, context)


def _is_broken(content: bytes) -> bool:
    try:
        read_json(content)
    except ValueError:
        return True
    return False


def _event(content: bytes, context: FileContext) -> RawEvent:
    source_ref, dated = _describe(content)
    attributes: dict[str, JsonValue] = {}
    if not dated and context.modified_at is not None:
        attributes[_FILE_TIME] = context.modified_at.isoformat()
    return RawEvent(
        project=context.project,
        source=MessageParser.source,
        source_ref=source_ref,
        media_type=_MEDIA_TYPE,
        body=body_of(content),
        owner=context.owner,
        attributes=attributes,
    )


def _describe(content: bytes) -> tuple[str, bool]:
    """The natural id of a record, else one of its content; and whether it says its time."""
    try:
        record = read_json(content)
    except ValueError:
        record = None
    if not isinstance(record, dict):
        return f"content:{content_id(content.hex())}", True
    native = record.get("id")
    conversation = record.get("conversation")
    if isinstance(native, str | int) and str(native).strip():
        scope = f"{conversation}/" if isinstance(conversation, str) else ""
        return f"{scope}{native}"[:1024], "at" in record
    return f"content:{content_id(record)}", "at" in record


def _read(content: bytes) -> _Message:
    try:
        record = read_json(content)
    except ValueError as error:
        raise _Malformed("not_json", "the body is not one JSON value in UTF-8") from error
    if not isinstance(record, dict):
        raise _Malformed("not_an_object", f"a message is an object, not {_kind_of(record)}")
    try:
        message = _Message.model_validate(record)
    except ValidationError as error:
        fields = sorted({str(item["loc"][0]) for item in error.errors() if item["loc"]})
        raise _Malformed("invalid_message", f"wrong or missing: {', '.join(fields)}") from error
    if not message.text.strip() and not message.deleted:
        raise _Malformed("empty_text", "a message that is not deleted has a text")
    return message


def _kind_of(value: JsonValue) -> str:
    names = {list: "an array", str: "a string", bool: "a boolean", type(None): "null"}
    return names.get(type(value), "a number")


def _draft(message: _Message, event: RawEvent, owner: ActorRef, context: ParseContext) -> Draft:
    timestamp, note = resolve_time(_bounds(message, event), context.received_at)
    actors, subject = _actors(message, owner)
    text, cut = capped(message.text)
    return Draft(
        payload=_payload(message, text, note, _claims(message, text, len(actors)), subject),
        source_ref=event.source_ref,
        timestamp=timestamp,
        actors=actors,
        subject=subject,
        speaker=0 if actors[0].kind is ActorKind.PERSON and not message.deleted else None,
        correlation=Correlation(
            trace_id=message.conversation,
            parent_ref=_parent(message),
            episode_id=message.conversation,
            attributes=cut,
        ),
        revision=_revision(message),
        deleted=message.deleted,
    )


def _payload(
    message: _Message, text: str, time: TimeNote, claims: tuple[Claim, ...], subject: int
) -> Payload:
    if message.kind == "decision" and text.strip():
        status = DecisionStatus(message.status)
        return Decision(
            text=text, time=time, claims=claims, decision=text, status=status, decided_by=0
        )
    if message.kind == "note" or subject == 0:
        return Statement(text=text, time=time, claims=claims)
    return Interaction(
        text=text,
        time=time,
        claims=claims,
        channel=message.channel,
        direction=Direction.INBOUND,
        thread=message.conversation,
        reply_to=None if message.reply_to is None else str(message.reply_to),
    )


def _bounds(message: _Message, event: RawEvent) -> list[Bound]:
    file_time = read_time(event.attributes.get(_FILE_TIME), TimeSource.FILE)
    event_time = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
    weaker = [event_time, *([file_time] if file_time else [])]
    return weaker if message.at is None else [_time(message.at, "at"), *weaker]


def _time(value: str | float, field: str) -> Bound:
    bound = read_time(value)
    if bound is None:
        raise _Malformed("invalid_time", f"`{field}` is neither ISO 8601 nor a count since 1970")
    return bound


def _revision(message: _Message) -> int:
    if message.revision is not None or message.edited_at is None:
        return message.revision or 0
    moment = _time(message.edited_at, "edited_at").moment
    return max(epoch_ms(moment), 0) if moment else 0


def _parent(message: _Message) -> str | None:
    if message.reply_to is None:
        return None
    return (
        f"{message.conversation}/{message.reply_to}"
        if message.conversation
        else str(message.reply_to)
    )


def _actors(message: _Message, owner: ActorRef) -> tuple[tuple[ActorRef, ...], int]:
    """Author, recipients, and the owner if they are neither; and the place of the owner."""
    actors = [_actor(message.author, ActorRole.AUTHOR, owner)]
    actors.extend(_actor(one, ActorRole.RECIPIENT, owner) for one in message.to)
    for index, actor in enumerate(actors):
        if actor.identifiers == owner.identifiers:
            return tuple(actors), index
    return (*actors, owner.model_copy(update={"role": ActorRole.OWNER})), len(actors)


def _actor(
    who: Literal["owner", "assistant"] | _Author, role: ActorRole, owner: ActorRef
) -> ActorRef:
    if who == "owner":
        return owner.model_copy(update={"role": role})
    if isinstance(who, str):
        return ActorRef(kind=ActorKind.AGENT, role=role, name=who)
    identifiers = _identifiers(who)
    own = {_folded(identifier) for identifier in owner.identifiers}
    if own & {_folded(identifier) for identifier in identifiers}:
        return owner.model_copy(update={"role": role})
    return ActorRef(kind=ActorKind(who.kind), role=role, name=who.name, identifiers=identifiers)


def _identifiers(who: _Author) -> tuple[Identifier, ...]:
    stated = {
        "email": who.email,
        "phone": who.phone,
        "slug": who.slug,
        "uri": who.uri,
        **{f"account:{platform}": value for platform, value in who.accounts.items()},
    }
    try:
        return tuple(
            Identifier(scheme=scheme, value=value) for scheme, value in stated.items() if value
        )
    except ValidationError as error:
        raise _Malformed("invalid_author", "an account's platform is no plain word") from error


def _folded(identifier: Identifier) -> str:
    return str(identifier).casefold()


def _claims(message: _Message, text: str, actors: int) -> tuple[Claim, ...]:
    try:
        claims = tuple(Claim.model_validate(claim) for claim in message.claims)
    except ValidationError as error:
        raise _Malformed("invalid_claim", "a claim breaks the schema") from error
    for claim in claims:
        if claim.evidence not in text:
            raise _Malformed("invalid_claim", "a claim's evidence does not occur in the text")
        if isinstance(claim.about, int) and claim.about >= actors:
            raise _Malformed("invalid_claim", "a claim is about an actor who is not there")
    return claims
