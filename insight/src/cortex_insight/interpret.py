"""From a raw event to observations: parse, redact, enrich, and only then name by content."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime

from roxabi_contracts import (
    Claim,
    ContractError,
    MadeBy,
    Observation,
    Origin,
    RawEvent,
    Statement,
)
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.payloads import ClaimKind, SpeechAct

from cortex_insight import sanitise
from cortex_insight.enrich.port import Enricher, SpeechContext
from cortex_insight.outbox import OutboxMessage, observation_message
from cortex_insight.parser import Draft, Neighbours, ParseContext, Parser, Reject


@dataclass(frozen=True)
class SourceConfig:
    """How the events of one source are read."""

    parser: Parser
    origin: Origin
    enricher: Enricher | None = None


@dataclass(frozen=True)
class Presence:
    """Which neighbours the lake had when an event was read."""

    events: Neighbours = field(default_factory=dict[str, tuple[RawEvent, ...]])
    count: int = 0
    """Of all that provide a key that was asked for; more than `events` holds of a crowded key."""


@dataclass(frozen=True)
class Interpreted:
    """What became of an event that its parser could read."""

    observations: tuple[Observation, ...]
    messages: tuple[OutboxMessage, ...]
    """Of the observations, in their order."""
    unknown_types: Mapping[str, int]


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
    drawn = (_observe(event, draft, presence, config) for draft in parsed.drafts)
    observations = {observation.message_id: observation for observation in drawn}
    try:
        messages = tuple(map(observation_message, observations.values()))
    except ContractError as error:
        return Reject("observation_not_sendable", f"{type(error).__name__}: {error}")
    return Interpreted(tuple(observations.values()), messages, parsed.unknown_types)


def withdraw(previous: Observation, made_by: MadeBy) -> Observation:
    """The same record, standing for nothing: a later reading of its event no longer says it."""
    return Observation.of(
        previous.payload,
        project_id=previous.project_id,
        source=previous.source,
        source_ref=previous.source_ref,
        timestamp=previous.timestamp,
        actors=previous.actors,
        subject=previous.subject,
        origin=previous.origin,
        made_by=made_by,
        correlation=previous.correlation,
        sequence=previous.sequence,
        revision=previous.revision,
        deleted=True,
    )


def made_by(config: SourceConfig, presence: Presence, revisions: tuple[int, ...] = ()) -> MadeBy:
    """Which versions read an event, and how many neighbours they saw."""
    return MadeBy(
        parser=config.parser.version,
        sanitiser=sanitise.VERSION,
        enricher=0 if config.enricher is None else config.enricher.version,
        neighbours=presence.count,
        neighbour_revisions=revisions,
    )


def _observe(
    event: RawEvent, draft: Draft, presence: Presence, config: SourceConfig
) -> Observation:
    draft = _enrich(sanitise.sanitise(draft), config.enricher)
    return Observation.of(
        draft.payload,
        project_id=event.project,
        source=event.source,
        source_ref=draft.source_ref,
        timestamp=draft.timestamp,
        actors=draft.actors,
        subject=draft.subject,
        origin=_least_trusted(config.origin, draft.origin),
        made_by=made_by(config, presence, draft.neighbour_revisions),
        topic=draft.topic,
        sentiment=draft.sentiment,
        correlation=draft.correlation,
        sequence=draft.sequence,
        revision=draft.revision,
        deleted=draft.deleted,
    )


def _least_trusted(configured: Origin, drafted: Origin | None) -> Origin:
    order = tuple(Origin)
    return max(configured, drafted or configured, key=order.index)


def _enrich(draft: Draft, enricher: Enricher | None) -> Draft:
    if enricher is None or draft.speaker is None:
        return draft
    payload = draft.payload
    said = SpeechContext(from_epoch_ms(draft.timestamp), payload.time.zone)
    claims = enricher.claims(payload.text, draft.actors[draft.speaker], said)
    if not claims:
        return draft
    found = tuple(_by_speaker(claim, draft.speaker) for claim in claims)
    changes: dict[str, object] = {"claims": (*payload.claims, *found)}
    if isinstance(payload, Statement):
        changes["speech_act"] = _speech_act(payload.speech_act, found)
    return replace(draft, payload=payload.model_copy(update=changes))


def _by_speaker(claim: Claim, speaker: int) -> Claim:
    """The claim with its speaker by place: an instruction has no first person in its words."""
    return claim.model_copy(update={"about": speaker}) if claim.about is None else claim


def _speech_act(stated: SpeechAct, claims: tuple[Claim, ...]) -> SpeechAct:
    """What the source states, else what all the claims are."""
    kinds = {claim.kind for claim in claims}
    if stated is not SpeechAct.ASSERTION or len(kinds) > 1:
        return stated
    acts = {
        ClaimKind.ATTRIBUTE: SpeechAct.ASSERTION,
        ClaimKind.PREFERENCE: SpeechAct.PREFERENCE,
        ClaimKind.INSTRUCTION: SpeechAct.INSTRUCTION,
    }
    return acts[kinds.pop()]
