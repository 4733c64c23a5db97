from collections.abc import Callable

import pytest
from cortex_memory.recall.candidate import FactCandidate
from cortex_memory.recall.filters import DAY, Flagging, Scope, is_expired, is_stale, reason_to_block
from roxabi_contracts.context import Reason
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Volatility

NOW = 1_760_000_000_000
Build = Callable[..., FactCandidate]


def test_an_active_fact_that_holds_is_not_blocked(fact: Build) -> None:
    assert reason_to_block(fact(), NOW) is None


@pytest.mark.parametrize(
    "status", sorted(set(FactStatus) - {FactStatus.ACTIVE, FactStatus.SCHEDULED}), ids=str
)
def test_only_an_active_fact_is_served(fact: Build, status: FactStatus) -> None:
    assert reason_to_block(fact(status=status), NOW) is Reason.NOT_ACTIVE


def test_a_scheduled_fact_has_not_begun(fact: Build) -> None:
    assert reason_to_block(fact(status=FactStatus.SCHEDULED), NOW) is Reason.NOT_BEGUN


def test_nothing_is_served_of_a_group_that_time_has_changed(fact: Build) -> None:
    assert reason_to_block(fact(is_due=True), NOW) is Reason.NOT_ACTIVE
    contested = fact(is_due=True, conflict_id="c")
    assert reason_to_block(contested, NOW, Flagging(contested=True)) is Reason.NOT_ACTIVE


def test_every_member_of_an_open_conflict_is_hidden_by_it(fact: Build) -> None:
    for status in (FactStatus.ACTIVE, FactStatus.CANDIDATE):
        assert reason_to_block(fact(status=status, conflict_id="c"), NOW) is Reason.CONFLICT_OPEN


def test_a_project_may_see_contested_facts_with_a_flag(fact: Build) -> None:
    flagging = Flagging(contested=True)
    for status in (FactStatus.ACTIVE, FactStatus.CANDIDATE):
        contested = fact(status=status, conflict_id="c")
        assert reason_to_block(contested, NOW, flagging) is None
        assert contested.served(stale=False).conflict_id == "c"
    lonely = fact(status=FactStatus.CANDIDATE)
    assert reason_to_block(lonely, NOW, flagging) is Reason.NOT_ACTIVE


def test_a_project_may_see_expired_facts_with_a_flag(fact: Build) -> None:
    expired = fact(volatility=Volatility.EPHEMERAL, last_confirmed=NOW - 8 * DAY)
    assert reason_to_block(expired, NOW, Flagging(expired=True)) is None
    assert is_expired(expired, NOW)
    assert reason_to_block(expired, NOW, Flagging(contested=True)) is Reason.VOLATILITY_EXPIRED


def test_what_is_over_is_never_shown_with_a_flag(fact: Build) -> None:
    everything = Flagging(contested=True, expired=True)
    over = fact(valid_until=NOW, conflict_id="c")
    assert reason_to_block(over, NOW, everything) is Reason.NO_LONGER_VALID
    later = fact(valid_from=NOW + 1, conflict_id="c")
    assert reason_to_block(later, NOW, everything) is Reason.NOT_BEGUN


def test_a_disabled_member_of_a_conflict_is_not_active(fact: Build) -> None:
    disabled = fact(status=FactStatus.DISABLED, conflict_id="c")
    assert reason_to_block(disabled, NOW) is Reason.NOT_ACTIVE


def test_the_end_of_validity_is_exclusive(fact: Build) -> None:
    assert reason_to_block(fact(valid_until=NOW), NOW) is Reason.NO_LONGER_VALID
    assert reason_to_block(fact(valid_until=NOW + 1), NOW) is None


def test_the_begin_of_validity_is_inclusive(fact: Build) -> None:
    assert reason_to_block(fact(valid_from=NOW + 1), NOW) is Reason.NOT_BEGUN
    assert reason_to_block(fact(valid_from=NOW), NOW) is None


@pytest.mark.parametrize(("volatility", "days"), [("volatile", 60), ("ephemeral", 7)])
def test_a_horizon_counts_from_the_last_confirmation(
    fact: Build, volatility: str, days: int
) -> None:
    kind = Volatility(volatility)
    old = NOW - 1000 * DAY
    on_the_edge = fact(volatility=kind, valid_from=old, last_confirmed=NOW - days * DAY)
    beyond = fact(volatility=kind, valid_from=old, last_confirmed=NOW - days * DAY - 1)
    assert reason_to_block(on_the_edge, NOW) is None
    assert reason_to_block(beyond, NOW) is Reason.VOLATILITY_EXPIRED


def test_without_a_confirmation_the_horizon_counts_from_the_begin(fact: Build) -> None:
    expired = fact(volatility=Volatility.EPHEMERAL, last_confirmed=None, valid_from=NOW - 8 * DAY)
    assert reason_to_block(expired, NOW) is Reason.VOLATILITY_EXPIRED


@pytest.mark.parametrize("volatility", [Volatility.STABLE, Volatility.SLOW])
def test_stable_and_slow_facts_never_expire(fact: Build, volatility: Volatility) -> None:
    assert reason_to_block(fact(volatility=volatility, last_confirmed=0), NOW) is None


def test_only_a_slow_fact_goes_stale_after_a_year(fact: Build) -> None:
    year_ago = NOW - 365 * DAY
    assert not is_stale(fact(volatility=Volatility.SLOW, last_confirmed=year_ago), NOW)
    assert is_stale(fact(volatility=Volatility.SLOW, last_confirmed=year_ago - 1), NOW)
    assert not is_stale(fact(volatility=Volatility.STABLE, last_confirmed=0), NOW)


def test_the_scope_is_exact(fact: Build) -> None:
    scope = Scope(frozenset({"alice"}), about="alice")
    assert scope.holds(fact())
    assert not scope.holds(fact(subject="bob"))
    assert not scope.holds(fact(about="bob"))
    assert Scope(frozenset({"alice"})).holds(fact(about="bob"))
