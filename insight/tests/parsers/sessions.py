"""Records of a session, built for tests, and their way through the parser as in the lake."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parser import Draft, ParseContext, Parsed, Parser, Reject
from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier, Origin, RawEvent
from roxabi_contracts.ids import content_id

OWNER = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.OWNER,
    name="Mira",
    identifiers=(Identifier(scheme="email", value="mira@example.org"),),
)
RECEIVED = datetime(2026, 3, 20, 12, tzinfo=UTC)
MODIFIED = datetime(2026, 3, 19, 8, tzinfo=UTC)
FILE = FileContext(project="personal", owner=OWNER, path="s.jsonl", modified_at=MODIFIED)
CONTEXT = ParseContext(received_at=RECEIVED, origin=Origin.TRUSTED)


def line(kind: str, content: object = None, **fields: object) -> dict[str, object]:
    """A record with the fields that every one has."""
    record: dict[str, object] = {
        "type": kind,
        "uuid": content_id(kind, json.dumps([content, fields], sort_keys=True)),
        "sessionId": "s-1",
        "cwd": "/home/mira/code/tidebook",
        "gitBranch": "main",
        "version": "2.0.14",
        "timestamp": "2026-03-10T08:00:00.250Z",
        **fields,
    }
    if content is not None:
        record["message"] = {"role": kind, "content": content}
    return {name: value for name, value in record.items() if value is not None}


def user(content: object, **fields: object) -> dict[str, object]:
    return line("user", content, **fields)


def assistant(*blocks: object, **fields: object) -> dict[str, object]:
    return line("assistant", list(blocks), **fields)


def call(tool: str, arguments: object, call_id: str = "t-1", **fields: object) -> dict[str, object]:
    return assistant(
        {"type": "tool_use", "id": call_id, "name": tool, "input": arguments}, **fields
    )


def result(
    content: object, details: object = None, call_id: str = "t-1", **block: object
) -> dict[str, object]:
    item = {"type": "tool_result", "tool_use_id": call_id, "content": content, **block}
    return user([item], toolUseResult=details)


def to_bytes(records: Iterable[object]) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def events_of(parser: Parser, content: bytes, context: FileContext = FILE) -> list[RawEvent]:
    found = list(parser.split([content], context))
    return [event for event in found if isinstance(event, RawEvent)]


def skipped_of(parser: Parser, content: bytes) -> list[Skipped]:
    return [found for found in parser.split([content], FILE) if isinstance(found, Skipped)]


def read(parser: Parser, events: Iterable[RawEvent]) -> list[Parsed | Reject]:
    """Each event parsed with all its neighbours among the others."""
    known = {event.event_id: event for event in events}
    providers: dict[str, list[str]] = {}
    for name in sorted(known):
        for key in parser.provides(known[name]):
            providers.setdefault(key, []).append(name)
    return [
        parser.parse(event, _neighbours(parser, name, known, providers), CONTEXT)
        for name, event in known.items()
    ]


def _neighbours(
    parser: Parser,
    name: str,
    known: Mapping[str, RawEvent],
    providers: Mapping[str, list[str]],
) -> dict[str, tuple[RawEvent, ...]]:
    found = {
        key: tuple(known[other] for other in providers.get(key, []) if other != name)
        for key in parser.needs(known[name])
    }
    return {key: events for key, events in found.items() if events}


def drafts_of(parser: Parser, records: Iterable[object]) -> list[Draft]:
    """What all records say; none of them is rejected."""
    drafts: list[Draft] = []
    for parsed in read(parser, events_of(parser, to_bytes(records))):
        assert isinstance(parsed, Parsed)
        drafts.extend(parsed.drafts)
    return drafts
