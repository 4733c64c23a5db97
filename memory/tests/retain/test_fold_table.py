"""Every row of the table, by example."""

import pytest
from cortex_memory.model import Assertion
from cortex_memory.retain.fold import LateEventError, SlotFold
from cortex_memory.retain.fold.order import Event
from cortex_memory.retain.outcome import (
    Conflicted,
    Created,
    Duplicate,
    Ended,
    Noted,
    Outcome,
    Quarantined,
    RecordedOnly,
    Reinforced,
    Retracted,
    Scheduled,
    Superseded,
)
from pydantic import JsonValue
from retain.building import (
    CONTEST,
    LATEST,
    SLOT,
    content,
    fact_of,
    folded,
    interval,
    retracting,
    said,
    shown,
    superseding,
)
from roxabi_contracts.actor import ActorKind
from roxabi_contracts.payloads import ClaimAction, ClaimKind


def outcome_of(*events: Event, now: int = 1_000) -> Outcome:
    """What the last event did."""
    fold = SlotFold(SLOT, CONTEST)
    outcomes = [fold.step(event, now) for event in events]
    return outcomes[-1]


def outcome_by_latest(*events: Event) -> Outcome:
    fold = SlotFold(SLOT, LATEST)
    outcomes = [fold.step(event, 1_000) for event in events]
    return outcomes[-1]


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


class TestCreate:
    def test_begins_when_said_or_stated(self) -> None:
        now, since = said("Oslo", 10), said("Oslo", 10, begin=4, ref="other")

        assert outcome_of(now) == Created(now.id)
        assert interval(fact_of(folded(now), now)) == (10, None)
        assert interval(fact_of(folded(since), since)) == (4, None)

    @pytest.mark.parametrize("action", [ClaimAction.CREATE, ClaimAction.SUPERSEDE])
    @pytest.mark.parametrize("nothing", [{}, {"value": None}, {"city": None}])
    def test_of_nothing_is_recorded_only(
        self, action: ClaimAction, nothing: dict[str, None]
    ) -> None:
        empty = said({**nothing}, 1, action=action)

        assert outcome_of(empty) == RecordedOnly()
        assert folded(empty).facts == ()

    def test_drops_null_keys(self) -> None:
        home = said({"city": "Oslo", "zip": None}, 1)

        assert content(fact_of(folded(home), home)) == {"city": "Oslo"}

    def test_lives_again_as_a_new_fact(self) -> None:
        first, again = said("Oslo", 1), said("Oslo", 5)
        state = folded(first, retracting("Oslo", 3), again)

        assert [fact.status.value for fact in state.facts] == ["ended", "active"]


class TestReinforce:
    def test_counts_other_messages(self) -> None:
        oslo, again = said("Oslo", 1, confidence=0.6), said(" oslo ", 2, by="bob", confidence=0.9)
        fact = fact_of(folded(oslo, again), again)

        assert outcome_of(oslo, again) == Reinforced(oslo.id)
        assert (fact.id, fact.count, fact.confidence, fact.last_confirmed) == (oslo.id, 1, 0.9, 2)

    def test_counts_a_message_once(self) -> None:
        events = [said("Oslo", 1, ref="one"), said("oslo ", 1, ref="one", begin=1)]

        assert fact_of(folded(*events), events[0]).count == 0

    def test_a_part_confirms_the_whole_and_leaves_its_value(self) -> None:
        home, part = said({"city": "Oslo", "zip": "1"}, 1), said({"city": "Oslo"}, 2)
        fact = fact_of(folded(home, part), part)

        assert content(fact) == {"city": "Oslo", "zip": "1"}
        assert fact.count == 1

    def test_raises_the_authority(self) -> None:
        oslo, own = said("Oslo", 1, authority=1), said("Oslo", 2, authority=3)

        assert fact_of(folded(oslo, own), own).authority == 3

    def test_prefers_a_lower_authority_to_quarantine(self) -> None:
        assert shown(folded(said("Oslo", 1, authority=3), said("Oslo", 2, authority=1))) == {
            "Oslo": "active"
        }

    @pytest.mark.parametrize("author_kind", [ActorKind.AGENT, ActorKind.BOT])
    def test_an_echo_of_an_agent_is_a_bare_source_id(self, author_kind: ActorKind) -> None:
        oslo = said("Oslo", 1, confidence=0.6)
        echo = said("Oslo", 2, by="bot", author_kind=author_kind, authority=3)
        fact = fact_of(folded(oslo, echo), echo)

        assert outcome_of(oslo, echo) == Noted(oslo.id)
        assert (fact.count, fact.confidence, fact.authority, fact.last_confirmed) == (0, 0.6, 2, 1)

    def test_takes_the_earliest_stated_beginning(self) -> None:
        events = [said("Oslo", 5), said("Oslo", 6, begin=3), said("Oslo", 7, begin=4)]

        assert interval(fact_of(folded(*events), events[0])) == (3, None)

    def test_takes_the_end_that_was_said_last(self) -> None:
        events = [said("Oslo", 1, until=90), said("Oslo", 2, until=50), said("Oslo", 3)]

        assert interval(fact_of(folded(*events, now=10), events[0])) == (1, 50)

    def test_an_end_said_earlier_but_due_later_does_not_count(self) -> None:
        events = [said("Oslo", 4, until=90), said("Oslo", 2, begin=6, until=50)]

        assert interval(fact_of(folded(*events, now=10), events[0])) == (6, 90)


