"""The copies of a record: one speaks for all, whichever the lake got first."""

from dataclasses import dataclass

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.parser import Neighbours
from cortex_insight.parsers.claude_code_jsonl.ancestry import FOLLOWS
from cortex_insight.parsers.claude_code_jsonl.branches import SEQUENCE
from cortex_insight.parsers.claude_code_jsonl.links import record_of
from cortex_insight.parsers.claude_code_jsonl.record import Record
from cortex_insight.parsers.claude_code_jsonl.split import NOT_BEFORE, ROOT
from cortex_insight.parsers.records import as_text


@dataclass(frozen=True)
class Copy:
    """A record as one event tells it."""

    record: Record
    event: RawEvent


def record_keys(record: Record) -> tuple[str, ...]:
    """What its copies share: its own uuid, and that of the record that it repeats."""
    uuid = record.text("uuid")
    return tuple(dict.fromkeys(f"record:{one}" for one in (record.key, uuid) if one and uuid))


def leaf_keys(record: Record) -> tuple[str, ...]:
    """Of the record that a title names as the last one of its session."""
    leaf = record.text("leafUuid") if record.type == "summary" else None
    return (f"record:{leaf}",) if leaf else ()


def copies_in(neighbours: Neighbours, key: str) -> list[Copy]:
    """What the lake has under a key."""
    return [
        Copy(record, event)
        for event in neighbours.get(key, ())
        if (record := record_of(event)) is not None
    ]


def first_copy(copy: Copy, neighbours: Neighbours) -> Copy:
    """The one that speaks for all."""
    others = (one for key in record_keys(copy.record) for one in copies_in(neighbours, key))
    return min([copy, *others], key=order)


def order(copy: Copy) -> tuple[bool, str, bool, str]:
    """The original before what repeats it, then by session; best the one whose place is known."""
    record, event = copy.record, copy.event
    is_unplaced = FOLLOWS not in event.attributes
    return record.is_repeated, record.text("sessionId") or "", is_unplaced, event.event_id


def last_line(episode: str, neighbours: Neighbours) -> Copy | None:
    """Where it was last told whether an episode is left; null: nowhere."""
    lines = copies_in(neighbours, f"line:{episode}")
    return max(lines, key=_line_order, default=None)


def _line_order(copy: Copy) -> tuple[str, int, str]:
    moment = copy.record.text("timestamp") or as_text(copy.event.attributes.get(NOT_BEFORE))
    sequence = copy.event.attributes.get(SEQUENCE)
    return moment or "", sequence if isinstance(sequence, int) else 0, copy.event.event_id


def in_titled_session(title: Copy, neighbours: Neighbours) -> Copy | None:
    """A title in the session and at the moment of the record that it names; null: that is unknown.

    It may stand in the file of another session, so that its own place tells nothing.
    """
    leaves = [one for key in leaf_keys(title.record) for one in copies_in(neighbours, key)]
    leaf = min(leaves, key=order, default=None)
    if leaf is None:
        return None
    root = leaf.event.attributes.get(ROOT) or leaf.record.session
    stated: dict[str, JsonValue] = {NOT_BEFORE: leaf.record.text("timestamp"), ROOT: root}
    told = {name: value for name, value in stated.items() if value}
    return Copy(title.record, title.event.model_copy(update={"attributes": told}))
