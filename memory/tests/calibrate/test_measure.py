"""Counting, and choosing a limit."""

import pytest
from cortex_memory.calibrate.families import Languages, NamePair, Split
from cortex_memory.calibrate.measure import (
    MINIMUM_ACCEPTED,
    PRECISION,
    Confusion,
    Measured,
    at_limit,
    choose_limit,
    confusion,
    judge,
    undecided,
)
from cortex_memory.calibrate.report import confusion_table, distance_table, mistakes
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import DistanceWanted, ModelLimit, NameMatcher
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.predicates import PredicateCatalogue

MATCHER = NameMatcher(PredicateCatalogue(()), bundled_lexicon())
LIMIT = ModelLimit(model="small", digest="d1", limit=0.1)


def pair(first: str, second: str, *, same: bool) -> NamePair:
    return NamePair("sea", Split.UNSEEN, Languages.ENGLISH, first, second, same=same)


def measured(*found: tuple[float, bool]) -> list[Measured]:
    return [Measured(pair("skipper", "helmsman", same=same), distance) for distance, same in found]


SEA = [
    pair("kite_count", "number_of_kites", same=True),
    pair("kite_count", "kite_length", same=False),
    pair("skipper", "helmsman", same=True),
    pair("skipper", "stowaway", same=False),
    pair("skipper", "captain", same=True),
]
DISTANCES = {
    DistanceWanted("helmsman", "skipper"): 0.05,
    DistanceWanted("skipper", "stowaway"): 0.08,
    DistanceWanted("captain", "skipper"): 0.2,
}


def test_only_what_words_leave_open_is_asked() -> None:
    assert [wanted for _, wanted in undecided(SEA, MATCHER)] == list(DISTANCES)


def test_the_cascade_is_counted_against_its_labels() -> None:
    counted = confusion(judge(SEA, MATCHER, DISTANCES, LIMIT))
    assert counted == Confusion(2, 1, 1, 1)
    assert counted.precision == pytest.approx(2 / 3)
    assert counted.recall == pytest.approx(2 / 3)


def test_without_a_limit_meaning_joins_nothing() -> None:
    assert confusion(judge(SEA, MATCHER, DISTANCES, None)) == Confusion(1, 0, 2, 2)


def test_a_distance_that_was_not_measured_is_no_zero() -> None:
    with pytest.raises(KeyError):
        judge(SEA, MATCHER, {}, LIMIT)


def test_nothing_joined_has_no_precision() -> None:
    assert Confusion(0, 0, 0, 5).precision is None
    assert Confusion(0, 0, 0, 5).recall is None


def test_the_limit_is_the_farthest_same_pair_that_keeps_the_precision() -> None:
    right = [(index / 1000, True) for index in range(1, 61)]
    found = measured(*right, (0.0305, False), (0.1, True), (0.2, False), (0.3, False), (0.4, True))
    assert choose_limit(found) == (0.1, Confusion(61, 1, 1, 2))


def test_too_few_pairs_give_no_limit() -> None:
    right = [(index / 1000, True) for index in range(1, MINIMUM_ACCEPTED)]
    assert choose_limit(measured(*right, (0.5, False))) is None


def test_no_precision_gives_no_limit() -> None:
    right = [(index / 1000, True) for index in range(1, 40)]
    assert choose_limit(measured((0.0, False), *right)) is None


@given(st.lists(st.tuples(st.floats(0, 2), st.booleans()), max_size=60))
def test_a_limit_always_keeps_what_it_promises(found: list[tuple[float, bool]]) -> None:
    chosen = choose_limit(measured(*found))
    if chosen is not None:
        limit, joined = chosen
        assert joined == at_limit(measured(*found), limit)
        assert joined.precision is not None
        assert joined.precision >= PRECISION
        assert joined.accepted >= MINIMUM_ACCEPTED


def test_the_tables_show_what_was_counted() -> None:
    judged = judge(SEA, MATCHER, DISTANCES, LIMIT)
    table = confusion_table("at sea", judged)
    rows = {line[:24].strip(): line[24:].split() for line in table.splitlines()}
    assert rows["all"] == ["2", "1", "1", "1", "0.667", "0.667"]
    assert rows["tier words"] == ["1", "0", "0", "0", "1.000", "0.333"]
    assert rows["tier meaning"] == ["1", "1", "1", "0", "0.500", "0.333"]
    assert "tier catalogue" not in rows
    assert rows["French"] == ["0", "0", "0", "0", "-", "-"]
    assert "sea: skipper | stowaway (meaning: they are within the model's limit)" in mistakes(
        judged
    )


def test_distances_are_shown_split_by_split() -> None:
    table = distance_table(measured((0.1, True), (0.2, True), (0.15, False)))
    assert "distances, unseen: 3 pairs" in table
    assert "0.2000       2          1      0.667" in table
    assert "0.1500  skipper | helmsman" in table
