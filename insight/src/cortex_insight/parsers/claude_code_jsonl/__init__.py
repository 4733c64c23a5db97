"""Sessions of Claude Code: one JSON record a line, written by a program that changes weekly."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pydantic import JsonValue
from roxabi_contracts import ActorRef, RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.claude_code_jsonl.answers import answer_key, moment, told_by
from cortex_insight.parsers.claude_code_jsonl.branches import (
    branch_keys,
    is_left,
    told_lines,
)
from cortex_insight.parsers.claude_code_jsonl.copies import (
    Copy,
    copies_in,
    first_copy,
    in_titled_session,
    last_line,
    leaf_keys,
    order,
    record_keys,
)
from cortex_insight.parsers.claude_code_jsonl.drafts import parse_record
from cortex_insight.parsers.claude_code_jsonl.frame import Frame
from cortex_insight.parsers.claude_code_jsonl.links import (
    is_told_elsewhere,
    needed_links,
    provided_links,
    record_of,
    spawned_by,
)
from cortex_insight.parsers.claude_code_jsonl.recognise import is_sidecar, recognise
from cortex_insight.parsers.claude_code_jsonl.record import (
    Record,
    block_ref,
    read_record,
)
from cortex_insight.parsers.claude_code_jsonl.results import Call
from cortex_insight.parsers.claude_code_jsonl.split import (
    EPISODE,
    MEDIA_TYPE,
    SOURCE,
    split,
)
from cortex_insight.parsers.records import MalformedRecord, as_object, as_text, read_json

__all__ = ["ClaudeCodeJsonlParser"]


class ClaudeCodeJsonlParser:
    """The source `claude-code-jsonl`.

    A resumed or forked session repeats records. Of all copies of a record one is read, the same
    for each of them, so that they all say the same; and so do all records of one answer that
    tell the same block of it. What stands below a prompt that was taken back says nothing.
    """

    source: str = SOURCE
    title: str = "Sessions of Claude Code (*.jsonl below ~/.claude/projects)"
    version: int = 3
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
        record = record_of(event)
        if record is None:
            return ()
        call_ids = (as_text(block.get("id")) for _, block in record.calls)
        calls = (_call_key(one) for one in call_ids if one)
        branches = (*branch_keys(record), *told_lines(event))
        copies = (*record_keys(record), *_answer_keys(record, event))
        return (*copies, *branches, *calls, *provided_links(record))

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Copies of the record, the rest of its answer, what it answers, what it names."""
        record = record_of(event)
        if record is None:
            return ()
        calls = map(_call_key, record.result_ids)
        copies = (*record_keys(record), *leaf_keys(record), *_answer_keys(record, event))
        episode = _episode(record, event)
        branches = (*branch_keys(record), *((f"line:{episode}",) if episode else ()))
        return (*copies, *branches, *calls, *needed_links(record))

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
        if is_told_elsewhere(neighbours, record) or _is_left(record, event, neighbours):
            return Parsed()
        frames = _frames(Copy(record, event), event.owner, neighbours, context)
        calls = _calls(record, neighbours)
        parsed = [parse_record(frame, calls) for frame in frames]
        return Parsed(
            tuple(draft for one in parsed for draft in one.drafts),
            sum((Counter(one.unknown_types) for one in parsed), Counter[str]()),
        )


def _frames(
    copy: Copy, owner: ActorRef, neighbours: Neighbours, context: ParseContext
) -> list[Frame]:
    """The records that speak for this one, each in its place."""
    if copy.record.type == "summary":
        title = in_titled_session(copy, neighbours)
        return [Frame.of(title.record, title.event, owner, context)] if title else []
    first = first_copy(copy, neighbours)
    keys = _answer_keys(copy.record, copy.event)
    others = [one for key in keys for one in copies_in(neighbours, key)]
    answer = {one.record.key: one for one in sorted([*others, first], key=order, reverse=True)}
    told = [first.record]
    if len(answer) > 1:
        told = told_by(first.record, [one.record for one in answer.values()])
    frames = (Frame.of(one, answer[one.key].event, owner, context) for one in told)
    return [_linked(frame, neighbours) for frame in frames]


def _linked(frame: Frame, neighbours: Neighbours) -> Frame:
    """A record beside other branches, or of a sub-agent after the call that started it."""
    follows, call_id = spawned_by(neighbours, frame.record)
    others = [one.record for key in branch_keys(frame.record) for one in copies_in(neighbours, key)]
    branches = sorted({block_ref(one, 0) for one in others if one.key != frame.record.key})
    return replace(
        frame,
        follows=frame.follows or follows,
        call_id=call_id,
        other_branch=branches[0] if branches else None,
    )


def _answer_keys(record: Record, event: RawEvent) -> tuple[str, ...]:
    key = answer_key(record, as_text(event.attributes.get(EPISODE)))
    return (key,) if key else ()


def _episode(record: Record, event: RawEvent) -> str | None:
    return record.text("promptId") or as_text(event.attributes.get(EPISODE))


def _is_left(record: Record, event: RawEvent, neighbours: Neighbours) -> bool:
    """Whether the user took back the prompt that the record belongs to, and stayed with that."""
    episode = _episode(record, event)
    last = last_line(episode, neighbours) if episode else None
    return last is not None and episode is not None and is_left(last.event, episode)


def _call_key(call_id: str) -> str:
    return f"call:{call_id}"


def _calls(record: Record, neighbours: Neighbours) -> dict[str, Call]:
    return {
        call_id: call
        for call_id in record.result_ids
        if (call := _call_of(copies_in(neighbours, _call_key(call_id)), call_id)) is not None
    }


def _call_of(callers: Sequence[Copy], call_id: str) -> Call | None:
    """The call where it is first told."""
    for caller in sorted(callers, key=lambda one: (moment(one.record), order(one))):
        for index, block in caller.record.calls:
            if block.get("id") == call_id:
                tool = as_text(block.get("name"))
                return Call(block_ref(caller.record, index), tool, _input(block.get("input")))
    return None


def _input(value: JsonValue) -> dict[str, JsonValue]:
    """The arguments of a call, which older versions wrote as JSON in a text."""
    if not isinstance(value, str):
        return as_object(value)
    try:
        return as_object(read_json(value.encode()))
    except ValueError:
        return {}
