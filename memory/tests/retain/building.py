"""Short ways to say things in tests: one slot, times as small numbers."""

from collections.abc import Mapping

from cortex_memory.model import (
    Assertion,
    AssertionId,
    Authority,
    EntityId,
    Erasure,
    Fact,
    FactReference,
    IdentifierId,
    JournalId,
    ObservationKey,
    ProjectId,
    Slot,
    SlotState,
)
from cortex_memory.retain.fold import SlotFold, fold_slot
from cortex_memory.retain.fold.ledger import SlotRules
from cortex_memory.retain.fold.order import Event, assertion_order
from cortex_memory.retain.outcome import Outcome
from cortex_memory.retain.rebind import reference_to
from cortex_memory.retain.values import keyed_digest, readable, value_of
from pydantic import JsonValue
from roxabi_contracts.actor import ActorKind
from roxabi_contracts.observation import Origin
from roxabi_contracts.payloads import Cardinality, ClaimAction, ClaimKind, Volatility
from roxabi_contracts.predicates import ChangeRule, ValueType

KEY = b"the key of the tests"
PROJECT = ProjectId("garden")
SUBJECT = IdentifierId("subject")
ABOUT = IdentifierId("about")
SLOT = Slot(PROJECT, EntityId(SUBJECT), EntityId(ABOUT), "lives_in")
LATEST = SlotRules(change=ChangeRule.LATEST)
CONTEST = SlotRules()


def said(
    value: JsonValue,
    at: int,
    *,
    action: ClaimAction = ClaimAction.CREATE,
    by: str = "ann",
    authority: int = 2,
    ref: str | None = None,
    confidence: float = 1.0,
    begin: int | None = None,
    until: int | None = None,
    kind: ClaimKind = ClaimKind.ATTRIBUTE,
    author_kind: ActorKind = ActorKind.PERSON,
    predicate: str = "lives_in",
    qualifiers: Mapping[str, JsonValue] | None = None,
    cardinality: Cardinality | None = None,
    volatility: Volatility | None = None,
    sequence: int | None = None,
    about: IdentifierId = ABOUT,
) -> Assertion:
    """An assertion; a scalar stands for `{"value": scalar}`."""
    raw = value if isinstance(value, dict) else {"value": value}
    known = value_of(raw, KEY, ValueType.TEXT)
    told = value_of(qualifiers or {}, KEY, ValueType.TEXT)
    key = ObservationKey(PROJECT, SUBJECT, "chat", ref or f"{by}-{at}")
    identity = AssertionId(
        keyed_digest(
            KEY,
            key.source_ref,
            predicate,
            known.pairs,
            known.nulls,
            action,
            begin,
            until,
            told.pairs,
        )
    )
    is_dated_retract = action is ClaimAction.RETRACT and until is not None
    time = until if is_dated_retract and until is not None else max(at, begin or at)
    return Assertion(
        id=identity,
        key=key,
        observation_id=f"obs-{key.source_ref}",
        about=about,
        predicate=predicate,
        value=known,
        qualifiers=told,
        action=action,
        valid_from=begin,
        valid_until=until,
        said=at,
        time=time,
        order=assertion_order(
            time=time,
            said=at,
            trace=None,
            sequence=sequence,
            key=key,
            action=action,
            assertion_id=identity,
        ),
        origin=Origin.TRUSTED,
        author=IdentifierId(by),
        author_kind=author_kind,
        author_has_strong_key=True,
        author_entity=EntityId(by),
        authority=Authority(authority),
        confidence=confidence,
        kind=kind,
        volatility=volatility,
        cardinality=cardinality,
        evidence=None,
    )


def superseding(value: JsonValue, at: int, *, by: str = "ann", authority: int = 2) -> Assertion:
    """An assertion that means to replace what was said before."""
    return said(value, at, action=ClaimAction.SUPERSEDE, by=by, authority=authority)


def retracting(
    value: JsonValue,
    at: int,
    *,
    by: str = "ann",
    authority: int = 2,
    confidence: float = 1.0,
    until: int | None = None,
) -> Assertion:
    """An assertion that something no longer holds."""
    return said(
        value,
        at,
        action=ClaimAction.RETRACT,
        by=by,
        authority=authority,
        confidence=confidence,
        until=until,
    )


def naming(*assertions: Assertion) -> FactReference:
    """The name by which a decision speaks of the fact behind which these assertions stand."""
    return FactReference(frozenset(reference_to(assertion) for assertion in assertions))


def erasing(at: int, *assertions: Assertion) -> Erasure:
    """The erasure of the fact behind which these assertions stand."""
    pairs = frozenset(pair for assertion in assertions for pair in assertion.value.pairs)
    return Erasure(
        id=JournalId(f"erase-{at}"),
        at=at,
        project=PROJECT,
        subject=SUBJECT,
        about=ABOUT,
        predicates=frozenset(assertion.predicate for assertion in assertions),
        pairs=pairs,
    )


def folded(*events: Event, now: int = 1_000, rules: SlotRules = CONTEST) -> SlotState:
    """What the slot says of these events."""
    return fold_slot(SLOT, events, rules, now)


def content(fact: Fact) -> JsonValue:
    """The value as said; the scalar of `{"value": scalar}`."""
    shown = readable(fact.value)
    return shown["value"] if shown is not None and shown.keys() == {"value"} else shown


def shown(state: SlotState) -> dict[str, str]:
    """Each fact's content and status, for a slot in which no value has two facts."""
    listed = {str(content(fact)): fact.status.value for fact in state.facts}
    assert len(listed) == len(state.facts)
    return listed


def fact_of(state: SlotState, assertion: Assertion) -> Fact:
    """The fact that answers to the id of an assertion."""
    [found] = [
        fact
        for fact in state.facts
        if assertion.id in {source.assertion_id for source in fact.sources}
    ]
    return found


def interval(fact: Fact) -> tuple[int | None, int | None]:
    """When the fact held."""
    return fact.valid_from, fact.valid_to


def outcome_of(*events: Event, now: int = 1_000, rules: SlotRules = CONTEST) -> Outcome:
    """What the last event did."""
    fold = SlotFold(SLOT, rules)
    return [fold.step(event, now) for event in events][-1]
