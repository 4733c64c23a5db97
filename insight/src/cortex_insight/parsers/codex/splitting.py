"""A session file as events: a record each, with what only its place in the session tells."""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Line, Skipped, split_lines
from cortex_insight.parsers.codex.record import (
    Fields,
    Record,
    read_record,
    record_of,
)
from cortex_insight.parsers.codex.session import Session
from cortex_insight.parsers.json_stream import JsonStream
from cortex_insight.parsers.records import (
    LONGEST_RECORD,
    MalformedRecord,
    as_object,
    read_time,
    shortened,
)

SOURCE: Final = "codex"
MEDIA_TYPE: Final = "application/json"
TITLES: Final = "session_index.jsonl"

OLDEST: Final = re.compile(rb'\s*\{\s*"session"\s*:\s*\{')
"""How a session begins that is one object, not a line for each record."""

NOT_BEFORE: Final = "not_before"
FILE_TIME: Final = "file_modified_at"

_LONGEST_AS_FOUND: Final = 1024 * 1024
"""Bytes of a line that goes into the lake as it is; longer ones lose the length of their texts."""
_BEGIN_BYTES: Final = 256


@dataclass(frozen=True)
class _Found:
    offset: int
    content: bytes
    record: Record | None
    """Null: the line is none, which its parser will say."""


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The events of a file: lines, or of the oldest sessions one object for all."""
    if context.path.rsplit("/", 1)[-1] == TITLES:
        yield Skipped(0, "it names sessions, and holds nothing that anybody said")
        return
    writer = _Writer(context)
    begin, pieces = _begin(content)
    found = _in_object(pieces) if OLDEST.match(begin) else _in_lines(pieces)
    for one in found:
        yield one if isinstance(one, Skipped) else writer.event(one)


def _begin(content: Iterable[bytes]) -> tuple[bytes, Iterable[bytes]]:
    """The first bytes of a file, and all of it."""
    pieces = iter(content)
    begin = b""
    for piece in pieces:
        begin += piece
        if len(begin) >= _BEGIN_BYTES:
            break
    return begin, chain([begin], pieces)


def _in_lines(content: Iterable[bytes]) -> Iterator[_Found | Skipped]:
    for line in split_lines(content):
        if not line.content.strip():
            continue
        record = _read(line)
        if record is None and not line.complete:
            yield Skipped(line.offset, "the last line is still being written")
        else:
            yield _Found(line.offset, line.content, record)


def _read(line: Line) -> Record | None:
    try:
        return read_record(line.content)
    except MalformedRecord:
        return None


def _in_object(content: Iterable[bytes]) -> Iterator[_Found | Skipped]:
    stream = JsonStream(content, lambda prefix: prefix in ("session", "items.item"))
    for fields in stream:
        as_line = json.dumps(fields, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
        yield _Found(0, as_line, record_of(fields))
    if stream.broken:
        yield Skipped(0, "from here on the file is no JSON; what came before it was read")


class _Writer:
    """Makes the events of a file, in its order.

    A record without a time of its own gets that of the record before it.
    """

    def __init__(self, context: FileContext) -> None:
        self._context = context
        self._session = Session()
        self._latest: JsonValue = None

    def event(self, found: _Found) -> RawEvent | Skipped:
        """The event of the next record."""
        content, record = found.content, found.record
        attributes: Fields = {}
        ref = f"content:{content_id(content.hex())}"
        if record is not None:
            ref, attributes = self._session.place(record)
            attributes |= self._times(record)
            if len(content) > _LONGEST_AS_FOUND:
                content = _shortened(content)
        if len(content) > LONGEST_RECORD:
            return Skipped(found.offset, "the line is longer than can be kept")
        return RawEvent(
            project=self._context.project,
            source=SOURCE,
            source_ref=ref.replace("\0", "")[:1024],
            media_type=MEDIA_TYPE,
            body=body_of(content),
            owner=self._context.owner,
            attributes=attributes,
        )

    def _times(self, record: Record) -> Fields:
        if read_time(record.time) is not None:
            self._latest = record.time
            return {}
        if self._latest is not None:
            return {NOT_BEFORE: self._latest}
        modified = self._context.modified_at
        return {FILE_TIME: modified.isoformat()} if modified else {}


def _shortened(content: bytes) -> bytes:
    return json.dumps(shortened(as_object(json.loads(content)))).encode()
