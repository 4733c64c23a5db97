"""The cascade: who decides on two names, and with what reason."""

import pytest
from cortex_memory.retain.lexical_guard import Difference
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import (
    DistanceWanted,
    Ground,
    ModelLimit,
    NameMatcher,
    NameVerdict,
    Reason,
    Tier,
    as_words,
    judge_distance,
)
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.predicates import PredicateCatalogue, bundled_catalogue

MATCHER = NameMatcher(bundled_catalogue(), bundled_lexicon())
LIMIT = ModelLimit(model="small", digest="d1", limit=0.05)


def verdict(first: str, second: str, matcher: NameMatcher = MATCHER) -> NameVerdict:
    found = matcher.match(first, second)
    assert isinstance(found, NameVerdict)
    return found


@pytest.mark.parametrize(
    ("first", "second", "same", "tier", "reason"),
    [
        ("kite", "kite", True, Tier.EXACT, Ground.SAME_NAME),
        ("residence", "habite_a", True, Tier.CATALOGUE, Ground.SAME_PREDICATE),
        ("start_date", "end_date", False, Tier.CATALOGUE, Ground.OTHER_PREDICATE),
        ("birth_city", "city_of_residence", False, Tier.CATALOGUE, Ground.OTHER_PREDICATE),
        ("the_date_of_my_birth", "ne_le", True, Tier.WORDS, Ground.SAME_PREDICATE),
        ("the_date_of_my_birth", "death_date", False, Tier.WORDS, Ground.OTHER_PREDICATE),
        ("kite_count", "number_of_kites", True, Tier.WORDS, Ground.SAME_WORDS),
        ("kite_count", "kite_length", False, Tier.GUARD, Difference.OPPOSITES),
        ("kite_website", "kite_friend", False, Tier.GUARD, Difference.HEADS),
        ("kite", "has_kite", True, Tier.WORDS, Ground.SAME_WORDS),
    ],
)
def test_who_decides_and_why(
    first: str, second: str, same: bool, tier: Tier, reason: Reason
) -> None:
    assert verdict(first, second) == NameVerdict(same=same, tier=tier, reason=reason)


def test_what_is_left_is_a_question_in_words() -> None:
    assert MATCHER.match("yacht_skipper", "helmsman") == DistanceWanted("helmsman", "yacht skipper")


def test_a_projects_own_predicates_are_known() -> None:
    own = Catalogues.from_toml(
        '[projects.harbour.helmsman]\ndescription = "Who steers."\nsynonyms = ["skipper"]'
    ).for_project("harbour")
    assert verdict("skipper", "helmsman", NameMatcher(own, bundled_lexicon())).same
    assert isinstance(MATCHER.match("skipper", "helmsman"), DistanceWanted)


def test_words_that_several_predicates_have_tell_of_none() -> None:
    text = """
    [size]
    description = "How large a garment is."
    synonyms = ["girth"]
    [taille]
    description = "How tall someone is."
    synonyms = ["stature"]
    """
    matcher = NameMatcher(PredicateCatalogue.from_toml(text), bundled_lexicon())
    assert not verdict("size", "taille", matcher).same
    for name in ("girth", "stature"):
        decided = matcher.match("the_size", name)
        assert not isinstance(decided, NameVerdict) or decided.tier is not Tier.WORDS


@pytest.mark.parametrize("name", ["is", "the_", "of"])
def test_a_name_that_says_nothing_is_no_other(name: str) -> None:
    assert verdict("the", name).reason is Difference.EMPTY
    assert verdict("kite", name).reason is Difference.EMPTY


@pytest.mark.parametrize(
    ("distance", "same", "reason"),
    [(0.0, True, Ground.NEAR), (0.05, True, Ground.NEAR), (0.0501, False, Ground.FAR)],
)
def test_a_measured_model_joins_within_its_limit(
    distance: float, same: bool, reason: Reason
) -> None:
    expected = NameVerdict(same=same, tier=Tier.MEANING, reason=reason, distance=distance)
    assert judge_distance(distance, LIMIT) == expected


def test_a_model_without_a_measurement_joins_nothing_and_says_so() -> None:
    found = judge_distance(0.0, None)
    assert not found.same
    assert found.reason is Ground.UNMEASURED


def test_names_are_read_as_words() -> None:
    assert as_words("né_à") == "ne a"
    assert as_words("python3_version") == "python 3 version"


NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True) | st.sampled_from(
    [name for predicate in bundled_catalogue() for name in (predicate.name, *predicate.synonyms)]
)


@given(NAMES, NAMES)
def test_the_order_of_two_names_changes_nothing(first: str, second: str) -> None:
    assert MATCHER.match(first, second) == MATCHER.match(second, first)


@given(NAMES)
def test_a_name_is_the_same_as_itself(name: str) -> None:
    assert verdict(name, name).same


@given(NAMES, NAMES)
def test_the_catalogue_has_the_last_word_on_what_it_knows(first: str, second: str) -> None:
    one, other = (bundled_catalogue().lookup(name) for name in (first, second))
    if one is not None and other is not None:
        assert verdict(first, second).same == (one is other)
