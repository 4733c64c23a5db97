"""What a person asks for, made into a decision: by name of all that stands behind each fact."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.ids import content_id
from roxabi_contracts.operations import DecisionAction, FactStatus

from cortex_memory.model import (
    Assertion,
    Decision,
    Disable,
    Dispute,
    Enable,
    FactReference,
    JournalId,
    Reject,
    Release,
    Resolve,
)
from cortex_memory.retain.rebind import reference_to

_RELEASABLE = {FactStatus.QUARANTINED, FactStatus.DISABLED, FactStatus.DISPUTED}


class UnfitDecision(Exception):
    """What is asked for cannot be done with these facts."""


@dataclass(frozen=True, slots=True)
class DecidedFact:
    """A fact that a decision speaks of, as it stands before."""

    id: str
    status: FactStatus
    conflict_id: str | None
    assertions: tuple[Assertion, ...]

    @property
    def reference(self) -> FactReference:
        """The name that is journaled: an id can be withdrawn or renamed by a re-parse."""
        return FactReference(frozenset(map(reference_to, self.assertions)))


def decision_id(request: DecisionRequest) -> JournalId:
    """The id of what is asked for: the same in all but its reason is the same decision."""
    lose: list[JsonValue] = [*sorted(request.lose)]
    what = (request.project, request.subject, request.action.value, request.fact_id, lose)
    return JournalId(
        content_id("decision", *what, request.decided_by, epoch_ms(request.decided_at))
    )


def check_decision(
    request: DecisionRequest, fact: DecidedFact, losers: Sequence[DecidedFact], now: int
) -> None:
    """Refuse what could not bite; `now` is in milliseconds since 1970.

    Raises:
        UnfitDecision: with a reason that a person can act on.
    """
    if epoch_ms(request.decided_at) > now:
        raise UnfitDecision("a decision cannot be of the future")
    if request.action is DecisionAction.RESOLVE:
        _check_resolution(fact, losers)
    elif losers:
        raise UnfitDecision(f"only a resolution names facts that lose, not {request.action!r}")
    elif request.action is DecisionAction.RELEASE and fact.status not in _RELEASABLE:
        raise UnfitDecision(f"fact {fact.id!r} is {fact.status.value}, not quarantined")


def _check_resolution(fact: DecidedFact, losers: Sequence[DecidedFact]) -> None:
    if fact.conflict_id is None:
        raise UnfitDecision(f"fact {fact.id!r} is in no open conflict")
    for loser in losers:
        if loser.id == fact.id:
            raise UnfitDecision(f"fact {fact.id!r} cannot both be kept and lose")
        if loser.conflict_id != fact.conflict_id:
            raise UnfitDecision(f"fact {loser.id!r} is not in the conflict of {fact.id!r}")


def decision_of(
    request: DecisionRequest,
    identity: JournalId,
    fact: DecidedFact,
    losers: Iterable[DecidedFact],
) -> Decision:
    """The decision to be journaled."""
    at, meant = epoch_ms(request.decided_at), fact.reference
    match request.action:
        case DecisionAction.RESOLVE:
            return Resolve(identity, at, meant, tuple(loser.reference for loser in losers))
        case DecisionAction.RELEASE:
            return Release(identity, at, meant)
        case DecisionAction.REJECT:
            return Reject(identity, at, meant)
        case DecisionAction.DISPUTE:
            return Dispute(identity, at, meant)
        case DecisionAction.DISABLE:
            return Disable(identity, at, meant)
        case DecisionAction.ENABLE:
            return Enable(identity, at, meant)
