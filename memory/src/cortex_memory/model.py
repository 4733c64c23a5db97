"""The vocabulary of the warehouse: assertions, decisions, slots and facts as frozen values.

Times are epoch milliseconds in UTC. Ids and digests are lower-case hexadecimal and derive from
content.
"""

from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import NewType, TypeAlias

from roxabi_contracts.actor import ActorKind
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Cardinality, ClaimAction, ClaimKind, Volatility

ProjectId = NewType("ProjectId", str)
AssertionId = NewType("AssertionId", str)
ConflictSetId = NewType("ConflictSetId", str)
IdentifierId = NewType("IdentifierId", str)
EntityId = NewType("EntityId", str)
JournalId = NewType("JournalId", str)
Digest = NewType("Digest", str)

FactId: TypeAlias = AssertionId
"""A fact shows the id of the first assertion behind it, and answers to that of every one."""

Pairs: TypeAlias = tuple[tuple[str, Digest], ...]
"""Sorted (key, keyed digest of the key's canonical form): what values are compared by."""

OrderKey: TypeAlias = tuple[int, int, tuple[int | str | bool, ...]]
"""The place of an event in its slot: its time, its rank at that time, what breaks the tie."""


class Authority(IntEnum):
    """How much the word of an author weighs about someone."""

    UNTRUSTED = 0
    THIRD_PARTY = 1
    CLOSE = 2
    OWN = 3


@dataclass(frozen=True, slots=True)
class Value:
    """A JSON object as it was said, compared by keyed digests alone.

    `texts` are the JSON texts of the keys in `pairs`, null where the content was erased;
    `nulls` are the keys that were said to be null.
    """

    pairs: Pairs
    texts: tuple[str | None, ...]
    nulls: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Identifier:
    """One way in which an actor is named; a bare name counts inside its trace only."""

    id: IdentifierId
    scheme: str
    value: str


@dataclass(frozen=True, slots=True)
class Entity:
    """Identifiers that are known to name one actor; the id is the smallest of theirs."""

    id: EntityId
    members: tuple[IdentifierId, ...]


@dataclass(frozen=True, slots=True)
class ObservationKey:
    """What an edit, a deletion and a re-parse of one message have in common."""

    project: ProjectId
    subject: IdentifierId
    source: str
    source_ref: str


@dataclass(frozen=True, slots=True)
class Assertion:
    """A candidate of a current observation: immutable, with an id of what was said where.

    `author_entity` and `authority` follow from the identity of actors as it is known now.
    `time` is when the assertion takes effect: when it was said, or begins if that is later.
    """

    id: AssertionId
    key: ObservationKey
    observation_id: str
    about: IdentifierId
    predicate: str
    value: Value
    qualifiers: Value
    action: ClaimAction
    valid_from: int | None
    valid_until: int | None
    said: int
    time: int
    order: OrderKey
    origin: Origin
    author: IdentifierId
    author_kind: ActorKind
    author_has_strong_key: bool
    author_entity: EntityId
    authority: Authority
    confidence: float
    kind: ClaimKind
    volatility: Volatility | None
    cardinality: Cardinality | None
    evidence: str | None

    @property
    def author_is_machine(self) -> bool:
        """Whether the author may only be repeating what memory told it."""
        return self.author_kind in (ActorKind.AGENT, ActorKind.BOT)


@dataclass(frozen=True, slots=True)
class AssertionReference:
    """Names an assertion so that it is found again after a re-parse has renamed it."""

    id: AssertionId
    key: ObservationKey
    about: IdentifierId
    pairs: Pairs


@dataclass(frozen=True, slots=True)
class FactReference:
    """Names a fact by every assertion behind it."""

    assertions: frozenset[AssertionReference]


@dataclass(frozen=True, slots=True)
class Resolve:
    """A person settles a conflict: what is lost is superseded, what is kept becomes active."""

    id: JournalId
    at: int
    keep: FactReference | None
    lose: tuple[FactReference, ...]


@dataclass(frozen=True, slots=True)
class Release:
    """A person vouches for a quarantined fact."""

    id: JournalId
    at: int
    fact: FactReference


@dataclass(frozen=True, slots=True)
class Reject:
    """A person says that a fact is wrong."""

    id: JournalId
    at: int
    fact: FactReference


