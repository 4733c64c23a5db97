"""The payload of each category, and the claims and times that every payload may carry."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import Field, model_validator

from roxabi_contracts.base import Confidence, JsonObject, Part, UtcDatetime

Index = Annotated[int, Field(ge=0)]


class TimePrecision(StrEnum):
    """How exactly a time is known."""

    MILLISECOND = "millisecond"
    SECOND = "second"
    MINUTE = "minute"
    HOUR = "hour"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"


class TimeSource(StrEnum):
    """Where a time was read."""

    RECORD = "record"
    EVENT = "event"
    NEIGHBOUR = "neighbour"
    ENVELOPE = "envelope"
    FILE = "file"
    RECEIPT = "receipt"


class TimeNote(Part):
    """How the observation's time is known; the source's own clock is kept beside UTC."""

    precision: TimePrecision
    source: TimeSource
    assumed: bool = False
    zone: str | None = None
    local: str | None = None
    """The time as the source wrote it, where it is not the timestamp itself."""


class ClaimAction(StrEnum):
    """What a claim does to what was said before."""

    CREATE = "create"
    SUPERSEDE = "supersede"
    RETRACT = "retract"


class Cardinality(StrEnum):
    """Whether one value holds at a time, or many."""

    ONE = "one"
    MANY = "many"


class ClaimKind(StrEnum):
    """What sort of thing is claimed."""

    ATTRIBUTE = "attribute"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"


class Volatility(StrEnum):
    """How soon a claim needs confirming again."""

    STABLE = "stable"
    SLOW = "slow"
    VOLATILE = "volatile"
    EPHEMERAL = "ephemeral"


class Validity(Part):
    """When what is claimed holds, where the text says so."""

    valid_from: UtcDatetime | None = Field(default=None, alias="from")
    valid_until: UtcDatetime | None = Field(default=None, alias="until")
    precision: TimePrecision | None = None

    model_config = Part.model_config | {"validate_by_name": True, "serialize_by_alias": True}


class Claim(Part):
    """A statement that the payload makes about an actor, with its verbatim evidence."""

    about: Index | str | None = None
    """Index into the actors, or a name in the text; null: the author, in the first person."""
    predicate: str = Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")
    value: JsonObject
    qualifiers: JsonObject = Field(default_factory=dict)
    action: ClaimAction = ClaimAction.CREATE
    replaces: JsonObject | None = None
    """A former value: stands for a retract of it beside the create."""
    valid: Validity | None = None
    cardinality: Cardinality | None = None
    kind: ClaimKind = ClaimKind.ATTRIBUTE
    volatility: Volatility | None = None
    confidence: Confidence = 1.0
    evidence: str = Field(min_length=1)

    @model_validator(mode="before")
    @classmethod
    def _wrap_scalars(cls, data: object) -> object:
        if not isinstance(data, dict):
            return data
        wrapped = dict(data)
        for name in ("value", "replaces"):
            if name in wrapped and not isinstance(wrapped[name], dict | None):
                wrapped[name] = {"value": wrapped[name]}
        return wrapped


class Attachment(Part):
    """Something that came along, by reference."""

    name: str | None = None
    media_type: str | None = None
    size: int | None = Field(default=None, ge=0)
    sha256: str | None = None
    uri: str | None = None


class Payload(Part):
    """What every category carries."""

    text: str
    time: TimeNote
    claims: tuple[Claim, ...] = ()


class Direction(StrEnum):
    """Which way an interaction went, seen from the subject."""

    INBOUND = "inbound"
    OUTBOUND = "outbound"
    INTERNAL = "internal"


class Interaction(Payload):
    """Words exchanged."""

    channel: str | None = None
    direction: Direction | None = None
    thread: str | None = None
    reply_to: str | None = None
    attachments: tuple[Attachment, ...] = ()


class Severity(StrEnum):
    """The valence of a finding."""

    NEUTRAL = "neutral"
    POSITIVE = "positive"
    NEGATIVE = "negative"
    CRITICAL = "critical"


class Finding(Payload):
    """What a tool or detector found."""

    tool: str | None = None
    outcome: Literal["success", "failure"] | None = None
    severity: Severity = Severity.NEUTRAL
    evidence: str | None = None
    remediation: str | None = None


class DecisionStatus(StrEnum):
    """Where a decision stands."""

    PROPOSED = "proposed"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    REVERSED = "reversed"


class Decision(Payload):
    """What was decided, or proposed."""

    decision: str = Field(min_length=1)
    status: DecisionStatus
    rationale: str | None = None
    alternatives: tuple[str, ...] = ()
    decided_by: Index | None = None


class Artifact(Payload):
    """Something made, changed or removed."""

    kind: str
    uri: str | None = None
    action: Literal["created", "modified", "deleted"]
    digest: str | None = None
    title: str | None = None


class SpeechAct(StrEnum):
    """What a statement does."""

    ASSERTION = "assertion"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    COMMITMENT = "commitment"


class Statement(Payload):
    """What somebody stated."""

    speech_act: SpeechAct = SpeechAct.ASSERTION


class Category(StrEnum):
    """The closed set of categories; the warehouse dispatches on it."""

    INTERACTION = "Interaction"
    FINDING = "Finding"
    DECISION = "Decision"
    ARTIFACT = "Artifact"
    STATEMENT = "Statement"


PAYLOAD_MODELS: dict[Category, type[Payload]] = {
    Category.INTERACTION: Interaction,
    Category.FINDING: Finding,
    Category.DECISION: Decision,
    Category.ARTIFACT: Artifact,
    Category.STATEMENT: Statement,
}


def referenced_actors(payload: Payload) -> set[int]:
    """The indexes into the observation's actors that the payload uses."""
    indexes = {claim.about for claim in payload.claims if isinstance(claim.about, int)}
    if isinstance(payload, Decision) and payload.decided_by is not None:
        indexes.add(payload.decided_by)
    return indexes
