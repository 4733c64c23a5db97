"""Sessions of Codex: one JSON record a line, in the shapes of many versions."""

from collections.abc import Iterable, Iterator

from roxabi_contracts import RawEvent
from roxabi_contracts.base import epoch_ms

from cortex_insight.event import FileContext, FileHead, Skipped
from cortex_insight.parser import Confidence, Neighbours, ParseContext, Parsed, Reject
from cortex_insight.parsers.codex.drafts import parse_record
from cortex_insight.parsers.codex.frame import Frame
from cortex_insight.parsers.codex.recognise import recognise
from cortex_insight.parsers.codex.record import (
    COMPACTED,
    EVENT,
    ROLLED_BACK,
    Record,
    read_record,
)
from cortex_insight.parsers.codex.session import ECHO, PROMPT, SEQUENCE, SESSION_ID, UNDONE
from cortex_insight.parsers.codex.speech import said_in
from cortex_insight.parsers.codex.splitting import MEDIA_TYPE, SOURCE, split
from cortex_insight.parsers.records import MalformedRecord, as_text, read_time

__all__ = ["CodexParser"]


class CodexParser:
    """The source `codex`.

    A session that goes on from another one repeats its records, under the same natural ids. Of
    all copies of a record the first one is read, the same for each of them, so that they all say
    the same. What stands in a turn that was rolled back says nothing.
    """

    source: str = SOURCE
    title: str = "Sessions of the Codex CLI (rollout-*.jsonl below ~/.codex/sessions)"
    version: int = 1
    media_types: frozenset[str] = frozenset({MEDIA_TYPE})

    def recognise(self, head: FileHead) -> Confidence:
        """By the envelopes of its records."""
        return recognise(head)

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """One event for each record, as the file is read."""
        return split(content, context)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """What says something, for its copies; calls, for their results; turns taken back."""
        record = _record_of(event)
        if record is None:
            return ()
        undone = event.attributes.get(UNDONE) if _is_rollback(record) else None
        turns = [f"undone:{one}" for one in (undone if isinstance(undone, list) else [])]
        copies = (_copy_key(event),) if _speaks(record, event) else ()
        calls = (_call_key(event, record),) if record.is_call and record.call_id else ()
        return (*copies, *calls, *turns)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """The copies of the record, the call that it answers, and the end of its turn."""
        record = _record_of(event)
        if record is None or not _speaks(record, event):
            return ()
        prompt = as_text(event.attributes.get(PROMPT))
        call = (_call_key(event, record),) if record.is_result and record.call_id else ()
        return (_copy_key(event), *call, *((f"undone:{prompt}",) if prompt else ()))

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
        is_undone = neighbours.get(f"undone:{as_text(event.attributes.get(PROMPT))}")
        if is_undone or event.attributes.get(ECHO) is True:
            return Parsed()
        record, first = _first_copy(record, event, neighbours)
        frame = Frame.of(record, first, event.owner, context)
        return parse_record(frame, _call(event, record, neighbours))


def _record_of(event: RawEvent) -> Record | None:
    try:
        return read_record(event.body.to_bytes())
    except MalformedRecord:
        return None


def _is_rollback(record: Record) -> bool:
    return record.kind == EVENT and record.type == ROLLED_BACK


def _speaks(record: Record, event: RawEvent) -> bool:
    """Whether an observation may come of it."""
    if event.attributes.get(ECHO) is True:
        return False
    if record.is_call or record.is_result or record.kind == COMPACTED:
        return True
    return said_in(record) is not None or (record.kind == EVENT and record.type == "error")


def _copy_key(event: RawEvent) -> str:
    return f"record:{event.source_ref}"


def _call_key(event: RawEvent, record: Record) -> str:
    """Of a call within its session: not every model gives its calls ids of their own."""
    return f"call:{as_text(event.attributes.get(SESSION_ID))}:{record.call_id}"


def _first_copy(record: Record, event: RawEvent, neighbours: Neighbours) -> tuple[Record, RawEvent]:
    """The copy that speaks for all: the earliest, of those the one nearest to its file's begin."""
    others = [
        (copy, other)
        for other in neighbours.get(_copy_key(event), ())
        if (copy := _record_of(other)) is not None
    ]
    return min([(record, event), *others], key=_order)


def _order(copy: tuple[Record, RawEvent]) -> tuple[int, int, str]:
    record, event = copy
    stated = read_time(record.time)
    sequence = event.attributes.get(SEQUENCE)
    return (
        epoch_ms(stated.moment) if stated and stated.moment else 0,
        sequence if isinstance(sequence, int) else 0,
        event.event_id,
    )


def _call(event: RawEvent, record: Record, neighbours: Neighbours) -> tuple[str, Record] | None:
    """The call that a result answers, with its natural id."""
    if not record.is_result:
        return None
    found = [
        (other.source_ref, call)
        for other in neighbours.get(_call_key(event, record), ())
        if (call := _record_of(other)) is not None
    ]
    return min(found, key=lambda one: one[0], default=None)
