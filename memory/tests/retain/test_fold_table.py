"""Rows of the table, by example: what is not live, not yet or no longer."""

import pytest
from cortex_memory.model import Assertion
from cortex_memory.retain.fold import LateEventError, SlotFold
from cortex_memory.retain.outcome import (
    Created,
    Duplicate,
    Ended,
    Noted,
    Quarantined,
    RecordedOnly,
    Retracted,
    Scheduled,
)
from pydantic import JsonValue
from retain.building import (
    CONTEST,
    SLOT,
    fact_of,
    folded,
    interval,
    outcome_of,
    retracting,
    said,
    shown,
)
from roxabi_contracts.payloads import ClaimAction, ClaimKind


class TestDuplicate:
    def test_a_known_id_changes_nothing(self) -> None:
        oslo = said("Oslo", 1)

        assert outcome_of(oslo, oslo) == Duplicate()
        assert folded(oslo, oslo) == folded(oslo)

    def test_comes_before_scheduled(self) -> None:
        later = said("Oslo", 50)

        assert outcome_of(later, later, now=10) == Duplicate()


class TestScheduled:
    def test_waits_for_its_time(self) -> None:
        oslo = said("Oslo", 1, begin=30)

        assert outcome_of(oslo, now=29) == Scheduled()
        assert shown(folded(oslo, now=29)) == {"Oslo": "scheduled"}
        assert folded(oslo, now=29).next_due == 30
        assert shown(folded(oslo, now=30)) == {"Oslo": "active"}

    def test_is_folded_when_due_by_a_later_step(self) -> None:
        fold = SlotFold(SLOT, CONTEST)
        fold.step(said("Oslo", 1, begin=30), 10)
        fold.step(said("Bergen", 40), 40)

        assert shown(fold.state()) == {"Oslo": "active", "Bergen": "candidate"}

    def test_a_retract_said_before_then_cancels_it(self) -> None:
        plan, off = said("Oslo", 1, begin=30), retracting("Oslo", 20)

        for now in (25, 40):
            state = folded(plan, off, now=now)
            assert shown(state) == {"Oslo": "ended"}
            assert interval(fact_of(state, plan)) == (None, None)

    def test_a_retract_of_lower_authority_does_not_cancel(self) -> None:
        state = folded(said("Oslo", 1, begin=30), retracting("Oslo", 20, authority=1))

        assert shown(state) == {"Oslo": "active"}

    def test_a_retract_of_another_value_does_not_cancel(self) -> None:
        assert shown(folded(said("Oslo", 1, begin=30), retracting("Rome", 20))) == {
            "Oslo": "active"
        }

    def test_a_retract_said_before_the_plan_does_not_cancel(self) -> None:
        assert shown(folded(retracting("Oslo", 1), said("Oslo", 2, begin=30))) == {"Oslo": "active"}

    def test_a_retract_said_after_it_began_but_dated_back_ends_nothing_of_it(self) -> None:
        state = folded(said("Oslo", 1, begin=30), retracting("Oslo", 50, until=20))

        assert shown(state) == {"Oslo": "active"}

    def test_a_retract_is_scheduled_for_its_stated_end(self) -> None:
        oslo, leaving = said("Oslo", 1), retracting("Oslo", 5, until=30)

        assert outcome_of(oslo, leaving, now=10) == Scheduled()
        assert shown(folded(oslo, leaving, now=29)) == {"Oslo": "active"}
        assert interval(fact_of(folded(oslo, leaving, now=30), oslo)) == (1, 30)


class TestWeak:
    @pytest.mark.parametrize(("authority", "confidence"), [(0, 1.0), (3, 0.49)])
    def test_a_weak_retract_is_recorded_only(self, authority: int, confidence: float) -> None:
        weak = retracting("Oslo", 2, authority=authority, confidence=confidence)

        assert outcome_of(said("Oslo", 1), weak) == RecordedOnly()
        assert shown(folded(said("Oslo", 1), weak)) == {"Oslo": "active"}

    @pytest.mark.parametrize(
        "weak",
        [
            said("Oslo", 2, authority=0),
            said("Oslo", 2, confidence=0.49),
            said("Oslo", 2, authority=1, kind=ClaimKind.INSTRUCTION),
        ],
    )
    def test_what_is_weak_is_quarantined(self, weak: Assertion) -> None:
        assert outcome_of(weak) == Quarantined(weak.id)
        assert shown(folded(weak)) == {"Oslo": "quarantined"}

    def test_an_instruction_of_the_subjects_agent_is_heard(self) -> None:
        order = said("tests first", 1, kind=ClaimKind.INSTRUCTION, authority=2)

        assert outcome_of(order) == Created(order.id)

    def test_on_a_live_value_it_is_a_bare_source_id(self) -> None:
        oslo, echo = said("Oslo", 1, confidence=0.8), said("Oslo", 2, authority=0, by="eve")
        fact = fact_of(folded(oslo, echo), echo)

        assert outcome_of(oslo, echo) == Noted(oslo.id)
        assert (fact.count, fact.confidence, fact.last_confirmed) == (0, 0.8, 1)
        assert [source.counted for source in fact.sources] == [True, False]

    def test_equal_values_are_one_quarantined_fact(self) -> None:
        first, second = said("Oslo", 1, authority=0), said("oslo", 2, authority=0)
        state = folded(first, second)

        assert outcome_of(first, second) == Quarantined(first.id)
        assert len(state.facts) == 1
        assert fact_of(state, second).id == first.id

    def test_what_is_weak_and_empty_is_recorded_only(self) -> None:
        assert outcome_of(said(None, 1, authority=0)) == RecordedOnly()


