"""Conversations written for tests, and what the lake makes of them."""

import json
from collections.abc import Iterable
from typing import Any, Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.chatgpt import ChatGptParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from roxabi_contracts import Observation, RawEvent

Fields = dict[str, Any]

PARSER: Final = ChatGptParser()
BEGUN: Final = 1_700_000_000.5


def message(role: str = "user", text: object = "I live in Porto", **fields: object) -> Fields:
    """A message as the program writes it; null removes a field."""
    author: Fields = {"role": role, "name": fields.pop("name", None), "metadata": {}}
    content = fields.pop("content", {"content_type": "text", "parts": [text]})
    return {
        "author": author, "create_time": BEGUN, "update_time": None, "content": content,
        "status": "finished_successfully", "recipient": "all", "metadata": {}, **fields,
    }  # fmt: skip


def answer(text: object = "Noted.", **fields: object) -> Fields:
    """A message by the model."""
    return message("assistant", text, **fields)


def tool(name: str, text: object = "done", **fields: object) -> Fields:
    """A message by a tool."""
    return message("tool", text, name=name, **fields)


def code(text: str, recipient: str = "python") -> Fields:
    """A call of a tool."""
    return answer(content={"content_type": "code", "text": text}, recipient=recipient)


def line(*messages: Fields | None, under: str | None = None, first: int = 0) -> dict[str, Fields]:
    """Nodes `n0`, `n1`, ... one below the other."""
    nodes: dict[str, Fields] = {}
    above = under
    for number, one in enumerate(messages, first):
        key = f"n{number}"
        nodes[key] = {"id": key, "parent": above, "children": [], "message": one}
        above = key
    return nodes


def conversation(
    mapping: dict[str, Fields], current: str | None = None, name: str = "c1", **fields: object
) -> Fields:
    """A conversation that ended at its last node, or at this one."""
    stated = {
        "title": "Moving house", "create_time": BEGUN, "update_time": BEGUN + 100,
        "mapping": mapping, "current_node": current or next(reversed(mapping), None),
        "conversation_id": name, "gizmo_id": None, **fields,
    }  # fmt: skip
    return {key: value for key, value in stated.items() if value is not None}


def to_bytes(content: object) -> bytes:
    """A file as the program writes it."""
    return json.dumps(content).encode()


def items(*contents: object, path: str = "conversations.json") -> list[RawEvent | Skipped]:
    """What files are split into."""
    return read_files(PARSER, [SampleFile(path, to_bytes(one)) for one in contents])


def events(*contents: object) -> list[RawEvent]:
    """The events of files."""
    return [one for one in items(*contents) if isinstance(one, RawEvent)]


def readings(*contents: object) -> list[Reading]:
    """What the lake makes of exports."""
    return readings_of(PARSER, events(*contents))


def said_in(found: Iterable[Reading]) -> list[Observation]:
    """All that was said, in its order; nothing was rejected."""
    found = list(found)
    assert [one.reject for one in found if one.reject] == []
    told = {one.id: one for reading in found for one in reading.observations}
    return sorted(told.values(), key=lambda one: (one.timestamp, one.sequence or 0, one.source_ref))


def said(*contents: object) -> list[Observation]:
    """What is said in exports."""
    return said_in(readings(*contents))


def texts(*contents: object) -> list[str]:
    """The words alone."""
    return [one.payload.text for one in said(*contents)]


def only(*messages: Fields | None, **fields: object) -> Observation:
    """The one thing that is said in a conversation of these messages."""
    (one,) = said([conversation(line(*messages), **fields)])  # type: ignore[arg-type]
    return one


def unknown(*messages: Fields) -> dict[str, int]:
    """What of messages has no known meaning."""
    found: dict[str, int] = {}
    for reading in readings([conversation(line(*messages))]):
        found |= reading.unknown_types
    return found
