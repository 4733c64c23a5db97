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
from itertools import chain
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    Claim,
    Correlation,
    Decision,
    Interaction,
    Origin,
    Payload,
    RawEvent,
    Statement,
    TimeNote,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id
from roxabi_contracts.payloads import DecisionStatus, Direction, TimePrecision, TimeSource

from cortex_insight.event import FileContext, FileHead, Line, Skipped, split_lines
from cortex_insight.event_time import Bound, resolve_time
from cortex_insight.parser import Confidence, Draft, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.message_record import (
    Malformed,
    Message,
    actors_of,
    claims_of,
    is_strange_machine,
    read_message,
    stated_time,
)
from cortex_insight.parsers.recognising import first_objects
from cortex_insight.parsers.records import capped, read_json, read_time

_MEDIA_TYPE: Final = "application/json"
_FILE_TIME: Final = "file_modified_at"


class MessageParser:
    """The source `message`."""

    source: str = "message"
    title: str = "Messages and notes as JSON objects with `text` and `author` (*.jsonl, *.json)"
    version: int = 1
    media_types: frozenset[str] = frozenset({_MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the two fields that every message has."""
        objects = first_objects(head)
        own = [one for one in objects if {"text", "author"} <= one.keys()]
        return Confidence.LIKELY if own and len(own) * 2 > len(objects) else Confidence.NONE

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event for each object of the file: a line each, else the file is one value.

        Only a file that does not begin with an object on a line is read whole.
        """
        lines = (line for line in split_lines(content) if line.content.strip())
        first = next(lines, None)
        if first is None:
            return
        if _is_object(first.content):
            yield from _split_lines(chain([first], lines), context)
            return
        rest = [first, *lines]
        try:
            whole = read_json(b"\n".join(line.content for line in rest))
        except ValueError:
            yield from _split_lines(rest, context)
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
            message = read_message(event.body.to_bytes())
            return Parsed((_draft(message, event, event.owner, context),))
        except Malformed as error:
            return Reject(error.code, error.reason)


def _split_lines(lines: Iterable[Line], context: FileContext) -> Iterator[RawEvent | Skipped]:
    for line in lines:
        if not line.complete and _is_broken(line.content):
            yield Skipped(line.offset, "the last line is still being written")
            continue
        yield _event(line.content, context)


def _is_object(content: bytes) -> bool:
    try:
        return isinstance(read_json(content), dict)
    except ValueError:
        return False


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


def _draft(message: Message, event: RawEvent, owner: ActorRef, context: ParseContext) -> Draft:
    timestamp, note = resolve_time(_bounds(message, event), context.received_at)
    actors, subject = actors_of(message, owner)
    text, cut = capped(message.text)
    return Draft(
        payload=_payload(message, text, note, claims_of(message, text, len(actors)), subject),
        source_ref=event.source_ref,
        timestamp=timestamp,
        actors=actors,
        subject=subject,
        speaker=0 if actors[0].kind is ActorKind.PERSON and not message.deleted else None,
        origin=Origin.THIRD_PARTY if is_strange_machine(message.author) else None,
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
    message: Message, text: str, time: TimeNote, claims: tuple[Claim, ...], subject: int
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


def _bounds(message: Message, event: RawEvent) -> list[Bound]:
    file_time = read_time(event.attributes.get(_FILE_TIME), TimeSource.FILE)
    event_time = Bound(event.occurred_at, TimeSource.EVENT, TimePrecision.MILLISECOND)
    weaker = [event_time, *([file_time] if file_time else [])]
    return weaker if message.at is None else [stated_time(message.at, "at"), *weaker]


def _revision(message: Message) -> int:
    if message.revision is not None or message.edited_at is None:
        return message.revision or 0
    moment = stated_time(message.edited_at, "edited_at").moment
    return max(epoch_ms(moment), 0) if moment else 0


def _parent(message: Message) -> str | None:
    if message.reply_to is None:
        return None
    return (
        f"{message.conversation}/{message.reply_to}"
        if message.conversation
        else str(message.reply_to)
    )
