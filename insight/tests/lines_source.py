"""A source made for tests: one event a line, which may ask for another and go wrong."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cortex_insight.collect import Job
from cortex_insight.event import FileContext, FileHead, Skipped, split_lines
from cortex_insight.interpret import SourceConfig
from cortex_insight.outbox import Receipt
from cortex_insight.parser import Confidence, Draft, Neighbours, ParseContext, Parsed, Reject
from roxabi_contracts import (
    ActorKind,
    ActorRef,
    ActorRole,
    Identifier,
    Origin,
    RawEvent,
    Statement,
    TextBody,
    TimeNote,
    codec,
    subjects,
)
from roxabi_contracts.payloads import TimePrecision, TimeSource

SOURCE = "lines"
RECEIVED = datetime(2026, 3, 1, 12, tzinfo=UTC)
OWNER = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.OWNER,
    identifiers=(Identifier(scheme="email", value="ada@example.org"),),
)
TIME = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECEIPT)


def line_event(text: str, project: str = "p") -> RawEvent:
    """The event of a line; its words are its keys, and `after X` asks for X."""
    return RawEvent(
        project=project,
        source=SOURCE,
        source_ref=f"line:{text[:40]}",
        media_type="text/plain",
        body=TextBody(content=text),
        owner=OWNER,
    )


def receipt(event: RawEvent) -> Receipt:
    """The message that carries an event."""
    return Receipt(subjects.events(event.source, event.project), codec.encode(event), RECEIVED)


def draft(text: str, **changes: object) -> Draft:
    """A statement of the owner."""
    fields: dict[str, object] = {
        "payload": Statement(text=text, time=TIME),
        "source_ref": "r",
        "timestamp": 1_000,
        "actors": (OWNER,),
        "subject": 0,
        "speaker": 0,
    }
    return Draft(**(fields | changes))  # type: ignore[arg-type]  # a test names what it changes


@dataclass(frozen=True)
class LinesParser:
    """Reads lines: `! ...` raises, `? ...` is rejected, `- ...` is skipped when split."""

    source: str = SOURCE
    title: str = "Lines of text"
    version: int = 3
    media_types: frozenset[str] = frozenset({"text/plain"})

    def recognise(self, head: FileHead) -> Confidence:
        return Confidence.NONE if b"\0" in head.content else Confidence.POSSIBLE

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        for line in split_lines(content):
            if line.content.startswith(b"-"):
                yield Skipped(line.offset, "not wanted")
            else:
                yield line_event(line.content.decode(), context.project)

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        return (_text(event).split(" ")[0],)

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        _, found, key = _text(event).partition(" after ")
        return (key,) if found else ()

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        text = _text(event)
        if text.startswith("!"):
            raise KeyError("a secret of the line")
        if text.startswith("?"):
            return Reject("unreadable", "a question")
        before = [_text(found) for key in sorted(neighbours) for found in neighbours[key]]
        said = draft(" | ".join([*before, text]), source_ref=event.source_ref)
        return Parsed((said,), {"oddity": 1} if "odd" in text else {})


def lines_job(*paths: Path) -> Job:
    """Reads paths as lines."""
    return Job({SOURCE: LinesParser()}, paths, "p", OWNER, named=True)


CONFIG = SourceConfig(LinesParser(), Origin.SEMI_TRUSTED)


def _text(event: RawEvent) -> str:
    assert isinstance(event.body, TextBody)
    return event.body.content
