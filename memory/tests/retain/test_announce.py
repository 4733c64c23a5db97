"""What is announced of facts and conflicts that change."""

from dataclasses import replace

import pytest
from cortex_memory.model import FactId
from cortex_memory.retain.announce import Gone, conflict_change, fact_change, gone_change
from retain.building import LATEST, folded, said
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import FactStatus

OSLO, ROME = said("Oslo", 1), said("Rome", 2)


@pytest.mark.parametrize(
    ("before", "change"), [(None, "created"), ("quarantined", "updated"), ("active", "updated")]
)
def test_a_fact_is_created_once_and_updated_after(before: str | None, change: str) -> None:
    (fact,) = folded(OSLO).facts
    announced = fact_change(fact, before, 7)

    assert (announced.what, announced.change, announced.fact_id) == ("fact", change, fact.id)
    assert (announced.value, announced.status) == ({"value": "Oslo"}, "active")
    assert announced.occurred_at == from_epoch_ms(1)


def test_a_fact_that_no_longer_holds_is_retired_when_it_ended() -> None:
    former = folded(OSLO, ROME, rules=LATEST).facts[0]
    announced = fact_change(former, "active", 7)

    assert (announced.change, announced.status) == ("retired", "superseded")
    assert announced.occurred_at == from_epoch_ms(2)


@pytest.mark.parametrize("status", FactStatus)
def test_the_value_is_told_of_a_fact_that_is_served_and_of_no_other(status: FactStatus) -> None:
    (fact,) = folded(OSLO).facts
    announced = fact_change(replace(fact, status=status), "active", 7)

    assert (announced.value is not None) is (status is FactStatus.ACTIVE)
    assert announced.fact_id == fact.id


def test_no_value_that_is_contested_is_told() -> None:
    facts = folded(OSLO, ROME).facts

    assert FactStatus.ACTIVE in {fact.status for fact in facts}
    assert [fact_change(fact, None, 7).value for fact in facts] == [None, None]


@pytest.mark.parametrize(("was_open", "change"), [(False, "opened"), (True, "extended")])
def test_a_conflict_opens_and_grows(was_open: bool, change: str) -> None:
    (conflict,) = folded(OSLO, ROME).conflicts
    announced = conflict_change(conflict, was_open=was_open, version=7)

    assert (announced.what, announced.change) == ("conflict", change)
    assert announced.members == (FactId(OSLO.id), FactId(ROME.id))
    assert announced.occurred_at == from_epoch_ms(2)


@pytest.mark.parametrize(("what", "change"), [("fact", "retired"), ("conflict", "settled")])
def test_what_never_was_after_all_is_taken_back(what: str, change: str) -> None:
    gone = Gone("fact" if what == "fact" else "conflict", "x", "garden", "ann", "bob", "name")
    announced = gone_change(gone, 7)

    assert (announced.what, announced.change, announced.occurred_at) == (what, change, None)
    assert (announced.fact_id or announced.conflict_id) == "x"
    assert (announced.subject, announced.about, announced.predicate) == ("ann", "bob", "name")


def test_each_version_of_a_memory_announces_anew() -> None:
    (fact,) = folded(OSLO).facts

    assert fact_change(fact, None, 7).id != fact_change(fact, None, 8).id