class TestEnded:
    def test_what_was_over_when_it_was_said_contests_nothing(self) -> None:
        oslo, rome = said("Oslo", 10), said("Rome", 12, begin=2, until=5)
        state = folded(oslo, rome)

        assert outcome_of(oslo, rome) == Ended(rome.id)
        assert shown(state) == {"Oslo": "active", "Rome": "ended"}
        assert interval(fact_of(state, rome)) == (2, 5)

    def test_an_unstated_beginning_stays_unknown(self) -> None:
        rome = said("Rome", 12, until=5)

        assert interval(fact_of(folded(rome), rome)) == (None, 5)

    def test_applies_to_a_supersede(self) -> None:
        oslo, rome = said("Oslo", 10), said("Rome", 12, action=ClaimAction.SUPERSEDE, until=5)

        assert shown(folded(oslo, rome)) == {"Oslo": "active", "Rome": "ended"}

    def test_a_point_in_time_contests_nothing_when_it_comes(self) -> None:
        oslo, party = said("Oslo", 1), said("Rome", 2, begin=30, until=30)

        assert shown(folded(oslo, party)) == {"Oslo": "active", "Rome": "ended"}

    def test_an_end_stated_before_its_beginning_is_no_end(self) -> None:
        rome = said("Rome", 1, begin=10, until=5)

        assert interval(fact_of(folded(rome), rome)) == (10, None)
        assert shown(folded(rome)) == {"Rome": "active"}


class TestRetract:
    def test_ends_the_fact_it_meets(self) -> None:
        oslo, gone = said("Oslo", 1), retracting("Oslo", 5)
        state = folded(oslo, gone)

        assert outcome_of(oslo, gone) == Retracted((oslo.id,))
        assert shown(state) == {"Oslo": "ended"}
        assert interval(fact_of(state, oslo)) == (1, 5)

    def test_of_a_part_meets_the_whole(self) -> None:
        home = said({"city": "Oslo", "zip": "1"}, 1)

        assert shown(folded(home, retracting({"city": "oslo"}, 2))) == {
            "{'city': 'Oslo', 'zip': '1'}": "ended"
        }

    def test_of_the_whole_does_not_meet_a_part(self) -> None:
        state = folded(said({"city": "Oslo"}, 1), retracting({"city": "Oslo", "zip": "1"}, 2))

        assert shown(state) == {"{'city': 'Oslo'}": "active"}

    @pytest.mark.parametrize("nothing", [{}, None])
    def test_of_nothing_meets_every_live_value(self, nothing: JsonValue) -> None:
        events = [said("Oslo", 1), said("Rome", 2), retracting(nothing, 3)]

        assert shown(folded(*events)) == {"Oslo": "ended", "Rome": "ended"}

    def test_needs_the_authority_of_the_fact(self) -> None:
        events = [said("Oslo", 1, authority=3), retracting("Oslo", 2, authority=2)]

        assert outcome_of(*events) == RecordedOnly()
        assert shown(folded(*events)) == {"Oslo": "active"}

    def test_of_what_is_not_live_is_recorded_only(self) -> None:
        assert outcome_of(retracting("Oslo", 1)) == RecordedOnly()
        assert folded(retracting("Oslo", 1)).facts == ()

    def test_of_a_member_leaves_the_set_to_the_others(self) -> None:
        oslo, rome, kyiv = said("Oslo", 1), said("Rome", 2), said("Kyiv", 3)
        three = folded(oslo, rome, kyiv, retracting("Oslo", 4))
        two = folded(oslo, rome, kyiv, retracting("Oslo", 4), retracting("Kyiv", 5))

        assert shown(three) == {"Oslo": "ended", "Rome": "active", "Kyiv": "candidate"}
        assert three.conflicts[0].closed_at is None
        assert shown(two) == {"Oslo": "ended", "Rome": "active", "Kyiv": "ended"}
        assert two.conflicts[0].closed_at == 5
        assert fact_of(two, rome).conflict_set_id is None


def test_a_late_event_cannot_be_stepped() -> None:
    fold = SlotFold(SLOT, CONTEST)
    fold.step(said("Oslo", 5), 10)

    with pytest.raises(LateEventError):
        fold.step(said("Rome", 4), 10)


def test_an_end_of_validity_makes_earlier_events_late() -> None:
    fold = SlotFold(SLOT, CONTEST)
    fold.step(said("Oslo", 1, until=6), 10)
    fold.step(said("Rome", 7), 10)

    assert shown(fold.state()) == {"Oslo": "ended", "Rome": "active"}
    with pytest.raises(LateEventError):
        fold.step(said("Kyiv", 5), 10)
