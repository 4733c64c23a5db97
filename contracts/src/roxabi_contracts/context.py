"""The request for context, the packet that answers it, and the trace that explains it."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field

from roxabi_contracts.base import Confidence, Contract, JsonObject, Part, UtcDatetime
from roxabi_contracts.payloads import Category
from roxabi_contracts.subjects import Token

SubjectRef = Annotated[str, Field(min_length=1, max_length=640)]
"""An entity id, or any identifier: an e-mail address or `scheme:value`."""


class Limits(Part):
    """Upper bounds beside the token budget."""

    facts: int = Field(default=64, ge=0, le=256)
    episodes: int | None = Field(default=None, ge=0, le=256)
    """Null: as many as the profile of the memory serves."""


class ContextRequest(Contract):
    """What an agent asks: what is known that bears on this query?"""

    project: Token
    subjects: tuple[SubjectRef, ...] = Field(min_length=1, max_length=16)
    query: str = Field(max_length=8192)
    budget_tokens: int = 900
    about: SubjectRef | None = None
    as_of: UtcDatetime | None = None
    goal: str | None = Field(default=None, max_length=1024)
    limits: Limits = Limits()


class Status(StrEnum):
    """Whether the answer is all that could be served."""

    OK = "ok"
    DEGRADED = "degraded"


class PacketFact(Part):
    """A fact that holds, as served."""

    id: str
    subject: str
    about: str
    about_name: str | None = None
    predicate: str
    value: JsonObject
    qualifiers: JsonObject = Field(default_factory=dict)
    confidence: Confidence
    valid_from: UtcDatetime | None
    valid_until: UtcDatetime | None = None
    last_confirmed: UtcDatetime | None
    stale: bool = False
    """Nobody confirmed it lately."""
    expired: bool = False
    """It was only likely to hold for a while, and that while is over."""
    conflict_id: str | None = None
    """Set: others contradict it, and nobody has settled which holds."""
    from_outside: bool = False
    """Nobody but third parties says so."""
    source_event_ids: tuple[str, ...]
    """The observations behind it; of very many, some."""


class PacketEpisode(Part):
    """An observation near the query, in short."""

    event_id: str
    """The observation."""
    kind: Category
    occurred_at: UtcDatetime
    who: str | None = None
    from_outside: bool = False
    """Neither the subject nor their agents said it."""
    excerpt: str


class ContextPacket(Contract):
    """What memory serves: never more than the budget, nothing false, nothing retired."""

    trace_id: str | None
    facts: tuple[PacketFact, ...] = ()
    episodes: tuple[PacketEpisode, ...] = ()
    warnings: tuple[str, ...] = ()
    status: Status = Status.OK
    empty_reason: Literal["no_relevant_memory"] | None = None
    tokens: int = Field(default=0, ge=0)
    """What the packet costs, rendered."""


class TraceDecision(StrEnum):
    """What became of a candidate."""

    INCLUDED = "included"
    EXCLUDED = "excluded"
    BLOCKED = "blocked"


class Reason(StrEnum):
    """Why."""

    SELECTED = "selected"
    MULTI_HOP_EXPANSION = "multi_hop_expansion"
    OVER_BUDGET = "over_budget"
    OVER_LIMIT = "over_limit"
    BELOW_RELEVANCE_FLOOR = "below_relevance_floor"
    NOT_ACTIVE = "not_active"
    NOT_BEGUN = "not_begun"
    NO_LONGER_VALID = "no_longer_valid"
    CONFLICT_OPEN = "conflict_open"
    VOLATILITY_EXPIRED = "volatility_expired"


class TracedCandidate(Part):
    """One candidate and the decision on it."""

    id: str
    kind: Literal["fact", "episode"]
    decision: TraceDecision
    reason: Reason
    score: float | None = None
    terms: dict[str, float] = Field(default_factory=dict)
    """The terms of the score, each with its weight applied."""
    tokens: int | None = None
    text: str | None = None


class TraceRequest(Contract):
    """Ask for the trace of a packet."""

    project: Token
    trace_id: str


class ContextTrace(Contract):
    """Every candidate that was considered, and why it was served or not."""

    trace_id: str
    project: Token
    asked_at: UtcDatetime
    request: ContextRequest
    candidates: tuple[TracedCandidate, ...]
    warnings: tuple[str, ...] = ()
    status: Status
    duration_ms: float | None = None
