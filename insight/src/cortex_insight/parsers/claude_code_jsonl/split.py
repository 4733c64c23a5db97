"""A session file as events: a line each, with what only its place in the file tells."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.event import body_of
from roxabi_contracts.ids import content_id

from cortex_insight.event import FileContext, Line, Skipped, split_lines
from cortex_insight.parsers.claude_code_jsonl.ancestry import Ancestry
from cortex_insight.parsers.claude_code_jsonl.branches import Branches
from cortex_insight.parsers.claude_code_jsonl.record import Record, read_record
from cortex_insight.parsers.claude_code_jsonl.speech import is_prompt
from cortex_insight.parsers.records import (
    LONGEST_RECORD,
    MalformedRecord,
    as_text,
    read_time,
    shortened,
)

SOURCE: Final = "claude-code-jsonl"
MEDIA_TYPE: Final = "application/json"

EPISODE: Final = "episode"
ROOT: Final = "root"
NOT_BEFORE: Final = "not_before"
NOT_AFTER: Final = "not_after"
FILE_TIME: Final = "file_modified_at"

_LONGEST_AS_FOUND: Final = 1024 * 1024
"""Bytes of a line that goes into the lake as it is; longer ones lose the length of their texts."""


@dataclass(frozen=True)
class _Found:
    line: Line
    record: Record | None
    """Null: the line is none, which its parser will say."""
    place: dict[str, JsonValue]
    """What the records above it in the file tell of it."""


class _Session:
    """A session as far as it was read."""

    def __init__(self) -> None:
        self._ancestry = Ancestry()
        self._branches = Branches()
        self._roots: dict[str | None, str] = {}
        self._episode: str | None = None

    def place(self, record: Record) -> dict[str, JsonValue]:
        """What those above the next record tell of it."""
        self._episode = _episode(record) or self._episode
        told: dict[str, JsonValue] = self._ancestry.place(record, self._episode)
        told |= self._branches.place(record, record.text("promptId") or self._episode)
        if self._episode and record.text("promptId") is None:
            told[EPISODE] = self._episode
        session = record.text("sessionId")
        root = as_text(record.forked_from.get("sessionId"))
        if root:
            self._roots.setdefault(session, root)
        elif session in self._roots:
            told[ROOT] = self._roots[session]
        return told


def split(content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
    """The events of a file.

    A record without a time of its own gets that of the record before it, the first ones that of
    the first after them: bounds that do not change when the file grows.
    """
    session = _Session()
    waiting: list[_Found] = []
    latest: str | None = None
    for line in split_lines(content):
        if not line.content.strip():
            continue
        found = _read(line, session)
        if found.record is None and not line.complete:
            yield Skipped(line.offset, "the last line is still being written")
            continue
        time = _time_of(found.record)
        if time is None and latest is None:
            waiting.append(found)
            continue
        for earlier in waiting:
            yield _event(earlier, context, {NOT_AFTER: time})
        waiting.clear()
        yield _event(found, context, {} if time else {NOT_BEFORE: latest})
        latest = time or latest
    modified = context.modified_at.isoformat() if context.modified_at else None
    for earlier in waiting:
        yield _event(earlier, context, {FILE_TIME: modified})


def _read(line: Line, session: _Session) -> _Found:
    try:
        record = read_record(line.content)
    except MalformedRecord:
        return _Found(line, None, {})
    return _Found(line, record, session.place(record))


def _time_of(record: Record | None) -> str | None:
    stated = record.fields.get("timestamp") if record else None
    return str(stated) if read_time(stated) else None


def _episode(record: Record) -> str | None:
    """The prompt that opens an episode, if the record is one."""
    if record.type != "user":
        return None
    return record.text("promptId") or (record.key if is_prompt(record) else None)


def _event(found: _Found, context: FileContext, times: dict[str, str | None]) -> RawEvent | Skipped:
    record = found.record
    content = found.line.content
    if record is not None and len(content) > _LONGEST_AS_FOUND:
        content = _shortened(record)
    if len(content) > LONGEST_RECORD:
        return Skipped(found.line.offset, "the line is longer than can be kept")
    attributes = found.place | {name: value for name, value in times.items() if value}
    return RawEvent(
        project=context.project,
        source=SOURCE,
        source_ref=(record.key if record else f"content:{content_id(content.hex())}")[:1024],
        media_type=MEDIA_TYPE,
        body=body_of(content),
        owner=context.owner,
        attributes=attributes,
    )


def _shortened(record: Record) -> bytes:
    """The record with its long texts cut, and without copies of whole files."""
    return json.dumps(shortened(dict(record.fields), without=("originalFile",))).encode()
