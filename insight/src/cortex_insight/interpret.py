"""From a raw event to observations: parse, redact, enrich, and only then name by content."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from roxabi_contracts import Catalogues, ContractError, MadeBy, Observation, Origin, RawEvent
from roxabi_contracts.observation import enricher_version

from cortex_insight.enrich.draft import Answers, ModelAnswer, enrich
from cortex_insight.enrich.model.question import Question
from cortex_insight.enrich.port import Enricher
from cortex_insight.outbox import OutboxMessage, observation_message
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parser, Reject
from cortex_insight.sanitise import SANITISER, Sanitiser, marks_in

_NO_PROMPT: Final = 0
"""Older than any answer: all of them count."""


@dataclass(frozen=True)
class SourceConfig:
    """How the events of one source are read."""

    parser: Parser
    origin: Origin
    enricher: Enricher | None = None
    prompt: int | None = None
    """Version of the prompt by which a model reads it, too; null: none does."""
    catalogues: Catalogues = field(default_factory=Catalogues)
    sanitiser: Sanitiser = SANITISER


@dataclass(frozen=True)
class Presence:
    """What the lake had beside an event when it was read: neighbours, and a model's answers."""

    events: Neighbours = field(default_factory=dict[str, tuple[RawEvent, ...]])
    count: int = 0
    """Of all that provide a key that was asked for; more than `events` holds of a crowded key."""
    answers: Answers = field(default_factory=dict[bytes, ModelAnswer])
    had_model: bool = False
    """A model was to read it before: its answers count on, whether or not one is asked now."""


@dataclass(frozen=True)
class Interpreted:
    """What became of an event that its parser could read."""

    observations: tuple[Observation, ...]
    messages: tuple[OutboxMessage, ...]
    """Of the observations, in their order."""
    unknown_types: Mapping[str, int]
    redactions: Mapping[str, int]
    """Secrets that were taken out, by kind."""
    questions: tuple[Question, ...]
    """What a model has still to be asked."""


def interpret(
    event: RawEvent, presence: Presence, config: SourceConfig, received_at: datetime
) -> Interpreted | Reject:
    """Read an event; whatever a faulty parser raises passes through."""
    parser = config.parser
    if event.media_type not in parser.media_types:
        return Reject("unknown_media_type", f"{parser.source} does not read this media type")
    context = ParseContext(received_at=received_at, origin=config.origin)
    parsed = parser.parse(event, presence.events, context)
    if isinstance(parsed, Reject):
        return parsed
    drawn = [_observe(event, draft, presence, config) for draft in parsed.drafts]
    observations = {observation.message_id: observation for observation, _ in drawn}
    questions = tuple(question for _, question in drawn if question is not None)
    try:
        messages = tuple(map(observation_message, observations.values()))
    except ContractError as error:
        return Reject("observation_not_sendable", f"{type(error).__name__}: {error}")
    redactions = marks_in(message.payload for message in messages)
    return Interpreted(
        tuple(observations.values()), messages, parsed.unknown_types, redactions, questions
    )


def made_by(
    config: SourceConfig,
    presence: Presence,
    revisions: tuple[int, ...] = (),
    answered: int = 0,
) -> MadeBy:
    """Which versions read an event, and how many neighbours they saw."""
    rules = 0 if config.enricher is None else config.enricher.version
    has_model = config.prompt is not None or presence.had_model
    return MadeBy(
        parser=config.parser.version,
        sanitiser=config.sanitiser.version,
        enricher=enricher_version(rules, has_model=has_model, answered=answered),
        neighbours=presence.count,
        neighbour_revisions=revisions,
    )


def _observe(
    event: RawEvent, draft: Draft, presence: Presence, config: SourceConfig
) -> tuple[Observation, Question | None]:
    prompt = _NO_PROMPT if config.prompt is None and presence.had_model else config.prompt
    catalogue = config.catalogues.for_project(event.project)
    sanitise = config.sanitiser.sanitise
    sanitised = sanitise(draft)
    enriched = enrich(sanitised, config.enricher, catalogue, prompt, presence.answers)
    draft = sanitise(enriched.draft) if enriched.answered else enriched.draft
    observation = Observation.of(
        draft.payload,
        project_id=event.project,
        source=event.source,
        source_ref=draft.source_ref,
        timestamp=draft.timestamp,
        actors=draft.actors,
        subject=draft.subject,
        origin=_least_trusted(config.origin, draft.origin),
        made_by=made_by(config, presence, draft.neighbour_revisions, enriched.answered),
        topic=draft.topic,
        sentiment=draft.sentiment,
        correlation=draft.correlation,
        sequence=draft.sequence,
        revision=draft.revision,
        deleted=draft.deleted,
    )
    return observation, None if config.prompt is None else enriched.question


def _least_trusted(configured: Origin, drafted: Origin | None) -> Origin:
    order = tuple(Origin)
    return max(configured, drafted or configured, key=order.index)
