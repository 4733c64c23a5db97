"""Who is who: how persons look at entities, and say which keys are of one person."""

from enum import StrEnum
from typing import Annotated, Self

from pydantic import Field, model_validator

from roxabi_contracts.base import Confidence, Contract, Part, UtcDatetime
from roxabi_contracts.context import SubjectRef
from roxabi_contracts.subjects import Token


class EntitiesView(StrEnum):
    """What is asked about entities."""

    FIND = "find"
    """Those whose names or keys hold a text."""
    SHOW = "show"
    """One, with its links."""
    CANDIDATES = "candidates"
    """Pairs that may be one person."""


class EntitiesRequest(Contract):
    """Ask who is known in a project."""

    project: Token
    view: EntitiesView
    text: str | None = Field(default=None, max_length=512)
    """What to find; or whom to show, or whose candidates: any key, or the beginning of an id."""
    limit: int = Field(default=100, ge=1, le=1000)


class KeyRecord(Part):
    """One key of an entity, or a bare name that counts inside its trace."""

    id: str
    scheme: str
    value: str
    observations: int = Field(ge=0)
    """How many current ones name it."""
    names: tuple[str, ...] = ()
    """What it is called there, the most used first."""


class EntityRecord(Part):
    """An actor as it is known now; every id of its keys redirects to `id`."""

    id: str
    name: str
    kind: str | None
    """Null: nothing says."""
    owns_memory: bool
    keys: tuple[KeyRecord, ...]


class LinkRecord(Part):
    """What stands between two keys."""

    first: str
    second: str
    relation: str
    status: str
    rule: str
    rule_version: int
    joins: bool
    """The two are of one entity now."""
    decided_by: str | None = None
    """Null: no person, or it is forgotten who."""
    decided_at: UtcDatetime | None = None
    reason: str | None = None


class CandidateRecord(Part):
    """Two keys of two entities that may be one person's."""

    first: KeyRecord
    second: KeyRecord
    rule: str
    score: Confidence
    """It orders the list; it is no probability."""
    evidence: tuple[str, ...]


class EntitiesReply(Contract):
    """Entities by name, or what was asked about them."""

    project: Token
    entities: tuple[EntityRecord, ...] = ()
    links: tuple[LinkRecord, ...] = ()
    candidates: tuple[CandidateRecord, ...] = ()
    compared: int | None = Field(default=None, ge=0)
    """Only so many keys were compared, those named most; null: all, or nothing was compared."""
    truncated: bool = False


class LinkAction(StrEnum):
    """What a person says of two keys, or of a rule."""

    LINK = "link"
    """They are one person's."""
    UNLINK = "unlink"
    """Take back what stands between them."""
    DISTINCT = "distinct"
    """They are two people's, whatever else says so."""
    REJECT = "reject"
    """Do not propose them again."""
    UNDO_RULE = "undo_rule"
    """Take back every link of a rule that stands now."""
    ACCOUNTS = "accounts"
    """The owners of memories have these accounts, and no other that was said so before."""


Account = Annotated[tuple[SubjectRef, ...], Field(min_length=2, max_length=64)]
"""Keys of one person."""


class LinkRequest(Contract):
    """A person says who is who; the same request again changes nothing."""

    project: Token
    action: LinkAction
    first: SubjectRef | None = None
    second: SubjectRef | None = None
    rule: Token | None = None
    """The one that is undone."""
    rule_version: int | None = Field(default=None, ge=1)
    """Only this version of it."""
    accounts: tuple[Account, ...] = Field(default=(), max_length=256)
    """The keys of each owner."""
    decided_by: str = Field(min_length=1, max_length=512)
    decided_at: UtcDatetime
    reason: str | None = Field(default=None, max_length=2048)

    @model_validator(mode="after")
    def _names_what_it_speaks_of(self) -> Self:
        speaks_of_two = self.action not in (LinkAction.UNDO_RULE, LinkAction.ACCOUNTS)
        if self.action is LinkAction.UNDO_RULE and self.rule is None:
            raise ValueError("which rule?")
        if speaks_of_two and (self.first is None or self.second is None):
            raise ValueError("which two keys?")
        return self


class LinkReply(Contract):
    """What was said, and who is who now."""

    project: Token
    links: int = Field(ge=0)
    """How many links the journal has taken in; 0: nothing was new."""
    entities: tuple[EntityRecord, ...]
    """Those of the keys that it speaks of; none of a rule."""
