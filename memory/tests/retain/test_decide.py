"""What a person asks for becomes a decision, or is refused with the reason."""

import pytest
from cortex_memory.model import (
    Assertion,
    Disable,
    Dispute,
    Enable,
    FactReference,
    JournalId,
    Reject,
    Release,
    Resolve,
)
from cortex_memory.retain.decide import (
    DecidedFact,
    UnfitDecision,
    check_decision,
    decision_id,
    decision_of,
)
from cortex_memory.retain.rebind import Rebinder, reference_to
from retain.building import naming, said
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.operations import DecisionAction, FactStatus

NOW = 10
NAME = JournalId("decision")
OSLO, AGAIN, ROME = said("Oslo", 1), said("Oslo", 2), said("Rome", 3)


def asking(
    action: DecisionAction,
    *lose: str,
    fact_id: str = "oslo",
    at: int = 5,
    by: str = "dora",
    reason: str | None = None,
) -> DecisionRequest:
    return DecisionRequest(
        project="garden",
        subject="ann@garden.org",
        action=action,
        fact_id=fact_id,
        lose=lose,
        decided_by=by,
        decided_at=from_epoch_ms(at),
        reason=reason,
    )


def fact(
    *assertions: Assertion,
    name: str = "oslo",
    status: FactStatus = FactStatus.ACTIVE,
    conflict_id: str | None = "clash",
) -> DecidedFact:
    return DecidedFact(name, status, conflict_id, assertions)


def test_a_resolution_names_every_assertion_behind_what_is_kept_and_lost() -> None:
    request = asking(DecisionAction.RESOLVE)
    decision = decision_of(request, NAME, fact(OSLO, AGAIN), [fact(ROME, name="rome")])

    assert decision == Resolve(NAME, 5, naming(OSLO, AGAIN), (naming(ROME),))


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (DecisionAction.RELEASE, Release),
        (DecisionAction.REJECT, Reject),
        (DecisionAction.DISPUTE, Dispute),
        (DecisionAction.DISABLE, Disable),
        (DecisionAction.ENABLE, Enable),
    ],
)
def test_every_other_action_is_on_one_fact(
    action: DecisionAction, kind: type[Release | Reject | Dispute | Disable | Enable]
) -> None:
    assert decision_of(asking(action), NAME, fact(OSLO), []) == kind(NAME, 5, naming(OSLO))


def test_the_same_request_is_the_same_decision_whatever_its_reason() -> None:
    first = decision_id(asking(DecisionAction.RESOLVE, "rome", "kyiv", reason="so"))

    assert decision_id(asking(DecisionAction.RESOLVE, "kyiv", "rome")) == first


@pytest.mark.parametrize(
    "other",
    [
        asking(DecisionAction.DISPUTE, "rome"),
        asking(DecisionAction.RESOLVE),
        asking(DecisionAction.RESOLVE, "rome", fact_id="kyiv"),
        asking(DecisionAction.RESOLVE, "rome", at=6),
        asking(DecisionAction.RESOLVE, "rome", by="emil"),
    ],
)
def test_whatever_else_differs_makes_another_decision(other: DecisionRequest) -> None:
    assert decision_id(other) != decision_id(asking(DecisionAction.RESOLVE, "rome"))


@pytest.mark.parametrize(
    ("request_", "kept", "losers", "reason"),
    [
        (asking(DecisionAction.DISABLE, at=11), fact(OSLO), [], "future"),
        (asking(DecisionAction.RESOLVE), fact(OSLO, conflict_id=None), [], "no open conflict"),
        (asking(DecisionAction.RESOLVE, "oslo"), fact(OSLO), [fact(OSLO)], "both be kept"),
        (
            asking(DecisionAction.RESOLVE, "rome"),
            fact(OSLO),
            [fact(ROME, name="rome", conflict_id="another")],
            "not in the conflict",
        ),
        (
            asking(DecisionAction.RESOLVE, "rome"),
            fact(OSLO),
            [fact(ROME, name="rome", conflict_id=None)],
            "not in the conflict",
        ),
        (asking(DecisionAction.REJECT, "rome"), fact(OSLO), [fact(ROME)], "only a resolution"),
        (asking(DecisionAction.RELEASE), fact(OSLO), [], "not quarantined"),
    ],
)
def test_what_could_not_bite_is_refused(
    request_: DecisionRequest, kept: DecidedFact, losers: list[DecidedFact], reason: str
) -> None:
    with pytest.raises(UnfitDecision, match=reason):
        check_decision(request_, kept, losers, NOW)


@pytest.mark.parametrize(
    ("request_", "kept", "losers"),
    [
        (asking(DecisionAction.RESOLVE), fact(OSLO), [fact(ROME, name="rome")]),
        (asking(DecisionAction.RELEASE), fact(OSLO, status=FactStatus.QUARANTINED), []),
        (asking(DecisionAction.RELEASE), fact(OSLO, status=FactStatus.DISABLED), []),
        (asking(DecisionAction.DISPUTE, at=NOW), fact(OSLO, conflict_id=None), []),
    ],
)
def test_the_rest_is_not(
    request_: DecisionRequest, kept: DecidedFact, losers: list[DecidedFact]
) -> None:
    check_decision(request_, kept, losers, NOW)


def test_a_name_that_is_still_said_elsewhere_means_nothing_here() -> None:
    """Only where it is said no longer does it mean what is said in its place."""
    decision = Disable(NAME, 5, naming(OSLO))
    renamed = said("Oslo", 1, predicate="residence", ref=OSLO.key.source_ref)

    apart = Rebinder([renamed], elsewhere=[OSLO.id]).rebound(decision)
    replaced = Rebinder([renamed]).rebound(decision)

    assert apart == decision
    assert replaced == Disable(NAME, 5, FactReference(frozenset([reference_to(renamed)])))
