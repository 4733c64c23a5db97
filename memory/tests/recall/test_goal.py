from collections.abc import Callable
from typing import Any

import pytest
from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.goal import MAXIMUM_BOOST, goal_of
from cortex_memory.recall.profiles import SEED
from cortex_memory.recall.score import Score, boosted, rank, score_of
from hypothesis import given
from hypothesis import strategies as st

NOW = 1_760_000_000_000
Build = Callable[..., FactCandidate]


def test_a_text_counts_for_more_by_the_share_of_the_goals_words_in_it() -> None:
    goal = goal_of("renovate the kitchen floor")
    assert goal is not None
    assert goal.boost("nothing of it") == 1
    assert goal.boost("The Floor is cold") == pytest.approx(1 + 2 / 3)
    assert goal.boost("renovate kitchen and floor") == 3


def test_a_goal_of_no_telling_word_is_none() -> None:
    assert [goal_of(text) for text in (None, "", " ", "go on !", "to be")] == [None] * 5


@given(st.text(), st.text())
def test_a_goal_never_counts_for_more_than_three_times(goal: str, text: str) -> None:
    named = goal_of(goal)
    if named is not None:
        assert 1 <= named.boost(text) <= MAXIMUM_BOOST == 3


def test_the_boost_is_a_term_of_the_score(fact: Build) -> None:
    candidate = fact(value={"value": "kitchen"})
    plain = score_of(candidate, NOW, SEED)
    score = boosted(plain, candidate, goal_of("kitchen"))
    assert score.terms == plain.terms | {"goal": pytest.approx(2 * plain.total)}
    assert score.total == pytest.approx(3 * plain.total)
    assert "goal" not in boosted(plain, candidate, None).terms


def test_a_score_below_zero_is_not_pushed_down(fact: Build) -> None:
    candidate = fact(value={"value": "kitchen"})
    low = Score(score_of(candidate, NOW, SEED).terms | {"cosine": -1.0})
    assert boosted(low, candidate, goal_of("kitchen")).total == low.total


def test_what_serves_the_goal_comes_first(fact: Build) -> None:
    other = fact(id="a", value={"value": "garden"})
    wanted = fact(id="b", value={"value": "kitchen"})
    without = rank([wanted, other], NOW, SEED)
    assert [one.id for one, _ in without] == ["a", "b"]
    ranked = rank([wanted, other], NOW, SEED, goal_of("a new kitchen"))
    assert [one.id for one, _ in ranked] == ["b", "a"]


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ("kitchen", {"value": {"value": "first line\nkitchen"}}),
        ("kitchen", {"value": {"value": '"kitchen"\tfirst'}}),
        ("favourite", {"predicate": "favourite_place"}),
        ("harbour", {"qualifiers": {"domain": "harbour"}}),
        ("d\u00e9cision", {"value": {"value": "de\u0301cision"}}),
    ],
)
def test_the_words_of_a_fact_are_those_that_a_reader_sees(
    fact: Build, goal: str, said: dict[str, Any]
) -> None:
    plain = Score({"cosine": 1.0})
    assert boosted(plain, fact(**said), goal_of(goal)).total == 3
    assert boosted(plain, fact(value={"value": "x"}), goal_of("value about")).total == 1


def test_the_words_of_an_episode_are_what_was_said(
    episode: Callable[..., EpisodeCandidate],
) -> None:
    plain, told = Score({"cosine": 1.0}), episode(text="We met.\nKitchen first.")
    assert boosted(plain, told, goal_of("kitchen")).total == 3
    assert boosted(plain, told, goal_of("write a statement")).total == 1
