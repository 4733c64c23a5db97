"""What persons decide, and what it does to a slot."""

import pytest
from cortex_memory.model import (
    Authority,
    Disable,
    Dispute,
    Enable,
    JournalId,
    Mark,
    Reject,
    Release,
    Resolve,
)
from retain.building import fact_of, folded, interval, naming, retracting, said, shown, superseding

NAME = JournalId("decision")


class TestResolve:
    def test_keeps_one_and_loses_the_other(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)
        state = folded(oslo, rome, Resolve(NAME, 5, naming(rome), (naming(oslo),)))

        assert shown(state) == {"Oslo": "superseded", "Rome": "active"}
        assert interval(fact_of(state, oslo)) == (1, 5)
        assert interval(fact_of(state, rome)) == (2, None)
        assert state.conflicts[0].closed_at == 5
        assert fact_of(state, rome).conflict_set_id is None

    def test_a_lost_member_that_never_stood_gets_no_interval(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)
        state = folded(oslo, rome, Resolve(NAME, 5, naming(oslo), (naming(rome),)))

        assert interval(fact_of(state, rome)) == (None, None)

    def test_leaves_other_members_candidates(self) -> None:
        oslo, rome, kyiv = said("Oslo", 1), said("Rome", 2), said("Kyiv", 3)
        state = folded(oslo, rome, kyiv, Resolve(NAME, 5, naming(kyiv), (naming(oslo),)))

        assert shown(state) == {"Oslo": "superseded", "Rome": "candidate", "Kyiv": "active"}
        assert state.conflicts[0].closed_at is None

    def test_may_keep_nothing(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2)
        state = folded(oslo, rome, Resolve(NAME, 5, None, (naming(oslo), naming(rome))))

        assert shown(state) == {"Oslo": "superseded", "Rome": "superseded"}

    def test_does_not_revive_what_is_not_live(self) -> None:
        oslo, rome = said("Oslo", 1), superseding("Rome", 2)
        state = folded(oslo, rome, Resolve(NAME, 5, naming(oslo), ()))

        assert shown(state) == {"Oslo": "superseded", "Rome": "active"}

    def test_bites_on_a_lost_fact_whose_rival_is_elsewhere(self) -> None:
        oslo, elsewhere = said("Oslo", 1), said("Rome", 2)
        state = folded(oslo, Resolve(NAME, 5, naming(elsewhere), (naming(oslo),)))

        assert shown(state) == {"Oslo": "superseded"}

    def test_names_a_fact_by_any_assertion_behind_it(self) -> None:
        oslo, again, rome = said("Oslo", 1), said("Oslo", 2, by="bob"), said("Rome", 3)
        decision = Resolve(NAME, 5, naming(rome), (naming(oslo, again),))

        assert shown(folded(again, rome, decision)) == {"Oslo": "superseded", "Rome": "active"}

    def test_what_is_said_afterwards_contests_again(self) -> None:
        oslo, rome, again = said("Oslo", 1), said("Rome", 2), said("Oslo", 9)
        state = folded(oslo, rome, again, Resolve(NAME, 5, naming(rome), (naming(oslo),)))

        assert fact_of(state, again).status.value == "candidate"
        assert fact_of(state, oslo).status.value == "superseded"

    def test_comes_after_the_assertions_of_its_moment(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 5)
        state = folded(oslo, rome, Resolve(NAME, 5, naming(rome), (naming(oslo),)))

        assert shown(state) == {"Oslo": "superseded", "Rome": "active"}


