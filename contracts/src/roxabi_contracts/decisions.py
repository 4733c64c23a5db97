"""What persons decide about facts, and how they look at conflicts and quarantine."""

from pydantic import Field

from roxabi_contracts.base import Contract, Part, UtcDatetime
from roxabi_contracts.context import SubjectRef
from roxabi_contracts.operations import DecisionAction, FactRecord
from roxabi_contracts.subjects import Token


class DecisionRequest(Contract):
    """A person decides; the same request again changes nothing."""

    project: Token
    subject: SubjectRef
    action: DecisionAction
    fact_id: str
    """The fact spoken of; of a resolution, the one that is kept."""
    lose: tuple[str, ...] = Field(default=(), max_length=256)
    """Of a resolution: the facts that lose; empty: every other live one of the conflict."""
    decided_by: str = Field(min_length=1, max_length=512)
    decided_at: UtcDatetime
    reason: str | None = Field(default=None, max_length=2048)


class DecisionReply(Contract):
    """What the decision made of the facts that it speaks of."""

    decision_id: str
    known: bool
    """The journal held this decision already."""
    facts: tuple[FactRecord, ...]


class ConflictsRequest(Contract):
    """Ask for the conflicts of a project, or of one subject's memory."""

    project: Token
    subject: SubjectRef | None = None
    settled: bool = False
    """Also those that are settled."""
    limit: int = Field(default=200, ge=1, le=2000)


class ConflictRecord(Part):
    """Values that contradict each other, until a person or a later word settles it."""

    id: str
    subject: str
    about: str
    about_name: str | None = None
    predicate: str
    opened_at: UtcDatetime
    settled_at: UtcDatetime | None = None
    members: tuple[FactRecord, ...]


class ConflictsReply(Contract):
    """Conflicts, the oldest first."""

    project: Token
    conflicts: tuple[ConflictRecord, ...]
    truncated: bool = False
