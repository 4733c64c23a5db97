"""The slots of one predicate about one entity."""

from collections.abc import Sequence

from cortex_memory.model import (
    Assertion,
    Decision,
    EntityId,
    Erasure,
    JournalId,
    Reject,
    Resolve,
    SlotState,
)
from cortex_memory.retain.group import Scope, fold_group, slots_of
from cortex_memory.retain.identify import PredicateGroup, group_of
from retain.building import (
    ABOUT,
    PROJECT,
    SUBJECT,
    erasing,
    fact_of,
    naming,
    retracting,
    said,
    shown,
    superseding,
)
from retain.observing import CATALOGUE
from roxabi_contracts.payloads import Cardinality, ClaimAction

SCOPE = Scope(PROJECT, EntityId(SUBJECT), EntityId(ABOUT))
MANY = Cardinality.MANY


def group(assertions: Sequence[Assertion]) -> PredicateGroup:
    return group_of(frozenset(a.predicate for a in assertions), assertions, CATALOGUE)


def fold(
    *assertions: Assertion,
    decisions: Sequence[Decision] = (),
    erasures: Sequence[Erasure] = (),
    now: int = 1_000,
) -> SlotState:
    return fold_group(
        SCOPE, group(assertions), assertions, decisions=decisions, erasures=erasures, now=now
    )


def likes(value: str, at: int, action: ClaimAction = ClaimAction.CREATE) -> Assertion:
    return said(value, at, action=action, predicate="likes")


def test_many_values_live_side_by_side() -> None:
    assert shown(fold(likes("tea", 1), likes("milk", 2))) == {"tea": "active", "milk": "active"}


def test_among_many_a_supersede_supersedes_nothing() -> None:
    events = [likes("tea", 1), likes("milk", 2, ClaimAction.SUPERSEDE)]

    assert shown(fold(*events)) == {"tea": "active", "milk": "active"}


def test_among_many_a_retract_reaches_the_values_it_meets() -> None:
    tea = said({"drink": "tea", "cup": "blue"}, 1, predicate="likes")
    milk = said({"drink": "milk"}, 1, predicate="likes")
    gone = said({"drink": "tea"}, 3, action=ClaimAction.RETRACT, predicate="likes")
    state = fold(tea, milk, gone)

    assert fact_of(state, tea).status.value == "ended"
    assert fact_of(state, milk).status.value == "active"


def test_among_many_a_retract_of_nothing_ends_all() -> None:
    gone = said(None, 3, action=ClaimAction.RETRACT, predicate="likes")

    assert shown(fold(likes("tea", 1), likes("milk", 2), gone)) == {"tea": "ended", "milk": "ended"}


def test_a_late_word_of_many_splits_the_slot() -> None:
    pets = [said("Rex", 1, predicate="pet"), said("Tom", 2, predicate="pet")]
    late = said("Kit", 0, predicate="pet", cardinality=MANY)

    assert len(fold(*pets).conflicts) == 1
    assert shown(fold(*pets, late)) == {"Rex": "active", "Tom": "active", "Kit": "active"}


def test_identifying_qualifiers_make_slots() -> None:
    music = said("jazz", 1, predicate="prefers", qualifiers={"domain": "music", "mood": "calm"})
    food = said("soup", 2, predicate="prefers", qualifiers={"domain": "food"})
    other = said("rock", 3, predicate="prefers", qualifiers={"domain": "Music"})
    state = fold(music, food, other)

    assert shown(state) == {"jazz": "active", "soup": "active", "rock": "candidate"}


def test_every_qualifier_of_an_unknown_predicate_identifies() -> None:
    left = said("red", 1, predicate="sock", qualifiers={"foot": "left"})
    right = said("blue", 2, predicate="sock", qualifiers={"foot": "right"})

    assert shown(fold(left, right)) == {"red": "active", "blue": "active"}


def test_a_decision_bites_in_whatever_slot_a_fact_now_is() -> None:
    pets = [said("Rex", 1, predicate="pet"), said("Tom", 2, predicate="pet")]
    late = said("Kit", 0, predicate="pet", cardinality=MANY)
    decision = Resolve(JournalId("d"), 5, naming(pets[0]), (naming(pets[1]),))

    assert shown(fold(*pets, late, decisions=[decision])) == {
        "Rex": "active",
        "Tom": "superseded",
        "Kit": "active",
    }


def test_decisions_and_erasures_of_others_do_no_harm() -> None:
    oslo, tea = said("Oslo", 1), likes("tea", 1)
    state = fold(
        oslo, decisions=[Reject(JournalId("d"), 5, naming(tea))], erasures=[erasing(5, tea)]
    )

    assert shown(state) == {"Oslo": "active"}


def test_an_erasure_reaches_the_slot_of_its_value_only() -> None:
    tea, milk = likes("tea", 1), likes("milk", 1)

    assert shown(fold(tea, milk, erasures=[erasing(5, tea)])) == {
        "None": "erased",
        "milk": "active",
    }


def test_the_next_due_of_a_group_is_the_earliest_of_its_slots() -> None:
    plans = [
        said("Oslo", 1, begin=40, predicate="likes"),
        said("Rome", 1, begin=30, predicate="likes"),
    ]

    assert fold(*plans, now=10).next_due == 30


def test_each_slot_is_named_by_the_canonical_predicate() -> None:
    assertions = [said("Oslo", 1, predicate="residence"), superseding("Rome", 2)]
    [slot] = slots_of(SCOPE, group(assertions), assertions)

    assert (slot.predicate, slot.value, slot.qualifiers) == ("lives_in", None, ())


def test_a_retract_alone_makes_a_slot_of_one_value_only() -> None:
    assert fold(retracting("Oslo", 1)).facts == ()
    assert fold(likes("tea", 1, ClaimAction.RETRACT)).facts == ()
