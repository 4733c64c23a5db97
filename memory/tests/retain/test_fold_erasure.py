"""What is left of an erased fact: its effect, and no byte of its content."""

from cortex_memory.model import JournalId, Release
from cortex_memory.retain.erasure import covers, without_content
from retain.building import (
    content,
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


def test_the_fact_ends_without_content() -> None:
    oslo = said("Oslo", 1)
    state = folded(oslo, erasing(5, oslo))

    assert shown(state) == {"None": "erased"}
    assert interval(fact_of(state, oslo)) == (1, 5)
    assert "Oslo" not in repr(state)


def test_its_qualifiers_go_too() -> None:
    oslo = said("Oslo", 1, qualifiers={"since": "the wedding"})

    assert "wedding" in repr(folded(oslo))
    assert "wedding" not in repr(folded(oslo, erasing(5, oslo)))


def test_what_it_had_replaced_does_not_come_back() -> None:
    oslo, rome = said("Oslo", 1), superseding("Rome", 2)
    state = folded(oslo, rome, erasing(5, rome))

    assert fact_of(state, oslo).status.value == "superseded"
    assert fact_of(state, rome).status.value == "erased"


def test_it_leaves_its_conflict() -> None:
    oslo, rome = said("Oslo", 1), said("Rome", 2)
    state = folded(oslo, rome, erasing(5, oslo))

    assert shown(state) == {"None": "erased", "Rome": "active"}
    assert state.conflicts[0].closed_at == 5


def test_the_same_said_afterwards_is_new() -> None:
    oslo, again = said("Oslo", 1), said("Oslo", 6)
    state = folded(oslo, again, erasing(5, oslo))

    assert shown(state) == {"None": "erased", "Oslo": "active"}


def test_the_same_said_before_but_arriving_late_is_covered() -> None:
    oslo, late = said("Oslo", 3), said("Oslo", 1, by="bob")
    state = folded(oslo, late, erasing(5, oslo))

    assert shown(state) == {"None": "erased"}
    assert fact_of(state, late) == fact_of(state, oslo)


def test_a_plan_said_before_never_comes_to_live() -> None:
    oslo, plan = said("Oslo", 1), said("Oslo", 2, begin=20)
    for now in (10, 30):
        state = folded(oslo, plan, erasing(5, oslo), now=now)
        assert [fact.status.value for fact in state.facts] == ["erased", "erased"]
        assert interval(fact_of(state, plan)) == (None, None) or now == 10


def test_a_part_said_before_is_covered() -> None:
    home, part = said({"city": "Oslo", "zip": "1"}, 1), said({"city": "Oslo"}, 2)

    assert covers(erasing(5, home), part)
    assert not covers(erasing(5, part), home)


def test_another_predicate_is_not_covered() -> None:
    assert not covers(erasing(5, said("Oslo", 1)), said("Oslo", 1, predicate="born_in"))


def test_a_key_inherited_from_an_erased_assertion_is_blank() -> None:
    home, moved = said({"city": "Oslo"}, 1), superseding({"zip": "9"}, 2)
    state = folded(home, moved, erasing(5, home))
    fact = fact_of(state, moved)

    assert fact.status.value == "active"
    assert content(fact) == {"zip": "9"}
    assert [key for key, _ in fact.value.pairs] == ["city", "zip"]
    assert fact_of(state, home).status.value == "erased"


def test_an_erased_fact_in_the_history_keeps_its_interval() -> None:
    oslo, rome = said("Oslo", 1), superseding("Rome", 3)
    state = folded(oslo, rome, erasing(5, oslo))

    assert interval(fact_of(state, oslo)) == (1, 3)
    assert fact_of(state, oslo).status.value == "erased"
    assert fact_of(state, rome).status.value == "active"


def test_facts_still_compare_without_content() -> None:
    oslo, gone = said("Oslo", 1), retracting("Oslo", 4)
    erasure = erasing(5, oslo)
    blanked = folded(without_content(oslo), without_content(gone), erasure)

    assert blanked == folded(oslo, gone, erasure)
    assert "Oslo" not in repr(without_content(oslo))


def test_before_its_time_it_shows_no_content_either() -> None:
    oslo = said("Oslo", 1)
    state = folded(oslo, erasing(5, oslo), now=3)

    assert fact_of(state, oslo).status.value == "erased"


def test_an_erased_quarantined_fact_cannot_be_released() -> None:
    weak = said("Oslo", 1, authority=0)
    release = Release(JournalId("release"), 6, naming(weak))

    assert shown(folded(weak, erasing(5, weak), release)) == {"None": "erased"}


def test_a_fact_that_mixes_covered_and_other_names_ends_as_a_whole() -> None:
    oslo, other = said("Oslo", 2), said("Oslo", 1, by="bob", predicate="residence")
    state = folded(oslo, other, erasing(5, oslo))

    assert shown(state) == {"None": "erased"}
    assert "Oslo" not in repr(state)
