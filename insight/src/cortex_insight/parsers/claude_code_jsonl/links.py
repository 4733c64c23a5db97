"""How records of a session hang together beyond calls and copies: by keys, each for one record."""

from typing import Final

from roxabi_contracts import RawEvent
from roxabi_contracts.ids import content_id

from cortex_insight.parser import Neighbours
from cortex_insight.parsers.claude_code_jsonl.record import (
    Record,
    block_ref,
    read_record,
    text_of,
)
from cortex_insight.parsers.claude_code_jsonl.speech import queued_prompt
from cortex_insight.parsers.records import MalformedRecord, as_object, as_text

_REMOVED: Final = "remove"


def provided_links(record: Record) -> tuple[str, ...]:
    """What was typed meanwhile, for its delivery; a sub-agent's start, for its first record."""
    queued = queued_prompt(record)
    keys = [] if queued is None else [_steering_key(record, queued)]
    agent = _spawned(record)
    return (*keys, f"agent:{agent}") if agent else tuple(keys)


def needed_links(record: Record) -> tuple[str, ...]:
    """The same from the other side."""
    delivered = delivered_prompt(record)
    if delivered is not None:
        return (_steering_key(record, delivered),)
    agent = record.text("agentId")
    is_first = agent is not None and record.by_agent and record.text("parentUuid") is None
    return (f"agent:{agent}",) if is_first and record.type in ("user", "assistant") else ()


def delivered_prompt(record: Record) -> str | None:
    """What was typed while the agent was at work, as the queue tells when it delivers it."""
    if record.type != "queue-operation" or record.text("operation") != _REMOVED:
        return None
    return text_of(record.fields.get("content")) or None


def spawned_by(neighbours: Neighbours, record: Record) -> tuple[str | None, str | None]:
    """What a sub-agent's first record follows: the result of its call, or else the call's id."""
    for key in needed_links(record):
        for event in neighbours.get(key, ()):
            spawn = record_of(event)
            if spawn is None:
                continue
            for index, block in enumerate(spawn.blocks):
                if block.get("type") == "tool_result":
                    return block_ref(spawn, index), as_text(block.get("tool_use_id"))
            return None, spawn.text("parentToolUseID")
    return None, None


def is_told_elsewhere(neighbours: Neighbours, record: Record) -> bool:
    """Whether the attachment is there that says what the queue delivers."""
    return delivered_prompt(record) is not None and any(
        neighbours.get(key) for key in needed_links(record)
    )


def _spawned(record: Record) -> str | None:
    """The sub-agent that a result or a sign of progress names."""
    for field in ("toolUseResult", "data"):
        agent = as_text(as_object(record.fields.get(field)).get("agentId"))
        if agent and not record.by_agent:
            return agent
    return None


def _steering_key(record: Record, text: str) -> str:
    return f"typed:{record.text('sessionId')}:{content_id(' '.join(text.split()))}"


def record_of(event: RawEvent) -> Record | None:
    """The record of an event; null: it is none."""
    try:
        return read_record(event.body.to_bytes())
    except MalformedRecord:
        return None
