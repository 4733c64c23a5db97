"""Short ways to make observations in tests."""

from collections.abc import Mapping, Sequence

from cortex_memory.model import EntityId, Fact, IdentifierId
from cortex_memory.retain.extract import CLAIMS_EXTRACTOR, CLAIMS_VERSION, extract_claims
from cortex_memory.retain.journal import CandidateSet, Journal, JournalState, fold_journal
from cortex_memory.retain.values import readable
from pydantic import JsonValue
from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole, Identifier
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.observation import Correlation, MadeBy, Observation, Origin
from roxabi_contracts.payloads import (
    Claim,
    ClaimAction,
    Statement,
    TimeNote,
    TimePrecision,
    TimeSource,
    Validity,
)
from roxabi_contracts.predicates import PredicateCatalogue

KEY = b"the key of the tests"
CATALOGUE = PredicateCatalogue.from_toml(
    """
    [lives_in]
    description = "Where the actor lives."
    synonyms = ["residence", "habite_a"]
    change = "latest"

    [likes]
    description = "What the actor likes."
    cardinality = "many"

    [married]
    description = "Whether the actor is married."
    value_type = "boolean"

    [prefers]
    description = "What the actor prefers."
    qualifiers = ["domain"]
    kind = "preference"
    volatility = "slow"

    [instruction]
    description = "A standing instruction."
    cardinality = "many"
    kind = "instruction"
    """
)


def actor(
    *keys: str,
    role: ActorRole = ActorRole.AUTHOR,
    kind: ActorKind = ActorKind.PERSON,
    name: str | None = None,
) -> ActorRef:
    """An actor by `scheme:value` keys, or by name alone."""
    return ActorRef(
        kind=kind, role=role, name=name, identifiers=tuple(Identifier.parse(key) for key in keys)
    )


ANN = actor("ann@garden.org")
OWNER = actor("ann@garden.org", role=ActorRole.OWNER)
BOB = actor("bob@garden.org")
BOB_NAMED = actor("bob@garden.org", role=ActorRole.MENTIONED)


def claim(
    predicate: str,
    value: JsonValue,
    *,
    about: int | str | None = 0,
    action: ClaimAction = ClaimAction.CREATE,
    replaces: JsonValue = None,
    begin: int | None = None,
    until: int | None = None,
    confidence: float = 1.0,
    qualifiers: Mapping[str, JsonValue] | None = None,
    evidence: str = "words",
) -> Claim:
    """A claim about the first actor whose evidence is the text of `observe`."""
    valid = Validity.model_validate(
        {
            "from": None if begin is None else from_epoch_ms(begin),
            "until": None if until is None else from_epoch_ms(until),
        }
    )
    return Claim(
        about=about,
        predicate=predicate,
        value=value if isinstance(value, dict) else {"value": value},
        qualifiers=dict(qualifiers or {}),
        action=action,
        replaces=None if replaces is None else {"value": replaces},
        valid=None if begin is None and until is None else valid,
        confidence=confidence,
        evidence=evidence,
    )


def observe(
    *claims: Claim,
    at: int,
    ref: str,
    actors: Sequence[ActorRef] = (ANN,),
    subject: int = 0,
    origin: Origin = Origin.TRUSTED,
    text: str = "words",
    revision: int = 0,
    parser: int = 1,
    neighbours: int = 0,
    trace: str | None = "chat",
    deleted: bool = False,
    source: str = "notes",
) -> Observation:
    """A statement, by default Ann's own in her own memory."""
    note = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
    return Observation.of(
        Statement(text=text, time=note, claims=claims),
        project_id="garden",
        source=source,
        source_ref=ref,
        timestamp=at,
        actors=tuple(actors),
        subject=subject,
        origin=origin,
        made_by=MadeBy(parser=parser, neighbours=neighbours),
        correlation=Correlation(trace_id=trace),
        revision=revision,
        deleted=deleted,
    )


def candidates(*observations: Observation) -> tuple[CandidateSet, ...]:
    """What the claims extractor finds in them."""
    return tuple(
        CandidateSet(
            observation_id=observation.id,
            extractor=CLAIMS_EXTRACTOR,
            version=CLAIMS_VERSION,
            facts=extract_claims(observation).facts,
        )
        for observation in observations
    )


def journal(*observations: Observation) -> Journal:
    """A journal of observations and what they claim."""
    return Journal(observations=observations, candidates=candidates(*observations))


def memory(known: Journal, now: int = 1_000) -> JournalState:
    """What memory says."""
    return fold_journal(known, catalogue=CATALOGUE, project_key=KEY, now=now)


def content(fact: Fact) -> JsonValue:
    """The value as said; the scalar of `{"value": scalar}`."""
    shown = readable(fact.value)
    return shown["value"] if shown is not None and shown.keys() == {"value"} else shown


def shown(state: JournalState) -> list[tuple[str, str, str]]:
    """Predicate, content and status of each fact, sorted."""
    return sorted(
        (fact.slot.predicate, str(content(fact)), fact.status.value) for fact in state.facts
    )


def alone(identifier: IdentifierId) -> EntityId:
    """Every identifier is an entity of its own."""
    return EntityId(identifier)
