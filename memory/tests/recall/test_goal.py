from collections.abc import Callable

import pytest
from cortex_memory.recall.candidate import FactCandidate
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
