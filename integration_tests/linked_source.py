"""A source made for tests: records that ask for each other, and records that go wrong."""

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from cortex_insight.event import FileContext, FileHead, Skipped, split_lines
from cortex_insight.interpret import SourceConfig
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Confidence, Draft, Neighbours, ParseContext, Parsed, Reject
from pydantic import JsonValue
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Identifier,
    JsonBody,
    Origin,
    RawEvent,
    Statement,
    TimeNote,
    codec,
    subjects,
)
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

SOURCE = "linked"
RECEIVED = datetime(2026, 3, 1, 12, tzinfo=UTC)
OWNER = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.OWNER,
    identifiers=(Identifier(scheme="email", value="ada@example.org"),),
)
TIME = TimeNote(precision=TimePrecision.MILLISECOND, source=TimeSource.RECEIPT)


def record(name: str, project: str = "p", **fields: JsonValue) -> RawEvent:
    """A record by its name.

    Fields:
        text: What it says.
        after: Names of the records that it asks for; their texts come first in what it says.
        echo: True: it says nothing once the records that it asks for are there.
        fault: `raise`, `reject`, `nul`, `store`: how reading it goes wrong.
    """
    return RawEvent(
        project=project,
        source=SOURCE,
        source_ref=name,
        media_type="application/json",
        body=JsonBody(content={"name": name, **fields}),
        owner=OWNER,
    )


def receipt(event: RawEvent, **changes: object) -> Receipt:
    """The message of an event; `changes` are made to its body behind the codec's back."""
    data = codec.encode(event)
    if changes:
        data = json.dumps(json.loads(data) | changes).encode()
    return Receipt(subjects.events(event.source, event.project), data, RECEIVED)


class LinkedParser:
    """Reads such records."""

    source = SOURCE
    title = "Records that ask for each other"
    version = 1
    media_types = frozenset({"application/json"})

    def recognise(self, head: FileHead) -> Confidence:
        return Confidence.NONE

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        for line in split_lines(content):
            if line.content.startswith(b"#"):
                yield Skipped(line.offset, "comment")
            else:
                name = line.content.decode()
                yield record(name, context.project, text=f"line {name}")

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        return (str(_fields(event)["name"]),)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        after = _fields(event).get("after", [])
        return tuple(map(str, after)) if isinstance(after, list) else ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        fields = _fields(event)
        fault = fields.get("fault")
        if fault == "raise":
            raise KeyError("a secret of the record")
        if fault == "reject":
            return Reject("unreadable", "the record says so")
        if fault == "store":
            return Parsed(unknown_types={"\0": 1})
        if fields.get("echo") and neighbours:
            return Parsed()
        before = [_fields(found)["text"] for name in neighbours for found in neighbours[name]]
        text = " ".join([*sorted(map(str, before)), str(fields.get("text", "nothing"))])
        return Parsed((_draft(event, text + ("\0" if fault == "nul" else ""), context),), {"x": 1})


def config() -> SourceConfig:
    """How the source is read in tests."""
    return SourceConfig(LinkedParser(), Origin.TRUSTED)


def _fields(event: RawEvent) -> Mapping[str, JsonValue]:
    assert isinstance(event.body, JsonBody)
    assert isinstance(event.body.content, dict)
    return event.body.content


def _draft(event: RawEvent, text: str, context: ParseContext) -> Draft:
    return Draft(
        payload=Statement(text=text, time=TIME),
        source_ref=event.source_ref,
        timestamp=epoch_ms(context.received_at),
        actors=(OWNER,),
        subject=0,
    )