class TestSettle:
    def test_a_clear_supersede_of_equal_authority_settles(self) -> None:
        oslo, rome, final = said("Oslo", 1), said("Rome", 2), superseding("Rome", 3)
        state = folded(oslo, rome, final)

        assert outcome_of(oslo, rome, final) == Reinforced(rome.id, settled=True)
        assert shown(state) == {"Oslo": "superseded", "Rome": "active"}
        assert state.conflicts[0].closed_at == 3

    def test_a_supersede_below_another_member_does_not(self) -> None:
        events = [said("Oslo", 1), said("Rome", 2), said("Oslo", 3, authority=3)]
        settled = folded(*events)
        contested = [said("Oslo", 1, authority=3), said("Rome", 2, authority=3)]

        assert shown(settled) == {"Oslo": "active", "Rome": "superseded"}
        assert outcome_of(*contested, superseding("Rome", 3, authority=2)) == Reinforced(
            contested[1].id
        )

    def test_a_supersede_that_meets_two_members_does_not(self) -> None:
        events = [
            said({"city": "Oslo", "zip": "1"}, 1),
            said({"city": "Oslo", "zip": "2"}, 2),
            superseding({"city": "Oslo"}, 3),
        ]
        state = folded(*events)

        assert state.conflicts[0].closed_at is None
        assert fact_of(state, events[2]).id == events[0].id

    def test_a_plain_confirmation_does_not(self) -> None:
        state = folded(said("Oslo", 1), said("Rome", 2), said("Rome", 3))

        assert state.conflicts[0].closed_at is None

    def test_higher_authority_than_all_others_settles(self) -> None:
        oslo, rome, own = said("Oslo", 1), said("Rome", 2), said("Oslo", 3, authority=3)
        state = folded(oslo, rome, own)

        assert outcome_of(oslo, rome, own) == Reinforced(oslo.id, settled=True)
        assert shown(state) == {"Oslo": "active", "Rome": "superseded"}

    def test_an_agents_echo_does_not(self) -> None:
        echo = said("Rome", 3, action=ClaimAction.SUPERSEDE, author_kind=ActorKind.AGENT)

        assert folded(said("Oslo", 1), said("Rome", 2), echo).conflicts[0].closed_at is None

    def test_what_never_stood_uncontested_gets_no_interval(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)
        lost_rome = folded(oslo, rome, superseding("Oslo", 3))
        lost_oslo = folded(oslo, rome, superseding("Rome", 3))

        assert interval(fact_of(lost_rome, rome)) == (None, None)
        assert interval(fact_of(lost_oslo, oslo)) == (1, 3)
        assert interval(fact_of(lost_oslo, rome)) == (2, None)


