import math
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from cortex_memory.recall.candidate import Closeness, EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY
from cortex_memory.recall.profiles import SEED
from cortex_memory.recall.score import is_below_floor, rank, score_of
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.payloads import Category

NOW = 1_760_000_000_000
Build = Callable[..., FactCandidate]


def test_the_score_is_the_weighted_sum_of_the_seed_profile(fact: Build) -> None:
    candidate = fact(closeness=Closeness(cosine=0.5, text_rank=0.2), valid_from=NOW - 30 * DAY)
    score = score_of(candidate, NOW, SEED)
    assert score.terms == pytest.approx(
        {"cosine": 0.3, "text": 0.05, "recency": 0.15 * math.exp(-1)}
    )
    assert score.total == pytest.approx(0.3 + 0.05 + 0.15 * math.exp(-1))


def test_recency_is_never_above_its_weight(fact: Build) -> None:
    assert score_of(fact(valid_from=NOW + DAY), NOW, SEED).terms["recency"] == 0.15


def test_recency_falls_back_on_the_recorded_time(fact: Build) -> None:
    unknown = fact(valid_from=None, recorded_from=NOW - 30 * DAY)
    assert score_of(unknown, NOW, SEED).terms["recency"] == pytest.approx(0.15 * math.exp(-1))


def test_a_missing_vector_adds_nothing(fact: Build) -> None:
    assert (
        score_of(fact(closeness=Closeness(cosine=None, text_rank=1.0)), NOW, SEED).terms["cosine"]
        == 0
    )


def test_equal_scores_are_ordered_by_time_then_content_then_id(fact: Build) -> None:
    same = Closeness(cosine=None, text_rank=0.0)
    future = NOW + DAY
    latest = fact(id="d", closeness=same, valid_from=future + 2)
    content_first = fact(id="c", closeness=same, valid_from=future, value={"value": "A"})
    id_first = fact(id="a", closeness=same, valid_from=future, value={"value": "B"})
    id_last = fact(id="b", closeness=same, valid_from=future, value={"value": "B"})
    ranked = rank([id_last, content_first, latest, id_first], NOW, SEED)
    assert [candidate.id for candidate, _ in ranked] == ["d", "c", "a", "b"]


def test_whom_a_fact_is_about_counts_by_name_where_all_else_is_equal(fact: Build) -> None:
    """The id of an entity is another on every installation."""
    ada, bob = fact(about_name="Ada"), fact(about_name="Bob")
    for first, second in (("x", "y"), ("y", "x")):
        tied = [replace(bob, about=first, id=first), replace(ada, about=second, id=second)]
        assert [one.about_name for one, _ in rank(tied, NOW, SEED)] == ["Ada", "Bob"]


@given(seed=st.integers(), cosines=st.lists(st.sampled_from([0.1, 0.5, 0.5]), max_size=12))
def test_the_order_does_not_depend_on_arrival(seed: int, cosines: list[float]) -> None:
    candidates = [
        EpisodeCandidate(
            id=f"o{index}",
            subject="alice",
            kind=Category.STATEMENT,
            moment=NOW,
            who=None,
            origin=None,
            text=str(index % 3),
            closeness=Closeness(cosine=cosine, text_rank=0),
        )
        for index, cosine in enumerate(cosines)
    ]
    shuffled = list(candidates)
    Random(seed).shuffle(shuffled)
    assert rank(candidates, NOW, SEED) == rank(shuffled, NOW, SEED)


def test_the_gate_is_off_by_default(fact: Build) -> None:
    assert not is_below_floor(fact(closeness=Closeness(cosine=-1.0, text_rank=0)), SEED)


def test_the_gate_refuses_what_is_farther_than_the_floor(fact: Build) -> None:
    gated = replace(SEED, relevance_floor=0.8)
    assert is_below_floor(fact(closeness=Closeness(cosine=0.79, text_rank=1)), gated)
    assert not is_below_floor(fact(closeness=Closeness(cosine=0.8, text_rank=0)), gated)
    assert not is_below_floor(fact(closeness=Closeness(cosine=None, text_rank=0)), gated)
