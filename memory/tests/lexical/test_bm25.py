"""BM25 as it is published."""

import math

import pytest
from cortex_memory.lexical.bm25 import LENGTH_SHARE, SATURATION, Bm25


def test_a_rare_term_counts_more_than_a_common_one() -> None:
    scores = Bm25([["common", "rare"], ["common", "other"], ["common", "third"]])
    assert scores.scores(["rare"])[0] > scores.scores(["common"])[0] > 0
    assert scores.scores(["unknown"]) == [0.0, 0.0, 0.0]


def test_is_the_formula() -> None:
    documents = [["a", "a", "b"], ["b"], ["c", "c"]]
    rarity = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    damping = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * 3 / 2)
    expected = rarity * (SATURATION + 1) * 2 / (2 + damping)
    assert Bm25(documents).scores(["a"])[0] == pytest.approx(expected)


def test_a_term_asked_twice_counts_once() -> None:
    bm25 = Bm25([["a"], ["b"]])
    assert bm25.scores(["a", "a"]) == bm25.scores(["a"])


def test_of_nothing_there_are_no_scores() -> None:
    assert Bm25([]).scores(["a"]) == []


def test_what_a_word_brings_that_occurs_nowhere_else() -> None:
    assert Bm25([["a"], ["b"], ["c"]]).rarest == pytest.approx(math.log(1 + 2.5 / 1.5))
    assert Bm25([]).rarest == 0