class TestRelease:
    def test_folds_what_was_quarantined_with_full_authority(self) -> None:
        weak = said("Oslo", 1, authority=0, confidence=0.2)
        state = folded(weak, Release(NAME, 5, naming(weak)))

        assert shown(state) == {"Oslo": "active"}
        assert fact_of(state, weak).authority is Authority.OWN
        assert interval(fact_of(state, weak)) == (1, None)

    def test_supersedes_a_lower_authority_at_the_decisions_time(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2, authority=1)
        state = folded(oslo, rome, Release(NAME, 5, naming(rome)))

        assert shown(state) == {"Oslo": "superseded", "Rome": "active"}
        assert interval(fact_of(state, oslo)) == (1, 5)

    def test_contests_an_equal_authority(self) -> None:
        oslo, rome = said("Oslo", 1, authority=3), said("Rome", 2, authority=1)

        assert shown(folded(oslo, rome, Release(NAME, 5, naming(rome)))) == {
            "Oslo": "active",
            "Rome": "candidate",
        }

    def test_joins_the_live_fact_of_its_value(self) -> None:
        weak, strong = said("Oslo", 1, authority=0), said("Oslo", 2)
        state = folded(weak, strong, Release(NAME, 5, naming(weak)))

        assert shown(state) == {"Oslo": "active"}
        assert fact_of(state, strong).id == weak.id
        assert fact_of(state, strong).count == 1

    def test_releases_every_assertion_of_the_fact(self) -> None:
        first, second = said("Oslo", 1, authority=0), said("Oslo", 2, authority=0)
        state = folded(first, second, Release(NAME, 5, naming(first)))

        assert fact_of(state, first) == fact_of(state, second)
        assert fact_of(state, first).count == 1

    def test_of_what_was_over_by_then_contests_nothing(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 2, authority=1, until=4)
        state = folded(oslo, rome, Release(NAME, 5, naming(rome)))

        assert shown(state) == {"Oslo": "active", "Rome": "ended"}

    def test_of_anything_else_does_nothing(self) -> None:
        oslo = said("Oslo", 1)

        assert folded(oslo, Release(NAME, 5, naming(oslo))).facts == folded(oslo).facts


class TestMarks:
    @pytest.mark.parametrize(
        ("decision", "status", "mark"),
        [
            (Reject, "disabled", Mark.REJECTED),
            (Dispute, "disputed", Mark.DISPUTED),
            (Disable, "disabled", Mark.DISABLED),
        ],
    )
    def test_a_marked_fact_shows_it(
        self, decision: type[Reject | Dispute | Disable], status: str, mark: Mark
    ) -> None:
        oslo = said("Oslo", 1)
        state = folded(oslo, decision(NAME, 5, naming(oslo)))

        assert shown(state) == {"Oslo": status}
        assert fact_of(state, oslo).mark is mark

    def test_keeps_its_place_in_the_fold(self) -> None:
        oslo, rome = said("Oslo", 1), said("Rome", 9)
        state = folded(oslo, rome, Disable(NAME, 5, naming(oslo)))

        assert shown(state) == {"Oslo": "disabled", "Rome": "candidate"}
        assert fact_of(state, oslo).conflict_set_id is not None

    def test_enable_lifts_it(self) -> None:
        oslo = said("Oslo", 1)
        reference = naming(oslo)
        off, on = Disable(JournalId("a"), 5, reference), Enable(JournalId("b"), 6, reference)

        assert shown(folded(oslo, off, on)) == {"Oslo": "active"}
        assert shown(folded(oslo, off, Enable(JournalId("b"), 4, reference))) == {
            "Oslo": "disabled"
        }

    def test_the_latest_decision_wins(self) -> None:
        oslo = said("Oslo", 1)
        off, doubt = Disable(JournalId("a"), 7, naming(oslo)), Dispute(NAME, 6, naming(oslo))

        assert shown(folded(oslo, off, doubt)) == {"Oslo": "disabled"}

    def test_waits_for_a_fact_that_is_scheduled(self) -> None:
        plan = said("Oslo", 1, begin=20)
        off = Disable(NAME, 5, naming(plan))

        assert shown(folded(plan, off, now=10)) == {"Oslo": "disabled"}
        assert shown(folded(plan, off, now=30)) == {"Oslo": "disabled"}

    def test_a_release_lifts_a_rejection(self) -> None:
        weak = said("Oslo", 1, authority=0)
        no, yes = Reject(JournalId("a"), 5, naming(weak)), Release(NAME, 6, naming(weak))

        assert shown(folded(weak, no)) == {"Oslo": "disabled"}
        assert shown(folded(weak, no, yes)) == {"Oslo": "active"}

    def test_what_ended_stays_ended(self) -> None:
        oslo = said("Oslo", 1)

        assert shown(folded(oslo, retracting("Oslo", 3), Dispute(NAME, 5, naming(oslo)))) == {
            "Oslo": "ended"
        }
