"""Conversations with Claude.ai written for tests, and what the lake makes of them."""

import json
from collections.abc import Iterable
from typing import Any, Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.claude_ai import ClaudeAiParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from roxabi_contracts import Observation, RawEvent

Fields = dict[str, Any]

PARSER: Final = ClaudeAiParser()
BEGUN: Final = "2025-03-01T08:00:00.250000Z"


def message(name: str = "m1", text: str = "I live in Porto", **fields: object) -> Fields:
    """A message by the user; null removes a field."""
    stated = {
        "uuid": name, "sender": "human", "text": text, "created_at": BEGUN, "updated_at": BEGUN,
        "content": [{"type": "text", "text": text}], "attachments": [], "files": [], **fields,
    }  # fmt: skip
    return {key: value for key, value in stated.items() if value is not None}


def answer(name: str = "m2", text: str = "Noted.", **fields: object) -> Fields:
    """A message by the model."""
    return message(name, text, sender="assistant", **fields)


def blocks(*content: Fields, name: str = "m2", text: str = "") -> Fields:
    """An answer of several parts."""
    return answer(name, text, content=[*content])


def conversation(*messages: object, name: str = "c1", **fields: object) -> Fields:
    """A conversation; null removes a field."""
    stated = {
        "uuid": name, "name": "Moving house", "created_at": BEGUN,
        "updated_at": "2025-03-02T08:00:00+00:00", "account": {"uuid": "a"},
        "chat_messages": [*messages], **fields,
    }  # fmt: skip
    return {key: value for key, value in stated.items() if value is not None}


def to_bytes(content: object) -> bytes:
    """A file as the program writes it."""
    return json.dumps(content).encode()


def items(*contents: object, path: str = "conversations.json") -> list[RawEvent | Skipped]:
    """What files are split into."""
    return read_files(PARSER, [SampleFile(path, to_bytes(one)) for one in contents])


def readings(*contents: object, path: str = "conversations.json") -> list[Reading]:
    """What the lake makes of files."""
    found = [one for one in items(*contents, path=path) if isinstance(one, RawEvent)]
    return readings_of(PARSER, found)


def said_in(found: Iterable[Reading]) -> list[Observation]:
    """All that was said, in its order; nothing was rejected."""
    found = list(found)
    assert [one.reject for one in found if one.reject] == []
    told = {one.id: one for reading in found for one in reading.observations}
    return sorted(told.values(), key=lambda one: (one.timestamp, one.sequence or 0, one.source_ref))


def said(*messages: object, **fields: object) -> list[Observation]:
    """What is said in a conversation of these messages."""
    return said_in(readings([conversation(*messages, **fields)]))  # type: ignore[arg-type]


def only(*messages: object, **fields: object) -> Observation:
    """The one thing that is said."""
    (one,) = said(*messages, **fields)
    return one


def texts(*contents: object) -> list[str]:
    """The words of exports alone."""
    return [one.payload.text for one in said_in(readings(*contents))]
