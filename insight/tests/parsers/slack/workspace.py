"""A small workspace written for tests, and what the lake makes of it."""

import json
from collections.abc import Mapping
from typing import Any, Final

from cortex_insight.parsers.slack import SlackParser
from cortex_insight.reading import Reading
from cortex_insight.testing import SampleFile, read_files, readings_of
from cortex_insight.testing.samples import OWNER
from roxabi_contracts import ActorRef, Observation, RawEvent

Fields = dict[str, Any]

PARSER: Final = SlackParser()
STAMP: Final = "1772526601.000200"


def user(number: str = "U0TOM", **fields: object) -> Fields:
    """A member of the workspace."""
    profile = {"real_name": "Tom Reed", "display_name": "tom", "email": "tom@example.net"}
    return {"id": number, "team_id": "T1", "name": "tom", "updated": 1_700_000_000,
            "profile": profile, **fields}  # fmt: skip


ADA: Final = user("U0ADA", name="ada", profile={"real_name": "Ada", "email": "owner@example.org"})
CHANNEL: Final[Fields] = {"id": "C0GEN", "name": "general", "created": 1, "members": ["U0TOM"]}


def message(stamp: str = STAMP, text: str = "I live in Porto", **fields: object) -> Fields:
    """A message by Tom; null removes a field."""
    stated = {"type": "message", "user": "U0TOM", "text": text, "ts": stamp, **fields}
    return {name: value for name, value in stated.items() if value is not None}


def export(
    *messages: Fields,
    users: list[Fields] | None = None,
    channels: list[Fields] | None = None,
    folder: str = "general",
) -> dict[str, list[Fields]]:
    """The files of an export by path."""
    return {
        "channels.json": [CHANNEL] if channels is None else channels,
        f"{folder}/2026-03-03.json": [*messages],
        "users.json": [user(), ADA] if users is None else users,
    }


def to_files(content: Mapping[str, object]) -> tuple[SampleFile, ...]:
    """Files as the program writes them."""
    return tuple(
        SampleFile(path, json.dumps(value, indent=1).encode()) for path, value in content.items()
    )


def readings(content: Mapping[str, object], owner: ActorRef = OWNER) -> list[Reading]:
    """What the lake makes of an export."""
    items = read_files(PARSER, to_files(content), owner=owner)
    return readings_of(PARSER, [item for item in items if isinstance(item, RawEvent)])


def said(content: Mapping[str, object], owner: ActorRef = OWNER) -> list[Observation]:
    """What was said in it, in order; the profiles of users left out."""
    found = readings(content, owner)
    assert [one.reject for one in found if one.reject] == []
    told = {one.id: one for reading in found for one in reading.observations}
    spoken = [one for one in told.values() if not one.source_ref.startswith("user/")]
    return sorted(spoken, key=lambda one: (one.timestamp, one.revision, one.source_ref))


def only(content: Mapping[str, object], owner: ActorRef = OWNER) -> Observation:
    """The one thing that was said."""
    (one,) = said(content, owner)
    return one


def keys(one: Observation) -> list[list[str]]:
    """The keys of each actor."""
    return [[str(key) for key in who.identifiers] for who in one.actors]
