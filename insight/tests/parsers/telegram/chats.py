"""Exports and updates written for tests, and what the lake makes of them."""

import json
from typing import Any, Final

from cortex_insight.event import Skipped
from cortex_insight.parsers.telegram import TelegramParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorRef, Identifier, Observation, RawEvent

Fields = dict[str, Any]

PARSER: Final = TelegramParser()
TOM: Final = "user77"
SENT: Final = 1_772_526_600
ADA: Final = OWNER.model_copy(
    update={
        "identifiers": (
            *OWNER.identifiers,
            Identifier(scheme="account:telegram", value="1"),
        )
    }
)


def message(number: int = 1, text: object = "I live in Porto", **fields: object) -> Fields:
    """A message of an export, by Tom; null removes a field."""
    stated = {
        "id": number,
        "type": "message",
        "date": "2026-03-03T09:30:00",
        "date_unixtime": str(SENT + number),
        "from": "Tom",
        "from_id": TOM,
        "text": text,
        **{name.removesuffix("_"): value for name, value in fields.items()},
    }
    return {name: value for name, value in stated.items() if value is not None}


def service(number: int, action: str, **fields: object) -> Fields:
    """A note of the service."""
    stated = message(number, "", type="service", from_=None, from_id=None)
    return {**stated, "actor": "Tom", "actor_id": TOM, "action": action, **fields}


def chat(*messages: Fields, kind: str = "private_group", **fields: object) -> Fields:
    """A chat of an export."""
    return {"name": "Family", "type": kind, "id": 5, **fields, "messages": [*messages]}


def update(number: int = 1, kind: str = "message", **fields: object) -> Fields:
    """An update of the Bot API, about a message by Tom to a bot."""
    tom = {"id": 77, "is_bot": False, "first_name": "Tom", "last_name": "Reed"}
    inner = {
        "message_id": number,
        "from": tom,
        "chat": {"id": 77, "type": "private", "first_name": "Tom"},
        "date": SENT + number,
        "text": "I live in Porto",
        **{name.removesuffix("_"): value for name, value in fields.items()},
    }
    return {"update_id": 1000 + number, kind: {n: v for n, v in inner.items() if v is not None}}


def to_file(value: object) -> bytes:
    """A value as the program writes it."""
    return json.dumps(value, indent=1, ensure_ascii=False).encode("utf-8", "surrogatepass")


def lines(*updates: Fields) -> bytes:
    """Updates, a line each."""
    return b"".join(json.dumps(one).encode() + b"\n" for one in updates)


def readings(*files: bytes, owner: ActorRef = OWNER) -> list[Reading]:
    """What the lake makes of files."""
    items = read_files(PARSER, [SampleFile("result.json", one) for one in files], owner=owner)
    return readings_of(PARSER, [item for item in items if isinstance(item, RawEvent)])


def said(*files: object, owner: ActorRef = OWNER) -> list[Observation]:
    """All observations in the order of their time, each once."""
    content = [one if isinstance(one, bytes) else to_file(one) for one in files]
    found = readings(*content, owner=owner)
    assert [one.reject for one in found if one.reject] == []
    by_id = {one.id: one for reading in found for one in reading.observations}
    return sorted(by_id.values(), key=lambda one: (one.timestamp, one.revision, one.source_ref))


def only(file: object, owner: ActorRef = OWNER) -> Observation:
    """The one observation of a file."""
    (one,) = said(file, owner=owner)
    return one


def unknown(file: object) -> dict[str, int]:
    """The record types that are not known."""
    return {
        kind: count
        for reading in readings(to_file(file))
        for kind, count in reading.unknown_types.items()
    }


def skipped(content: bytes) -> list[str]:
    """Why records of a file were skipped."""
    items = read_files(PARSER, [SampleFile("result.json", content)])
    return [item.reason for item in items if isinstance(item, Skipped)]


def keys(one: Observation) -> list[str | None]:
    """The first key of each actor."""
    return [next((str(key) for key in who.identifiers), None) for who in one.actors]
