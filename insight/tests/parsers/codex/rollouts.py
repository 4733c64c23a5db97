"""Sessions of Codex written for tests, and what the lake makes of them."""

import json
from typing import Any, Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.codex import CodexParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from roxabi_contracts import Observation, RawEvent

Fields = dict[str, Any]

PARSER: Final = CodexParser()
FIRST: Final = "019c0000-0000-7000-8000-000000000001"
SECOND: Final = "019c4000-0000-7000-8000-000000000002"
EARLY_TURN: Final = "019c0000-1000-7000-8000-00000000000a"
LATE_TURN: Final = "019c4000-1000-7000-8000-00000000000b"


def line(kind: str, payload: Fields, at: str | None = "2026-03-01T08:00:00.250Z") -> Fields:
    """A record in its envelope; null: without a time."""
    stated = {"timestamp": at, "type": kind, "payload": payload}
    return {name: value for name, value in stated.items() if value is not None}


def meta(session: str = FIRST, **fields: object) -> Fields:
    """The beginning of a session."""
    stated = {
        "id": session, "timestamp": "2026-03-01T08:00:00.000Z", "cwd": "/home/mira/tidebook",
        "originator": "codex_cli_rs", "cli_version": "0.120.0", "source": "cli",
        "git": {"branch": "main", "commit_hash": "abc"}, **fields,
    }  # fmt: skip
    return line("session_meta", {k: v for k, v in stated.items() if v is not None})


def turn(turn_id: str | None = None, model: str = "gpt-5-codex", **fields: object) -> Fields:
    """The beginning of a turn."""
    stated = {"turn_id": turn_id, "model": model, "cwd": "/home/mira/tidebook", **fields}
    return line("turn_context", {k: v for k, v in stated.items() if v is not None})


def item(kind: str, /, **fields: object) -> Fields:
    """An item of the conversation with the model."""
    return line("response_item", {"type": kind, **fields})


def user(*texts: str, **fields: object) -> Fields:
    """A message that stands as the user's."""
    return item("message", role="user", content=[{"type": "input_text", "text": one}
                                                 for one in texts], **fields)  # fmt: skip


def agent(text: str = "Done.") -> Fields:
    """A message by the model."""
    return item("message", role="assistant", content=[{"type": "output_text", "text": text}])


def event(kind: str, /, **fields: object) -> Fields:
    """A step of the program."""
    return line("event_msg", {"type": kind, **fields})


def completed(kind: str, text: str) -> Fields:
    """A message as versions tell it that tell of items as a whole."""
    content = [{"type": "text", "text": text}]
    return event("item_completed", turn_id="t", item={"type": kind, "id": "i", "content": content})


def call(name: str, arguments: object, call_id: str = "call_1") -> Fields:
    """A call of a tool."""
    return item("function_call", name=name, arguments=json.dumps(arguments), call_id=call_id)


def result(output: object, call_id: str = "call_1") -> Fields:
    """What a tool answers."""
    return item("function_call_output", call_id=call_id, output=output)


def at(moment: str, *records: Fields) -> list[Fields]:
    """Records as they are written at another time."""
    return [{**one, "timestamp": moment} for one in records]


def to_bytes(*records: object) -> bytes:
    """A file as the program writes it."""
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def to_file(*records: object, path: str = "2026/03/01/rollout-1.jsonl") -> SampleFile:
    """A session file."""
    return SampleFile(path, to_bytes(*records))


def items(*files: SampleFile) -> list[RawEvent | Skipped]:
    """What files are split into."""
    return read_files(PARSER, files)


def readings(*files: SampleFile) -> list[Reading]:
    """What the lake makes of files."""
    return readings_of(PARSER, [one for one in items(*files) if isinstance(one, RawEvent)])


def said_in(*files: SampleFile) -> list[Observation]:
    """All that is said in files, in its order; nothing is rejected."""
    found = readings(*files)
    assert [one.reject for one in found if one.reject] == []
    told = {one.id: one for reading in found for one in reading.observations}
    return sorted(told.values(), key=lambda one: (one.timestamp, one.sequence or 0, one.source_ref))


def said(*records: Fields) -> list[Observation]:
    """All that is said in a session of these records."""
    return said_in(to_file(meta(), turn(), *records))


def texts(*records: Fields) -> list[str]:
    """The words alone."""
    return [one.payload.text for one in said(*records)]


def only(*records: Fields) -> Observation:
    """The one thing that is said."""
    (one,) = said(*records)
    return one


def unknown(*records: Fields) -> dict[str, int]:
    """What of a session has no known meaning."""
    found: dict[str, int] = {}
    for reading in readings(to_file(meta(), *records)):
        found |= reading.unknown_types
    return found