class TestSupersede:
    def test_closes_the_old_at_the_events_time(self) -> None:
        oslo, rome = said("Oslo", 1), superseding("Rome", 5)
        state = folded(oslo, rome)

        assert outcome_of(oslo, rome) == Superseded(rome.id, (oslo.id,))
        assert interval(fact_of(state, oslo)) == (1, 5)
        assert interval(fact_of(state, rome)) == (5, None)
        assert fact_of(state, rome).supersedes_id == oslo.id

    def test_carries_keys_forward_and_null_removes(self) -> None:
        home = said({"city": "Oslo", "zip": "1", "floor": 2}, 1)
        moved = superseding({"zip": "9", "floor": None}, 2)

        assert content(fact_of(folded(home, moved), moved)) == {"city": "Oslo", "zip": "9"}

    def test_by_nothing_ends_the_fact(self) -> None:
        oslo, gone = said("Oslo", 1), superseding(None, 4)

        assert outcome_of(oslo, gone) == Retracted((oslo.id,))
        assert shown(folded(oslo, gone)) == {"Oslo": "ended"}

    def test_by_higher_authority_inherits_no_keys(self) -> None:
        home = said({"city": "Oslo", "zip": "1"}, 1, authority=1)
        own = said({"city": "Rome"}, 2, authority=3)

        assert content(fact_of(folded(home, own), own)) == {"city": "Rome"}

    def test_by_higher_authority_with_nothing_ends_the_fact(self) -> None:
        events = [said("Oslo", 1, authority=1), said(None, 2, authority=3)]

        assert shown(folded(*events)) == {"Oslo": "ended"}

    def test_settles_the_open_set(self) -> None:
        oslo, rome, kyiv = said("Oslo", 1), said("Rome", 2), superseding("Kyiv", 3)
        state = folded(oslo, rome, kyiv)

        assert shown(state) == {"Oslo": "superseded", "Rome": "superseded", "Kyiv": "active"}
        assert state.conflicts[0].closed_at == 3
        assert fact_of(state, kyiv).supersedes_id == oslo.id

    def test_from_below_is_quarantined(self) -> None:
        events = [said("Oslo", 1, authority=3), superseding("Rome", 2, authority=2)]

        assert outcome_of(*events) == Quarantined(events[1].id)
        assert shown(folded(*events)) == {"Oslo": "active", "Rome": "quarantined"}

    def test_compares_with_the_highest_authority_of_the_set(self) -> None:
        events = [
            said("Oslo", 1),
            said("Rome", 2),
            said("Rome", 3, authority=2),
            said("Oslo", 3, by="bob", authority=1),
            said("Kyiv", 4, authority=1),
        ]

        assert isinstance(outcome_of(*events), Quarantined)


class TestLatest:
    def test_the_same_author_changes_their_mind(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)

        assert outcome_by_latest(oslo, rome) == Superseded(rome.id, (oslo.id,))
        assert isinstance(outcome_of(oslo, rome), Conflicted)

    def test_another_author_contests(self) -> None:
        assert isinstance(outcome_by_latest(said("Oslo", 1), said("Rome", 2, by="bob")), Conflicted)

    def test_a_confirming_author_counts_as_having_said_it(self) -> None:
        events = [said("Oslo", 1, by="bob"), said("Oslo", 2), said("Rome", 3)]

        assert isinstance(outcome_by_latest(*events), Superseded)

    def test_at_the_same_moment_it_is_a_contradiction(self) -> None:
        events = [said("Oslo", 1, ref="a"), said("Rome", 1, ref="b")]

        assert isinstance(outcome_by_latest(*events), Conflicted)

    def test_the_author_must_have_said_every_live_fact(self) -> None:
        events = [said("Oslo", 1), said("Rome", 2, by="bob"), said("Kyiv", 3)]

        assert isinstance(outcome_by_latest(*events), Conflicted)

    def test_carries_keys_forward(self) -> None:
        home, moved = said({"city": "Oslo", "zip": "1"}, 1), said({"zip": "2"}, 2)

        assert content(fact_of(folded(home, moved, rules=LATEST), moved)) == {
            "city": "Oslo",
            "zip": "2",
        }


class TestConflict:
    def test_opens_a_set_of_both(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)
        state = folded(oslo, rome)
        [conflict] = state.conflicts

        assert outcome_of(oslo, rome) == Conflicted(rome.id, conflict.id)
        assert shown(state) == {"Oslo": "active", "Rome": "candidate"}
        assert conflict.members == (oslo.id, rome.id)
        assert (conflict.opened_at, conflict.closed_at) == (2, None)
        assert {fact.conflict_set_id for fact in state.facts} == {conflict.id}

    def test_is_extended_by_every_other_value(self) -> None:
        state = folded(said("Oslo", 1), said("Rome", 2), said("Kyiv", 3))

        assert len(state.conflicts) == 1
        assert len(state.conflicts[0].members) == 3

    def test_by_nothing_is_recorded_only(self) -> None:
        assert outcome_of(said({"city": "Oslo"}, 1), said({"city": None}, 2)) == RecordedOnly()

    def test_a_second_conflict_of_a_slot_has_an_id_of_its_own(self) -> None:
        events = [said("Oslo", 1), said("Rome", 2), superseding("Kyiv", 3), said("Rome", 4)]
        first, second = folded(*events).conflicts

        assert first.id != second.id
        assert second.closed_at is None


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
