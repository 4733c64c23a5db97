"""Which names of predicates are in use, which of them are one, and what persons say of that."""

from enum import StrEnum

from pydantic import Field

from roxabi_contracts.base import Contract, Part, UtcDatetime
from roxabi_contracts.predicates import CatalogueLayer, PredicateName
from roxabi_contracts.subjects import Token


class Decider(StrEnum):
    """Who says whether two names are one predicate."""

    CATALOGUE = "catalogue"
    WORDS = "words"
    """What the names are made of; it is told, not asked."""
    MODEL = "model"
    """An embedding model, by how near their meanings are."""
    PERSON = "person"


class PredicatesRequest(Contract):
    """Ask for the predicates in use or of one's own, and for what was decided on their names."""

    project: Token
    name: PredicateName | None = None
    """Only what concerns this name, and how it stands to every other that is in use."""
    limit: int = Field(default=500, ge=1, le=5000)


class PredicateRecord(Part):
    """A predicate in use, or of the operator's own, with every name under which it is said."""

    name: str
    """The catalogue's, else that of the earliest saying: of each memory its own."""
    names: tuple[str, ...]
    """None: nothing is said yet, and it is listed because the operator gave it a name."""
    layers: dict[str, CatalogueLayer] = Field(default_factory=dict[str, CatalogueLayer])
    """Who has a name in the catalogue: of the names said, and of those that the operator gave."""
    description: str | None
    """Null: the catalogue does not know it."""
    sayings: int = Field(ge=0)
    memories: int = Field(ge=0)


class VerdictRecord(Part):
    """Whether two names are one predicate, who says so and why."""

    first: str
    second: str
    same: bool
    decider: Decider | None
    """Null: nobody; there is no measured model to ask what they mean."""
    decided_by: str | None
    """The person, or the model; null: words alone."""
    decided_at: UtcDatetime | None
    """Null: it follows from the names, and was never written down."""
    reason: str | None
    stands: bool
    """Whether it holds: of each pair a person's before a model's, then the latest."""


class PredicatesReply(Contract):
    """Predicates by name, and verdicts by pair, the latest first."""

    project: Token
    predicates: tuple[PredicateRecord, ...]
    verdicts: tuple[VerdictRecord, ...]
    truncated: bool = False


class VerdictRequest(Contract):
    """A person says whether two names are one predicate; the same request again changes nothing.

    It stands over whatever words or a model say.
    """

    project: Token
    first: PredicateName
    second: PredicateName
    same: bool
    decided_by: str = Field(min_length=1, max_length=512)
    decided_at: UtcDatetime
    reason: str | None = Field(default=None, max_length=2048)


class VerdictReply(Contract):
    """What a verdict does."""

    verdict_id: str
    known: bool
    """The journal held this verdict already."""
    first: str
    second: str
    """The names it was taken down under: the catalogue's for a synonym."""
    groups: int = Field(ge=0)
    """How many predicates, each of one entity in one memory, are folded anew because of it."""
    still_joined: bool
    """They are one all the same, through other names that both are one with."""