@dataclass(frozen=True, slots=True)
class Dispute:
    """A person doubts a fact."""

    id: JournalId
    at: int
    fact: FactReference


@dataclass(frozen=True, slots=True)
class Disable:
    """A person hides a fact."""

    id: JournalId
    at: int
    fact: FactReference


@dataclass(frozen=True, slots=True)
class Enable:
    """A person lifts an earlier rejection, dispute or disabling."""

    id: JournalId
    at: int
    fact: FactReference


Decision: TypeAlias = Resolve | Release | Reject | Dispute | Disable | Enable


@dataclass(frozen=True, slots=True)
class Erasure:
    """A fact loses its content and keeps its effect.

    Covers every assertion said up to `at`, about `about`, under one of `predicates`, whose pairs
    are among `pairs`.
    """

    id: JournalId
    at: int
    project: ProjectId
    subject: IdentifierId
    about: IdentifierId
    predicates: frozenset[str]
    pairs: frozenset[tuple[str, Digest]]


@dataclass(frozen=True, slots=True)
class Withdrawal:
    """An observation counts as never said, in all its revisions, until a later row restores it.

    After a final one nothing does: its content is gone.
    """

    id: JournalId
    at: int
    key_digest: Digest
    withdrawn: bool = True
    final: bool = False


@dataclass(frozen=True, slots=True)
class ScopeWithdrawal:
    """The same of all that was said up to `at` in the memories of these identifiers.

    With a `source`, of what that source said there. What is said afterwards is new.
    """

    id: JournalId
    at: int
    project: ProjectId
    subjects: frozenset[IdentifierId]
    source: str | None
    withdrawn: bool = True
    final: bool = False


class LinkRelation(StrEnum):
    """What an identity link says about its two identifiers."""

    SAME = "same"
    DISTINCT = "distinct"


class LinkStatus(StrEnum):
    """Who stands behind an identity link; the last three are a person's."""

    AUTOMATIC = "auto"
    CANDIDATE = "candidate"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    REVOKED = "revoked"


@dataclass(frozen=True, slots=True)
class IdentityLink:
    """One append-only row about two identifiers being of one entity, or not."""

    id: JournalId
    at: int
    project: ProjectId
    first: IdentifierId
    second: IdentifierId
    relation: LinkRelation
    status: LinkStatus
    rule: str
    rule_version: int
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class PredicateVerdict:
    """One append-only row about two names meaning the same; `model` is null of a person."""

    id: JournalId
    at: int
    project: ProjectId
    first: str
    second: str
    same: bool
    model: str | None


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a fact lives; `value` is set where the predicate holds many values."""

    project: ProjectId
    subject: EntityId
    about: EntityId
    predicate: str
    qualifiers: Pairs = ()
    value: Pairs | None = None


class Mark(StrEnum):
    """What a person has said of a fact that keeps its place but is not served."""

    REJECTED = "rejected"
    DISPUTED = "disputed"
    DISABLED = "disabled"


@dataclass(frozen=True, slots=True)
class FactSource:
    """An assertion behind a fact; one that did not count confirms nothing."""

    assertion_id: AssertionId
    key: ObservationKey
    observation_id: str
    said: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """What a slot says, or said, with every assertion behind it.

    `count` is the number of confirmations after the first saying. `conflict_set_id` is set while
    the fact is a member of its slot's open ConflictSet.
    """

    id: FactId
    slot: Slot
    value: Value
    qualifiers: Value
    status: FactStatus
    mark: Mark | None
    valid_from: int | None
    valid_to: int | None
    authority: Authority
    confidence: float
    count: int
    kind: ClaimKind
    volatility: Volatility
    first_said: int
    last_confirmed: int
    supersedes_id: FactId | None
    conflict_set_id: ConflictSetId | None
    sources: tuple[FactSource, ...]


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Values of one slot that contradict each other; `members` are all that ever joined."""

    id: ConflictSetId
    slot: Slot
    members: tuple[FactId, ...]
    opened_at: int
    closed_at: int | None


@dataclass(frozen=True, slots=True)
class SlotState:
    """What the fold of a slot answers; `next_due` is when time alone changes it next."""

    facts: tuple[Fact, ...]
    conflicts: tuple[ConflictSet, ...]
    next_due: int | None
