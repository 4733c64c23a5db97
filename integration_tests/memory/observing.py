"""Short ways to make observations."""

from collections.abc import Sequence

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

PROJECT = "garden"


def actor(*keys: str, role: ActorRole = ActorRole.AUTHOR, name: str | None = None) -> ActorRef:
    """A person by `scheme:value` keys, or by name alone."""
    return ActorRef(
        kind=ActorKind.PERSON,
        role=role,
        name=name,
        identifiers=tuple(Identifier.parse(key) for key in keys),
    )


ANN = actor("ann@garden.org")
BOB = actor("bob@garden.org")


def claim(
    predicate: str,
    value: JsonValue,
    *,
    action: ClaimAction = ClaimAction.CREATE,
    begin: int | None = None,
    until: int | None = None,
    about: int = 0,
) -> Claim:
    """A claim about an actor, by default the first."""
    validity = Validity.model_validate(
        {
            "from": None if begin is None else from_epoch_ms(begin),
            "until": None if until is None else from_epoch_ms(until),
        }
    )
    return Claim(
        about=about,
        predicate=predicate,
        value={"value": value},
        action=action,
        valid=validity,
        evidence="words",
    )


def observe(
    *claims: Claim,
    at: int,
    ref: str,
    actors: Sequence[ActorRef] = (ANN,),
    subject: int = 0,
    origin: Origin = Origin.TRUSTED,
    revision: int = 0,
    parser: int = 1,
    deleted: bool = False,
    text: str = "words",
    project: str = PROJECT,
) -> Observation:
    """A statement, by default Ann's own in her own memory."""
    note = TimeNote(precision=TimePrecision.SECOND, source=TimeSource.RECORD)
    return Observation.of(
        Statement(text=text, time=note, claims=claims),
        project_id=project,
        source="notes",
        source_ref=ref,
        timestamp=at,
        actors=tuple(actors),
        subject=subject,
        origin=origin,
        made_by=MadeBy(parser=parser),
        correlation=Correlation(trace_id="chat"),
        revision=revision,
        deleted=deleted,
    )
