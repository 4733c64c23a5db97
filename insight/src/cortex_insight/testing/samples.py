"""Sample files, and what the lake makes of them."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, ActorRole, Identifier, Origin, RawEvent

from cortex_insight.dry_run import read_all
from cortex_insight.event import FileContext, Skipped
from cortex_insight.interpret import SourceConfig
from cortex_insight.parser import Parser
from cortex_insight.reader import Reader
from cortex_insight.reading import Reading

PROJECT: Final = "conformance"
OWNER: Final = ActorRef(
    kind=ActorKind.PERSON,
    role=ActorRole.OWNER,
    name="Ada Owner",
    identifiers=(Identifier(scheme="email", value="owner@example.org"),),
)
RECEIVED: Final = datetime(2030, 5, 17, 11, 30, tzinfo=UTC)
MODIFIED: Final = datetime(2029, 2, 3, 4, 5, 6, tzinfo=UTC)
PIECE: Final = 4096


@dataclass(frozen=True)
class SampleFile:
    """A file of the source.

    Args:
        path: Relative to the folder or archive that a user would name.
        content: All of it.
        home: Where it lies in the vault or repository that it belongs to; null: its path.
    """

    path: str
    content: bytes
    home: str | None = None


def read_files(
    parser: Parser,
    files: Iterable[SampleFile],
    *,
    owner: ActorRef = OWNER,
    modified_at: datetime | None = MODIFIED,
    piece: int = PIECE,
) -> list[RawEvent | Skipped]:
    """All that the files are split into, each read in pieces of this size."""
    return [
        item
        for file in files
        for item in parser.split(
            _pieces(file.content, piece),
            FileContext(PROJECT, owner, file.path, modified_at, file.home or file.path),
        )
    ]


def readings_of(
    parser: Parser, events: Sequence[RawEvent], received_at: datetime = RECEIVED
) -> list[Reading]:
    """What the lake makes of events once it has them all, in the order of their ids.

    Raises:
        AssertionError: an event cannot be sent at all.
    """
    reader = Reader({parser.source: SourceConfig(parser, Origin.SEMI_TRUSTED)})
    readings: list[Reading] = []
    for answer in read_all(reader, events, received_at):
        assert isinstance(answer, Reading), f"the event cannot be sent: {answer.code}"
        readings.append(answer)
    return sorted(readings, key=lambda reading: reading.admitted.event_id)


def _pieces(content: bytes, size: int) -> Iterator[bytes]:
    for start in range(0, len(content), size):
        yield content[start : start + size]
