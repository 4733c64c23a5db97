"""The numbers of the fit."""

from math import log

import pytest
from cortex_memory.retain.schema_fit import Corpus, sample_rank, schema_fit, tokens

KNOWN = frozenset({"garden", "bench", "paint"})


def test_an_empty_corpus_says_nothing() -> None:
    assert schema_fit(["garden"], "a bench in the garden", Corpus()) == 0.5


def test_nothing_known_does_not_fit() -> None:
    assert schema_fit(["boat"], "sailing", Corpus(10, {"garden": 3}, [KNOWN] * 10)) == 0.0


def test_a_known_tag_weighs_by_its_rarity() -> None:
    expected = 0.6 * 2 * (log(100 / 50) + 1) / (2 * (log(101) + 1))

    assert schema_fit(["garden", "boat"], "", Corpus(100, {"garden": 50})) == pytest.approx(
        expected
    )


def test_rare_known_tags_fit_fully() -> None:
    assert schema_fit(["garden"], "", Corpus(100, {"garden": 2})) == pytest.approx(0.6)


def test_content_counts_matches_in_the_sample() -> None:
    corpus = Corpus(4, {}, [KNOWN, KNOWN, frozenset({"boat"}), frozenset()])

    assert schema_fit([], "paint the bench", corpus) == pytest.approx(0.4 * 2 / 5)


def test_of_a_large_sample_a_tenth_has_to_match() -> None:
    corpus = Corpus(100, {}, [KNOWN] * 5 + [frozenset({"boat"})] * 95)

    assert schema_fit([], "paint the bench", corpus) == pytest.approx(0.4 * 5 / 10)


def test_a_match_shares_more_than_a_fifth_of_the_new_tokens() -> None:
    five, four = "bench aaaa bbbb cccc dddd", "bench aaaa bbbb cccc"
    corpus = Corpus(5, {}, [KNOWN] * 5)

    assert schema_fit([], five, corpus) == 0.0
    assert schema_fit([], four, corpus) == pytest.approx(0.4)


def test_never_exceeds_one() -> None:
    corpus = Corpus(9, {"garden": 1}, [KNOWN] * 9)

    assert schema_fit(["garden", "garden"], "garden bench", corpus) == pytest.approx(1.0)


def test_tokens_have_more_than_three_characters() -> None:
    assert tokens("The Été dans l'Arbre") == {"dans", "arbre"}


def test_the_sample_is_in_an_order_of_its_own() -> None:
    names = [f"observation-{number}" for number in range(50)]

    assert sorted(names, key=sample_rank) != names
    assert sorted(names, key=sample_rank) == sorted(reversed(names), key=sample_rank)
