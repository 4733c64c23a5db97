"""What the lake made of its events, and the sums over it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from roxabi_contracts import MadeBy, Observation
from roxabi_contracts.ids import content_digest
from roxabi_contracts.observation import MODEL_STEP

from cortex_insight.admit import Admitted
from cortex_insight.enrich.model.question import Question
from cortex_insight.outbox import OutboxMessage
from cortex_insight.parser import Reject

UNREAD: Final = -1


class EventKey(NamedTuple):
    """Which event: its id within its project."""

    project: str
    event_id: str


class SourceKey(NamedTuple):
    """Which source: its token within its project."""

    project: str
    source: str


@dataclass(frozen=True)
class Links:
    """How an event hangs together with others of its source: key by digest."""

    provides: frozenset[bytes] = frozenset()
    needs: Mapping[bytes, str] = field(default_factory=dict[bytes, str])


class Versions(NamedTuple):
    """What read an event, in the order in which versions count; the higher reading stands."""

    parser: int
    """`UNREAD`: nobody reads the source."""
    sanitiser: int
    enricher: int

    @property
    def has_model(self) -> bool:
        """A model was to read the event, too."""
        return self.enricher >= MODEL_STEP


@dataclass(frozen=True)
class Summary:
    """What is kept of a reading beside what it says."""

    versions: Versions
    observations: int
    rejected: bool
    unknown_types: Mapping[str, int]
    redactions: Mapping[str, int]
    """Secrets that were taken out, by kind."""


@dataclass(frozen=True)
class Reading:
    """The latest reading of an event."""

    admitted: Admitted
    made_by: MadeBy | None
    """Null: nobody reads this source."""
    observations: tuple[Observation, ...] = ()
    messages: tuple[OutboxMessage, ...] = ()
    unknown_types: Mapping[str, int] = field(default_factory=dict[str, int])
    redactions: Mapping[str, int] = field(default_factory=dict[str, int])
    """Secrets that were taken out, by kind."""
    reject: Reject | None = None
    questions: tuple[Question, ...] = ()
    """What a model has still to be asked about it."""

    @property
    def key(self) -> EventKey:
        """Which event was read."""
        return key_of(self.admitted)

    @property
    def summary(self) -> Summary:
        """What is kept beside what it says."""
        return Summary(
            versions_of(self.made_by),
            len(self.observations),
            self.reject is not None,
            self.unknown_types,
            self.redactions,
        )


@dataclass(frozen=True)
class Sums:
    """What a batch adds to the sums kept per source; a later reading may take away."""

    events: Counter[SourceKey]
    observations: Counter[SourceKey]
    rejected: Counter[SourceKey]
    record_types: Counter[tuple[SourceKey, int, str]]
    redactions: Counter[tuple[SourceKey, str]]


def key_of(admitted: Admitted) -> EventKey:
    """Which event this is."""
    return EventKey(admitted.event.project, admitted.event_id)


def source_of(admitted: Admitted) -> SourceKey:
    """Which source it came from."""
    return SourceKey(admitted.event.project, admitted.event.source)


def versions_of(made_by: MadeBy | None) -> Versions:
    """The versions of a reading; null: nobody reads the source."""
    if made_by is None:
        return Versions(UNREAD, 0, 0)
    return Versions(made_by.parser, made_by.sanitiser, made_by.enricher)


def link_digest(key: str) -> bytes:
    """A key of any length as 16 bytes."""
    return content_digest(key)[:16]


def sum_up(readings: Iterable[Reading], previous: Mapping[EventKey, Summary]) -> Sums:
    """What these readings change, where some events were read before."""
    sums = Sums(Counter(), Counter(), Counter(), Counter(), Counter())
    for reading in readings:
        source = source_of(reading.admitted)
        before = previous.get(reading.key)
        if before is None:
            sums.events[source] += 1
        else:
            _count(sums, source, before, -1)
        _count(sums, source, reading.summary, 1)
    return sums


def _count(sums: Sums, source: SourceKey, summary: Summary, sign: int) -> None:
    sums.observations[source] += sign * summary.observations
    sums.rejected[source] += sign * summary.rejected
    for record_type, count in summary.unknown_types.items():
        sums.record_types[source, summary.versions.parser, record_type] += sign * count
    for kind, secrets in summary.redactions.items():
        sums.redactions[source, kind] += sign * secrets
