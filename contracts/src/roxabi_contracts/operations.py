"""What operators and producers ask of the two services, and what they answer."""

from enum import StrEnum

from pydantic import Field

from roxabi_contracts.base import Confidence, Contract, JsonObject, Part, UtcDatetime
from roxabi_contracts.context import SubjectRef
from roxabi_contracts.subjects import Token


class FactStatus(StrEnum):
    """Where a fact stands; only an active one is served as it is."""

    CANDIDATE = "candidate"
    ACTIVE = "active"
    SUPERSEDED = "superseded"
    ENDED = "ended"
    QUARANTINED = "quarantined"
    SCHEDULED = "scheduled"
    DISPUTED = "disputed"
    DISABLED = "disabled"
    ERASED = "erased"


class DecisionAction(StrEnum):
    """What a person can decide about a fact."""

    RESOLVE = "resolve"
    """Keep the fact and let the named others lose."""
    RELEASE = "release"
    """Vouch for a quarantined fact."""
    REJECT = "reject"
    DISPUTE = "dispute"
    DISABLE = "disable"
    ENABLE = "enable"
    """Lift a rejection, a dispute or a disabling."""


class FactsRequest(Contract):
    """Ask for the facts of one subject's memory, or for all that is behind one of them."""

    project: Token
    subject: SubjectRef
    history: bool = False
    """Also those that are not active."""
    statuses: tuple[FactStatus, ...] = ()
    """Only these; empty: as `history` says."""
    why: str | None = None
    """A fact id: explain this fact alone."""
    as_of: UtcDatetime | None = None
    limit: int = Field(default=500, ge=1, le=5000)


class FactRecord(Part):
    """A fact with its history."""

    id: str
    about: str
    about_name: str | None = None
    predicate: str
    value: JsonObject | None
    """Null: erased."""
    qualifiers: JsonObject = Field(default_factory=dict)
    status: FactStatus
    confidence: Confidence
    confirmations: int = Field(ge=0)
    authority: int = Field(ge=0, le=3)
    kind: str
    volatility: str
    valid_from: UtcDatetime | None
    valid_until: UtcDatetime | None
    last_confirmed: UtcDatetime | None
    supersedes_id: str | None = None
    conflict_id: str | None = None
    sources: tuple[str, ...]
    """The observations behind it."""

    @property
    def from_outside(self) -> bool:
        """Whether nobody but third parties says so."""
        return self.authority <= 1


class AssertionRecord(Part):
    """One saying behind a fact."""

    id: str
    observation_id: str
    source: str
    source_ref: str
    said_at: UtcDatetime
    predicate: str
    """As said."""
    action: str
    authority: int = Field(ge=0, le=3)
    counted: bool
    """It confirms the fact."""
    evidence: str | None
    """Verbatim; null: erased."""


class DecisionRecord(Part):
    """One decision of a person that speaks of a fact."""

    id: str
    action: DecisionAction
    decided_by: str
    decided_at: UtcDatetime
    reason: str | None = None


class FactExplanation(Part):
    """Every saying and every decision behind a fact, in order."""

    assertions: tuple[AssertionRecord, ...]
    decisions: tuple[DecisionRecord, ...]


class FactsReply(Contract):
    """The facts of one subject's memory, by predicate, then by time."""

    project: Token
    subject: str
    facts: tuple[FactRecord, ...]
    explanation: FactExplanation | None = None
    """Of the one fact that was asked about."""
    truncated: bool = False


class StatsRequest(Contract):
    """Ask for the figures of a project; a figure that was not measured is null."""

    project: Token


class QueueStats(Part):
    """A queue: how much waits, and how long the oldest has."""

    name: str
    waiting: int | None
    oldest_seconds: float | None = None
    failed: int | None = None


class ModelUsage(Part):
    """What a model of one of the services was asked about a project, in all."""

    model: str
    requests: int
    """Those that were answered, whether or not the answer could be used."""
    input_tokens: int
    output_tokens: int
    cost: float | None = None
    """In the currency of the configured prices; null: there are none."""
    budget_left: int | None = None
    """Tokens left today, in UTC; null: there is no bound."""
    paused_until: UtcDatetime | None = None
    """Null: the model may be asked."""


class MemoryStats(Contract):
    """What memory holds and how it fares."""

    project: Token
    observations: int
    facts: dict[str, int]
    """By status."""
    entities: int
    conflicts_open: int
    oldest_conflict_seconds: float | None = None
    outcomes: dict[str, int]
    """Candidates by what became of them."""
    requests: int
    """For context, as many as their traces are kept of; the figures that follow are of these."""
    injection_rate: float | None = None
    """Share of the requests that were served at least one fact."""
    latency_p50_ms: float | None = None
    latency_p95_ms: float | None = None
    latency_p99_ms: float | None = None
    leakage: int | None = None
    """Facts served that were retired before the request began."""
    queues: tuple[QueueStats, ...]
    embedder: str | None
    rejected: int
    model: ModelUsage | None = None
    """Null: no model extracts."""
    catalogue_changed: bool = False
    """The catalogue is not, or not known to be, that by which all facts were computed: a rebuild
    applies it."""


class SourcesRequest(Contract):
    """Ask insight what it knows of its sources, and of these events."""

    project: Token
    event_ids: tuple[str, ...] = Field(default=(), max_length=2000)


class EventState(StrEnum):
    """What the lake made of an event."""

    UNKNOWN = "unknown"
    PARSED = "parsed"
    REJECTED = "rejected"
    ERASED = "erased"
    """It was forgotten, and is stored nowhere when it comes again."""


class EventStatus(Part):
    """One event in the lake."""

    event_id: str
    state: EventState
    observations: int = 0
    reason: str | None = None


class SourceStats(Part):
    """One source of a project in the lake."""

    source: str
    events: int
    observations: int
    rejected: int
    record_types: dict[str, int] = Field(default_factory=dict)
    """Record types that the parser does not know, with their count."""
    redactions: dict[str, int] = Field(default_factory=dict)
    """Secrets that were taken out of what the source says, by kind."""


class SourcesReply(Contract):
    """The sources of a project, and the events asked for in the order asked."""

    project: Token
    sources: tuple[SourceStats, ...]
    events: tuple[EventStatus, ...] = ()
    queues: tuple[QueueStats, ...] = ()
    model: ModelUsage | None = None
    """Null: no model reads any source here."""


class RejectedMessage(Contract):
    """A dead letter: what was refused, and the reason a person can act on."""

    id: str
    project: str | None
    """Null: the message did not say."""
    source: str | None
    source_ref: str | None
    event_id: str | None
    code: str
    reason: str
    received_at: UtcDatetime
    size: int
    sha256: str
