"""The order of events, ends of validity, and what was known at a moment."""

from cortex_memory.model import Disable, JournalId, ObservationKey, OrderKey
from cortex_memory.retain.fold import fold_slot
from cortex_memory.retain.fold.order import Event, assertion_order, order_of
from retain.building import (
    CONTEST,
    PROJECT,
    SLOT,
    SUBJECT,
    erasing,
    fact_of,
    folded,
    interval,
    naming,
    retracting,
    said,
    shown,
    superseding,
)
from roxabi_contracts.payloads import ClaimAction


def test_time_is_the_later_of_said_and_begun() -> None:
    assert said("Oslo", 3, begin=1).time == 3
    assert said("Oslo", 3, begin=7).time == 7


def test_a_retract_takes_effect_at_its_stated_end() -> None:
    assert retracting("Oslo", 9, until=4).time == 4


def test_one_moment_has_assertions_then_decisions_then_erasures() -> None:
    oslo = said("Oslo", 5)
    events: list[Event] = [erasing(5, oslo), Disable(JournalId("a"), 5, naming(oslo)), oslo]

    assert sorted(events, key=order_of) == events[::-1]


def test_null_comes_first() -> None:
    assert said("a", 1, sequence=None).order < said("a", 1, sequence=-5).order


def test_each_part_of_a_place_comes_before_the_next() -> None:
    def place(
        time: int, at: int, trace: str, sequence: int, source: str, ref: str, identity: str
    ) -> OrderKey:
        return assertion_order(
            time=time,
            said=at,
            trace=trace,
            sequence=sequence,
            key=ObservationKey(PROJECT, SUBJECT, source, ref),
            action=ClaimAction.CREATE,
            assertion_id=identity,
        )

    places = [
        place(1, 9, "z", 9, "z", "z", "z"),
        place(2, 1, "z", 9, "z", "z", "z"),
        place(2, 2, "a", 9, "z", "z", "z"),
        place(2, 2, "b", 1, "z", "z", "z"),
        place(2, 2, "b", 2, "a", "z", "z"),
        place(2, 2, "b", 2, "b", "a", "z"),
        place(2, 2, "b", 2, "b", "b", "a"),
        place(2, 2, "b", 2, "b", "b", "b"),
    ]

    assert sorted(places[::-1]) == places


def test_at_one_place_a_supersede_then_a_retract_then_a_create() -> None:
    actions = [ClaimAction.CREATE, ClaimAction.RETRACT, ClaimAction.SUPERSEDE]
    ordered = sorted((said("Oslo", 1, action=a) for a in actions), key=lambda a: a.order)

    assert [assertion.action for assertion in ordered] == actions[::-1]


def test_a_replacement_ends_the_former_value_and_creates_the_new() -> None:
    oslo = said("Oslo", 1)
    gone = said("Oslo", 5, action=ClaimAction.RETRACT, ref="move")
    rome = said("Rome", 5, ref="move")
    state = folded(rome, gone, oslo)

    assert shown(state) == {"Oslo": "ended", "Rome": "active"}
    assert interval(fact_of(state, oslo)) == (1, 5)


def test_validity_ends_as_an_event() -> None:
    oslo, rome = said("Oslo", 1, until=5), said("Rome", 6)

    assert shown(folded(oslo, now=4)) == {"Oslo": "active"}
    assert folded(oslo, now=4).next_due == 5
    assert shown(folded(oslo, now=5)) == {"Oslo": "ended"}
    assert shown(folded(oslo, rome)) == {"Oslo": "ended", "Rome": "active"}
    assert folded(oslo, rome).conflicts == ()


def test_an_end_comes_before_what_is_said_at_its_moment() -> None:
    state = folded(said("Oslo", 1, until=5), said("Rome", 5))

    assert shown(state) == {"Oslo": "ended", "Rome": "active"}
    assert state.conflicts == ()


def test_the_end_of_a_member_closes_a_set_of_two() -> None:
    oslo, rome = said("Oslo", 1, until=5), said("Rome", 2)
    state = folded(oslo, rome)

    assert shown(state) == {"Oslo": "ended", "Rome": "active"}
    assert state.conflicts[0].closed_at == 5
    assert interval(fact_of(state, rome)) == (2, None)


def test_members_that_end_at_one_moment_leave_together() -> None:
    oslo, rome = said("Oslo", 1, until=5), said("Rome", 2, until=5)
    state = folded(oslo, rome)

    assert interval(fact_of(state, oslo)) == (1, 5)
    assert interval(fact_of(state, rome)) == (None, None)


def test_a_late_assertion_folds_at_its_place() -> None:
    oslo, rome, late = said("Oslo", 1), superseding("Rome", 5), said("Kyiv", 3, by="bob")
    state = folded(oslo, rome, late)

    assert shown(state) == {"Oslo": "superseded", "Kyiv": "superseded", "Rome": "active"}


def test_as_of_a_moment_is_not_what_the_intervals_say() -> None:
    oslo, rome, gone = said("Oslo", 1), said("Rome", 2), retracting("Oslo", 3)
    then = fold_slot(SLOT, [oslo, rome, gone], CONTEST, 2, with_scheduled=False)

    assert {fact.conflict_set_id for fact in then.facts} == {then.conflicts[0].id}
    assert interval(fact_of(folded(oslo, rome, gone), oslo)) == (1, 3)


def test_as_of_a_moment_knows_nothing_of_what_was_scheduled() -> None:
    plan = said("Oslo", 1, begin=9)

    assert fold_slot(SLOT, [plan], CONTEST, 5, with_scheduled=False).facts == ()
