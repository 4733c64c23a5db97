"""From files to raw events: what a file tells its parser, and lines without reading it whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime

from roxabi_contracts import ActorRef


@dataclass(frozen=True)
class FileContext:
    """What is known of a file beside its bytes.

    An event's id covers its attributes: `modified_at` belongs into an event only where the record
    has no time of its own, else every later change of the file makes each record a new event.
    """

    project: str
    owner: ActorRef
    path: str
    """Relative to the folder that was named, with `/`; the same wherever that folder lies."""
    modified_at: datetime | None
    """A bound on the time of what the file holds; null: unknown."""
    home: str | None = None
    """The path inside the repository or vault that holds it, else inside the folder or archive
    that was named, with its name: for records that have no other name. Null: unknown."""


@dataclass(frozen=True)
class FileHead:
    """What a parser may know of a file before it decides whether it is one of its own."""

    path: str
    """As in `FileContext`."""
    content: bytes
    """The first bytes."""
    complete: bool
    """The file holds no more."""


@dataclass(frozen=True)
class Skipped:
    """A record of a file that became no event, and why."""

    offset: int
    """Of its first byte in the file."""
    reason: str


@dataclass(frozen=True)
class Line:
    """A line of a file, without its line feed."""

    offset: int
    content: bytes
    complete: bool
    """False: the file ends without a line feed; the line may still be in writing."""


def split_lines(chunks: Iterable[bytes]) -> Iterator[Line]:
    """Lines at line feeds alone: JSON may hold every other separator that Unicode knows."""
    offset = 0
    pending: list[bytes] = []
    for chunk in chunks:
        *finished, rest = chunk.split(b"\n")
        for part in finished:
            content = b"".join([*pending, part])
            yield Line(offset, content, complete=True)
            offset += len(content) + 1
            pending.clear()
        if rest:
            pending.append(rest)
    if pending:
        yield Line(offset, b"".join(pending), complete=False)
