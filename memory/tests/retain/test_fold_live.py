"""Rows of the table, by example: what meets a live fact, or finds none."""

import pytest
from cortex_memory.retain.outcome import (
    Conflicted,
    Created,
    Noted,
    Quarantined,
    RecordedOnly,
    Reinforced,
    Retracted,
    Superseded,
)
from retain.building import (
    LATEST,
    content,
    fact_of,
    folded,
    interval,
    outcome_of,
    retracting,
    said,
    shown,
    superseding,
)
from roxabi_contracts.actor import ActorKind
from roxabi_contracts.payloads import ClaimAction, ClaimKind, Volatility


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

    def test_kind_and_volatility_are_those_said_first(self) -> None:
        first = said("Oslo", 1, kind=ClaimKind.PREFERENCE, volatility=Volatility.SLOW)
        fact = fact_of(folded(said("Oslo", 2), first), first)

        assert (fact.kind, fact.volatility) == (ClaimKind.PREFERENCE, Volatility.SLOW)

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

        assert outcome_of(oslo, rome, rules=LATEST) == Superseded(rome.id, (oslo.id,))
        assert isinstance(outcome_of(oslo, rome), Conflicted)

    def test_another_author_contests(self) -> None:
        assert isinstance(
            outcome_of(said("Oslo", 1), said("Rome", 2, by="bob"), rules=LATEST), Conflicted
        )

    def test_a_confirming_author_counts_as_having_said_it(self) -> None:
        events = [said("Oslo", 1, by="bob"), said("Oslo", 2), said("Rome", 3)]

        assert isinstance(outcome_of(*events, rules=LATEST), Superseded)

    def test_at_the_same_moment_it_is_a_contradiction(self) -> None:
        events = [said("Oslo", 1, ref="a"), said("Rome", 1, ref="b")]

        assert isinstance(outcome_of(*events, rules=LATEST), Conflicted)

    def test_the_author_must_have_said_every_live_fact(self) -> None:
        events = [said("Oslo", 1), said("Rome", 2, by="bob"), said("Kyiv", 3)]

        assert isinstance(outcome_of(*events, rules=LATEST), Conflicted)

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

    def test_keeps_its_id_while_it_grows(self) -> None:
        two = [said("Oslo", 1), said("Rome", 2)]

        assert folded(*two, said("Kyiv", 3)).conflicts[0].id == folded(*two).conflicts[0].id

    def test_by_nothing_is_recorded_only(self) -> None:
        assert outcome_of(said({"city": "Oslo"}, 1), said({"city": None}, 2)) == RecordedOnly()

    def test_a_second_conflict_of_a_slot_has_an_id_of_its_own(self) -> None:
        events = [said("Oslo", 1), said("Rome", 2), superseding("Kyiv", 3), said("Rome", 4)]
        first, second = folded(*events).conflicts

        assert first.id != second.id
        assert second.closed_at is None
