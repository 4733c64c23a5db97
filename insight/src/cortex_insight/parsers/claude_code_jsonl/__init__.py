"""Sessions of Claude Code: one JSON record a line, written by a program that changes weekly."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.claude_code_jsonl.drafts import parse_record
from cortex_insight.parsers.claude_code_jsonl.frame import Frame
from cortex_insight.parsers.claude_code_jsonl.links import (
    is_told_elsewhere,
    needed_links,
    provided_links,
    spawned_by,
)
from cortex_insight.parsers.claude_code_jsonl.recognise import is_sidecar, recognise
from cortex_insight.parsers.claude_code_jsonl.record import (
    MalformedRecord,
    Record,
    block_ref,
    read_record,
)
from cortex_insight.parsers.claude_code_jsonl.results import Call
from cortex_insight.parsers.claude_code_jsonl.split import MEDIA_TYPE, SOURCE, split
from cortex_insight.parsers.records import as_object, as_text, read_json

__all__ = ["ClaudeCodeJsonlParser"]


class ClaudeCodeJsonlParser:
    """The source `claude-code-jsonl`.

    A resumed or forked session repeats records under their old uuid. Of all copies of a record
    one is read, the same for each of them, so that they all say the same.
    """

    source: str = SOURCE
    title: str = "Sessions of Claude Code (*.jsonl below ~/.claude/projects)"
    version: int = 2
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the fields of its records."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event for each line that is not blank, as the file is read."""
        if is_sidecar(context.path):
            return iter((Skipped(0, "it lies beside a sub-agent's session, which says more"),))
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """The record itself, for its copies, and its tool calls, for their results."""
        record = _record_of(event)
        if record is None:
            return ()
        call_ids = (as_text(block.get("id")) for _, block in record.calls)
        calls = (_call_key(one) for one in call_ids if one)
        return (*_record_keys(record), *calls, *provided_links(record))

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """The copies of the record, and the calls that its results answer."""
        record = _record_of(event)
        if record is None:
            return ()
        calls = map(_call_key, record.result_ids)
        return (*_record_keys(record), *calls, *needed_links(record))

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the record says."""
        if event.owner is None or not event.owner.identifiers:
            return Reject("no_owner", "the event does not say whose memory it goes to")
        try:
            record = read_record(event.body.to_bytes())
        except MalformedRecord as error:
            return Reject(error.code, error.reason)
        record, source_event = _first_copy(record, event, neighbours)
        if is_told_elsewhere(neighbours, record):
            return Parsed()
        frame = Frame.of(record, source_event, event.owner, context)
        follows, call_id = spawned_by(neighbours, record)
        frame = replace(frame, follows=follows, call_id=call_id)
        return parse_record(frame, _calls(record, neighbours))


def _record_of(event: RawEvent) -> Record | None:
    try:
        return read_record(event.body.to_bytes())
    except MalformedRecord:
        return None


def _record_keys(record: Record) -> tuple[str, ...]:
    uuid = record.text("uuid")
    return (f"record:{uuid}",) if uuid else ()


def _call_key(call_id: str) -> str:
    return f"call:{call_id}"


def _first_copy(record: Record, event: RawEvent, neighbours: Neighbours) -> tuple[Record, RawEvent]:
    """The copy that speaks for all: of the lowest session, then of the lowest event."""
    others = [
        (copy, other)
        for key in _record_keys(record)
        for other in neighbours.get(key, ())
        if (copy := _record_of(other)) is not None
    ]
    if not others:
        return record, event
    copies = [(record, event), *others]
    return min(copies, key=lambda one: (one[0].text("sessionId") or "", one[1].event_id))


def _calls(record: Record, neighbours: Neighbours) -> dict[str, Call]:
    return {
        call_id: call
        for call_id in record.result_ids
        for event in neighbours.get(_call_key(call_id), ())
        if (call := _call_of(event, call_id)) is not None
    }


def _call_of(event: RawEvent, call_id: str) -> Call | None:
    caller = _record_of(event)
    if caller is None:
        return None
    for index, block in caller.calls:
        if block.get("id") == call_id:
            tool = as_text(block.get("name"))
            return Call(block_ref(caller, index), tool, _input(block.get("input")))
    return None


def _input(value: JsonValue) -> dict[str, JsonValue]:
    """The arguments of a call, which older versions wrote as JSON in a text."""
    if not isinstance(value, str):
        return as_object(value)
    try:
        return as_object(read_json(value.encode()))
    except ValueError:
        return {}
