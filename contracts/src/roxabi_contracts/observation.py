"""The Observation: what the lake tells the warehouse, typed and without a verdict."""

from enum import StrEnum
from typing import Annotated, Final, Self

from pydantic import Field, PrivateAttr, model_validator

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.base import Contract, EpochMs, JsonObject, Part
from roxabi_contracts.ids import content_id, content_ulid
from roxabi_contracts.payloads import PAYLOAD_MODELS, Category, Payload, referenced_actors
from roxabi_contracts.subjects import Project, Token

Version = Annotated[int, Field(ge=0)]


NOT_SAID: Final = frozenset({"id", "made_by", "contract_version", "erases"})
"""Fields of an observation that are no part of what it says."""


class Origin(StrEnum):
    """How far the place that an observation comes from is trusted."""

    TRUSTED = "trusted"
    SEMI_TRUSTED = "semi_trusted"
    THIRD_PARTY = "third_party"
    UNTRUSTED = "untrusted"


class Correlation(Part):
    """What belongs together in the source."""

    trace_id: str | None = None
    parent_obs_id: str | None = None
    parent_ref: str | None = None
    episode_id: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)


MODEL_STEP: Final = 1000
"""Versions of the rules lie below; see `enricher_version`."""


def enricher_version(rules: int, *, has_model: bool, answered: int = 0) -> int:
    """One number for all that enriches, higher the more it has seen.

    Args:
        rules: The version of the rules; 0: there are none.
        has_model: Whether a model reads the source.
        answered: The version of the prompt whose answer is in it; 0: there is none yet.
    """
    return rules + MODEL_STEP * (has_model + answered)


class MadeBy(Part):
    """Which versions made the observation of its event, compared as integers, in this order."""

    parser: Version
    sanitiser: Version = 0
    enricher: Version = 0
    """As `enricher_version` puts it together."""
    neighbours: Version = 0
    """How many of the events that the parser asked for were present."""
    neighbour_revisions: tuple[Version, ...] = ()

    @property
    def has_model(self) -> bool:
        """A model of the lake reads this source, now or soon: no other one is asked about it."""
        return self.enricher >= MODEL_STEP


class Observation(Contract):
    """One thing that was said, found, decided or made, as a source recorded it."""

    id: str = Field(pattern=r"^[0-7][0-9A-HJKMNP-TV-Z]{25}$")
    project_id: Project
    source: Token
    source_ref: str = Field(min_length=1, max_length=1024)
    timestamp: EpochMs
    """When it was said or recorded in the source; an edit keeps the original's."""
    category: Category
    actors: tuple[ActorRef, ...] = Field(min_length=1, max_length=256)
    subject: int = Field(ge=0)
    """Index of the actor whose memory this goes to."""
    topic: tuple[str, ...] | None = None
    sentiment: str | None = None
    payload_typed: JsonObject
    correlation: Correlation = Correlation()
    origin: Origin
    sequence: int | None = None
    """Native order inside the trace."""
    revision: Version = 0
    """The source's own: edit time, sequence number, time of update."""
    deleted: bool = False
    """The source says that the record is gone; this revision stands for nothing."""
    made_by: MadeBy
    erases: tuple[str, ...] = Field(default=(), max_length=1000)
    """Ids of observations in which an earlier sanitiser left a secret: nothing of their content
    stays. No part of what this one says."""

    _payload: Payload = PrivateAttr()

    @model_validator(mode="after")
    def _check_references(self) -> Self:
        model = PAYLOAD_MODELS[self.category]
        self._payload = model.model_validate(self.payload_typed, extra="ignore")
        highest = max({self.subject} | referenced_actors(self._payload))
        if highest >= len(self.actors):
            raise ValueError(f"there is no actor {highest} among {len(self.actors)}")
        if not self.actors[self.subject].identifiers:
            raise ValueError("the subject has no identifier: whose memory is this?")
        return self

    @property
    def payload(self) -> Payload:
        """`payload_typed` as the model of the category."""
        return self._payload

    @property
    def message_id(self) -> str:
        """The broker's deduplication key: the id, the versions that made it, what it erases."""
        made = self.made_by
        versions = (made.parser, made.sanitiser, made.enricher, made.neighbours)
        revisions = "-".join(str(revision) for revision in made.neighbour_revisions)
        erases = [content_id(*self.erases)] if self.erases else []
        return ".".join([self.id, *map(str, versions), revisions, *erases])

    @classmethod
    def of(
        cls,
        payload: Payload,
        *,
        project_id: str,
        source: str,
        source_ref: str,
        timestamp: int,
        actors: tuple[ActorRef, ...],
        subject: int,
        origin: Origin,
        made_by: MadeBy,
        topic: tuple[str, ...] | None = None,
        sentiment: str | None = None,
        correlation: Correlation | None = None,
        sequence: int | None = None,
        revision: int = 0,
        deleted: bool = False,
        erases: tuple[str, ...] = (),
    ) -> Self:
        """Make an observation whose id derives from all that it says.

        `NOT_SAID` is no part of the id: a later parser that says the same changes nothing.
        """
        unnamed = cls(
            id="0" * 26,
            project_id=project_id,
            source=source,
            source_ref=source_ref,
            timestamp=timestamp,
            category=Category(type(payload).__name__),
            actors=actors,
            subject=subject,
            topic=topic,
            sentiment=sentiment,
            payload_typed=payload.model_dump(mode="json"),
            correlation=correlation or Correlation(),
            origin=origin,
            sequence=sequence,
            revision=revision,
            deleted=deleted,
            made_by=made_by,
            erases=erases,
        )
        content = unnamed.model_dump(mode="json", exclude={*NOT_SAID})
        return unnamed.model_copy(update={"id": content_ulid(timestamp, content)})
