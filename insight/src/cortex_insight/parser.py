"""The port of a source: how its files become events, and its events become observations."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from typing import Protocol

from roxabi_contracts import ActorRef, Correlation, Origin, Payload, RawEvent

from cortex_insight.event import FileContext, FileHead, Skipped

Neighbours = Mapping[str, tuple[RawEvent, ...]]
"""By key that was asked for: the other events that provide it, in the order of their ids.

A key that nobody provides yet is missing; the event is parsed again when a provider arrives.
"""


@dataclass(frozen=True)
class ParseContext:
    """What the lake knows of an event that the event does not say."""

    received_at: datetime
    """When the lake stored the event: the last resort for a time."""
    origin: Origin
    """How far the source is trusted, by configuration."""


@dataclass(frozen=True)
class Draft:
    """An observation before its text is sanitised and enriched; only then does it get its id."""

    payload: Payload
    source_ref: str
    """Natural id in the source; no two events share one unless they draft the same thing."""
    timestamp: int
    """Epoch ms."""
    actors: tuple[ActorRef, ...]
    subject: int
    """Index of the actor whose memory this goes to; that actor has an identifier."""
    speaker: int | None = None
    """Index of the person whose own words the text is; null: the text is not enriched."""
    origin: Origin | None = None
    """Null: the source's; the less trusted of the two counts."""
    topic: tuple[str, ...] | None = None
    sentiment: str | None = None
    correlation: Correlation = field(default_factory=Correlation)
    sequence: int | None = None
    revision: int = 0
    deleted: bool = False
    neighbour_revisions: tuple[int, ...] = ()


@dataclass(frozen=True)
class Parsed:
    """What an event says; nothing at all is a legitimate answer."""

    drafts: tuple[Draft, ...] = ()
    unknown_types: Mapping[str, int] = field(default_factory=dict[str, int])
    """Record types that the parser does not know, with their count."""


@dataclass(frozen=True)
class Reject:
    """An event that cannot be parsed: kept, and dead-lettered with this reason."""

    code: str
    """snake_case, stable for programs."""
    reason: str
    """For a person; holds nothing of the event's content."""


class Confidence(IntEnum):
    """How sure a parser is that a file is one of its source's; the surest one reads it."""

    NONE = 0
    """It is none."""
    POSSIBLE = 1
    """Nothing speaks against it, and little for it."""
    LIKELY = 2
    """It looks like one, and like little else."""
    CERTAIN = 3
    """It holds what only this source writes."""


class Parser(Protocol):
    """One source. Pure: no I/O, no clock, no randomness, no state."""

    @property
    def source(self) -> str:
        """The token that names the source."""
        ...

    @property
    def title(self) -> str:
        """What it reads, in a line for a person: the program, and its files."""
        ...

    @property
    def version(self) -> int:
        """Raised whenever the same event may give other drafts."""
        ...

    @property
    def media_types(self) -> frozenset[str]:
        """Media types of the events that `parse` reads; any other is rejected before it."""
        ...

    def recognise(self, head: FileHead) -> Confidence:
        """How surely a file is one of the source's, by its first bytes, then by its name."""
        ...

    def split(self, content: Iterable[bytes], context: FileContext) -> Iterator[RawEvent | Skipped]:
        """The events of a file, whose bytes come in chunks of any size.

        A file that is none of the source's is skipped by its path, without reading it.
        """
        ...

    def provides(self, event: RawEvent) -> tuple[str, ...]:
        """Keys under which other events of this source may ask for this one.

        A key names a record, not a session: each arrival parses all who need it again.
        """
        ...

    def needs(self, event: RawEvent) -> tuple[str, ...]:
        """Keys of the events that `parse` wants to see beside this one; never the event itself."""
        ...

    def parse(
        self, event: RawEvent, neighbours: Neighbours, context: ParseContext
    ) -> Parsed | Reject:
        """What the event says, given those of its neighbours that the lake has."""
        ...
