"""Files of Telegram as events: a message each, with its chat and what only its place tells."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Line, Skipped, split_lines
from cortex_insight.parsers.records import LONGEST_RECORD, as_object, read_json
from cortex_insight.parsers.telegram.entry import export_peer, whole_number
from cortex_insight.parsers.telegram.repair import repaired
from cortex_insight.parsers.telegram.stream import Around, messages

SOURCE: Final = "telegram"
MEDIA_TYPE: Final = "application/json"
OWN_PEER: Final = "own_peer"
NOT_BEFORE: Final = "not_before"
NOT_AFTER: Final = "not_after"
_BETWEEN_TWO: Final = frozenset(("personal_chat", "bot_chat"))
_HELD_AT_MOST: Final = 1000


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The messages of a file: an export, or updates a line each or in a list."""
    lines = split_lines(content)
    first = next((line for line in lines if line.content.strip()), None)
    if first is None:
        return
    if _is_update(first.content):
        yield from _split_lines(chain([first], lines), context)
        return
    pieces = (one for line in chain([first], lines) for one in _as_found(line))
    yield from _split_stream(pieces, context)


def _as_found(line: Line) -> tuple[bytes, ...]:
    return (line.content, b"\n") if line.complete else (line.content,)


def _is_update(content: bytes) -> bool:
    return "update_id" in _object(content)


def _object(content: bytes) -> dict[str, JsonValue]:
    try:
        return as_object(read_json(content))
    except ValueError:
        return {}


def _split_lines(lines: Iterable[Line], context: FileContext) -> Iterator[RawEvent | Skipped]:
    for line in lines:
        if not line.content.strip():
            continue
        update = _object(line.content)
        if "update_id" in update:
            yield _event(update, context, {})
        elif not line.complete:
            yield Skipped(line.offset, "the last line is still being written")
        else:
            yield Skipped(line.offset, "the line is no update")


@dataclass(frozen=True)
class _Item:
    record: dict[str, JsonValue]
    times: dict[str, JsonValue]


def _split_stream(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    around = Around()
    for item, own in _with_owner(_timed(messages(repaired(content), around), around)):
        known = _peer(around.own_id) or own
        yield _event(item.record, context, item.times | ({OWN_PEER: known} if known else {}))
    if around.broken:
        yield Skipped(0, "from here on the file is no JSON; what came before it was read")


def _timed(found: Iterator[dict[str, JsonValue]], around: Around) -> Iterator[_Item]:
    """Each message with its chat; one without a date with the dates that stand around it."""
    latest: str | None = None
    waiting: list[dict[str, JsonValue]] = []
    for message in found:
        record = message if "update_id" in message else _wrapped(message, around)
        time = _stated(message)
        if time is None and latest is None and "update_id" not in message:
            waiting.append(record)
            continue
        yield from (_Item(earlier, {NOT_AFTER: time}) for earlier in waiting)
        waiting.clear()
        yield _Item(record, {} if time or latest is None else {NOT_BEFORE: latest})
        latest = time or latest
    yield from (_Item(earlier, {}) for earlier in waiting)


def _with_owner(items: Iterable[_Item]) -> Iterator[tuple[_Item, str | None]]:
    """Each message with the account of the owner, if its chat is between two and tells it.

    There the chat has the number of the other, so that whoever else writes is the owner. Until
    the other has written, the chat's number proves nothing, and messages are held.
    """
    held: list[_Item] = []
    chat: JsonValue = None
    met = False
    for item in items:
        stated = as_object(item.record.get("chat"))
        key = [stated.get("type"), stated.get("id")]
        if key != chat:
            yield from ((one, None) for one in held)
            held, chat, met = [], key, False
        if stated.get("type") not in _BETWEEN_TWO:
            yield item, None
            continue
        other = export_peer(whole_number(stated.get("id")))
        met = met or (other is not None and _writer(item) == other)
        held.append(item)
        if met or len(held) >= _HELD_AT_MOST:
            yield from ((one, _own(one, other) if met else None) for one in held)
            held = []
    yield from ((one, None) for one in held)


def _own(item: _Item, other: str | None) -> str | None:
    writer = _writer(item)
    return writer if writer != other else None


def _writer(item: _Item) -> str | None:
    return export_peer(as_object(item.record.get("message")).get("from_id"))


def _wrapped(message: dict[str, JsonValue], around: Around) -> dict[str, JsonValue]:
    return {"chat": dict(around.chat), "message": message}


def _peer(own_id: JsonValue) -> str | None:
    number = whole_number(own_id)
    return None if number is None else export_peer(number)


def _stated(message: dict[str, JsonValue]) -> str | None:
    number = whole_number(message.get("date_unixtime"))
    if number is not None:
        return _iso(number)
    text = message.get("date")
    return text if isinstance(text, str) and text else None


def _iso(seconds: int) -> str | None:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).isoformat()
    except (ValueError, OverflowError, OSError):
        return None


def _event(
    record: dict[str, JsonValue], context: FileContext, attributes: dict[str, JsonValue]
) -> RawEvent | Skipped:
    content = json.dumps(record, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
    if len(content) > LONGEST_RECORD:
        return Skipped(0, "the message is longer than can be kept")
    if "update_id" in record:
        attributes = {}
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=_ref(record),
        media_type=MEDIA_TYPE,
        body=body_of(content),
        owner=context.owner,
        attributes=attributes,
    )


def _ref(record: dict[str, JsonValue]) -> str:
    update = whole_number(record.get("update_id"))
    if update is not None:
        return f"update:{update}"
    chat, message = as_object(record.get("chat")), as_object(record.get("message"))
    number, place = whole_number(message.get("id")), whole_number(chat.get("id"))
    if number is None or place is None:
        return f"content:{content_id(record)}"
    return f"{place}/{number}"
