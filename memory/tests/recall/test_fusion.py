"""The default profile: what counts for a candidate, and the one order of facts and episodes."""

from dataclasses import replace

import pytest
from cortex_memory.recall.assemble import Question, Selection, conclude, select_in_one_order
from cortex_memory.recall.candidate import Closeness, EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import DAY
from cortex_memory.recall.fusion import (
    NEIGHBOUR_GAP,
    NO_CUES,
    Cues,
    best_of,
    cues_of,
    score_episodes,
    score_facts,
)
from cortex_memory.recall.goal import goal_of
from cortex_memory.recall.profiles import DEFAULT
from cortex_memory.recall.times import Span
from hypothesis import given
from hypothesis import strategies as st
from recall.conftest import EPISODE, FACT, QUESTION
from roxabi_contracts.context import Limits, Reason, TraceDecision
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.render import render_packet

FAR = Closeness(cosine=0.1, meaning=0.1, words=0.0)
NEAR = Closeness(cosine=0.9, meaning=0.9, words=4.0)


def said(id: str, closeness: Closeness = FAR, **changes: object) -> EpisodeCandidate:
    fields: dict[str, object] = {"id": id, "closeness": closeness, "trace": "talk", "text": id}
    return replace(EPISODE, **(fields | changes))  # type: ignore[arg-type]  # the fields of one


def scores(*episodes: EpisodeCandidate, cues: Cues = NO_CUES) -> dict[str, float]:
    scored = score_episodes(episodes, best_of(episodes), cues, DEFAULT)
    return {one.id: score.total for one, score in scored}


def terms(id: str, *episodes: EpisodeCandidate, cues: Cues = NO_CUES) -> dict[str, float]:
    scored = score_episodes(episodes, best_of(episodes), cues, DEFAULT)
    return next(score.terms for one, score in scored if one.id == id)


def test_nearness_is_a_share_of_the_best_among_all() -> None:
    near = terms("near", said("near", NEAR), said("far"))
    assert near["meaning"] == pytest.approx(DEFAULT.meaning)
    assert near["words"] == pytest.approx(DEFAULT.words)
    far = terms("far", said("near", NEAR), said("far"))
    assert far["meaning"] == pytest.approx(DEFAULT.meaning / 9)
    assert far["words"] == 0


def test_common_words_alone_never_count_in_full() -> None:
    common = said("a", Closeness(cosine=None, words=0.2, rarest=2.0))
    assert terms("a", common)["words"] == pytest.approx(DEFAULT.words / 10)


def test_what_is_farther_than_the_middle_counts_nothing() -> None:
    assert terms("a", said("a", Closeness(cosine=0.5, meaning=-0.5)))["meaning"] == 0


def test_those_around_a_hit_take_part_in_its_nearness() -> None:
    talk = [
        said("two_before"),
        said("before", follows="two_before"),
        said("hit", NEAR, follows="before"),
        said("after", follows="hit"),
    ]
    alone = scores(*talk, said("elsewhere"))
    assert alone["before"] == pytest.approx(alone["after"], rel=0.1)
    assert alone["after"] > alone["two_before"] > alone["elsewhere"]


def test_a_long_silence_ends_a_talk() -> None:
    hit = said("hit", NEAR)
    late = said("late", follows="hit", moment=hit.moment + NEIGHBOUR_GAP + 1)
    soon = said("soon", follows="hit", moment=hit.moment + NEIGHBOUR_GAP)
    assert terms("late", hit, late)["neighbours"] == 0
    assert terms("soon", hit, soon)["neighbours"] > 0


def test_an_answer_takes_part_in_the_question_before_it() -> None:
    question = said("q", NEAR, text="Where do you live?")
    answer = said("a", follows="q")
    assert terms("a", question, answer)["after_question"] > 0
    assert terms("a", replace(question, text="I live here."), answer)["after_question"] == 0
    assert terms("q", question, answer)["question"] == -DEFAULT.question


def test_a_session_is_as_near_as_its_best() -> None:
    talk = [said("hit", NEAR), said("mate"), said("other", trace="another talk")]
    assert terms("mate", *talk)["session"] > terms("other", *talk)["session"]
    yesterday = said("yesterday", moment=EPISODE.moment - DAY)
    assert terms("yesterday", *talk, yesterday)["session"] < terms("mate", *talk)["session"]
    assert terms("note", said("hit", NEAR), said("note", NEAR, trace=None))["session"] == 0


def test_the_one_who_is_asked_about_counts_for_more() -> None:
    ada, bob = said("a", who="Ada Moore"), said("b", who="Bob")
    asked = scores(ada, bob, cues=cues_of("What did ada buy?", ()))
    assert asked["a"] == pytest.approx(asked["b"] + DEFAULT.asked_about)
    both = cues_of("What did Ada and Bob buy?", ())
    assert terms("a", ada, bob, cues=both)["asked_about"] == 0


def test_what_was_said_in_a_time_that_is_named_counts_for_more() -> None:
    cues = cues_of("in May", (Span(EPISODE.moment, EPISODE.moment + 1),))
    then, later = said("then"), said("later", moment=EPISODE.moment + 1)
    assert terms("then", then, later, cues=cues)["time"] == DEFAULT.time
    assert terms("later", then, later, cues=cues)["time"] == 0


def test_a_fact_counts_for_what_surroundings_bring_an_episode() -> None:
    fact = replace(FACT, closeness=NEAR)
    cues = cues_of("Where does Alice live?", ())
    ((_, score),) = score_facts([fact], frozenset(), best_of([fact]), cues, DEFAULT)
    own = DEFAULT.meaning + DEFAULT.words
    assert score.terms["fact"] == pytest.approx(DEFAULT.fact * own)
    assert score.terms["asked_about"] == DEFAULT.asked_about
    assert score.terms["hop"] == 0


def together(
    question: Question,
    facts: list[FactCandidate],
    episodes: list[EpisodeCandidate],
    hops: list[FactCandidate] | None = None,
) -> Selection:
    return select_in_one_order(facts, hops or [], episodes, question, DEFAULT)


ASKED = replace(QUESTION, profile=DEFAULT)


def test_marginal_facts_do_not_push_the_decisive_episode_out() -> None:
    marginal = [
        replace(FACT, id=f"f{n}", value={"value": f"thing {n} " * 8}, closeness=FAR)
        for n in range(40)
    ]
    decisive = said("decisive", NEAR)
    tight = replace(ASKED, budget_tokens=120)
    selection = together(tight, marginal, [decisive])
    assert [one.event_id for one in selection.episodes] == ["decisive"]
    assert selection.traced[0].id == "decisive"
    assert {one.reason for one in selection.traced} == {Reason.SELECTED, Reason.OVER_BUDGET}


def test_a_fact_that_says_it_comes_before_the_episodes_it_was_said_in() -> None:
    selection = together(ASKED, [replace(FACT, closeness=NEAR)], [said("a", NEAR), said("b")])
    assert [one.kind for one in selection.traced] == ["fact", "episode", "episode"]


def test_rules_come_before_scores() -> None:
    retired = replace(FACT, closeness=NEAR, status=FactStatus.SUPERSEDED)
    selection = together(ASKED, [retired], [])
    assert selection.facts == ()
    assert [one.decision for one in selection.traced] == [TraceDecision.BLOCKED]


def test_the_gate_refuses_far_episodes_and_facts_but_no_hop() -> None:
    gated = replace(DEFAULT, relevance_floor=0.5)
    far = replace(FACT, id="far", closeness=FAR)
    hop = replace(FACT, id="hop", closeness=FAR)
    selection = select_in_one_order([far], [hop], [said("e")], ASKED, gated)
    reasons = {one.id: one.reason for one in selection.traced}
    assert reasons == {
        "far": Reason.BELOW_RELEVANCE_FLOOR,
        "hop": Reason.MULTI_HOP_EXPANSION,
        "e": Reason.BELOW_RELEVANCE_FLOOR,
    }


def test_what_both_searches_find_is_no_hop() -> None:
    selection = together(ASKED, [FACT], [], hops=[FACT])
    assert [one.reason for one in selection.traced] == [Reason.SELECTED]


def test_the_goal_counts_at_most_three_times() -> None:
    asked = replace(ASKED, goal=goal_of("harbour"))
    plain, wanted = said("plain", NEAR, text="the garden"), said("wanted", text="the harbour")
    traced = {one.id: one.traced() for one in together(asked, [], [plain, wanted]).traced}
    terms = traced["wanted"].terms
    assert terms["goal"] == pytest.approx(2 * (sum(terms.values()) - terms["goal"]))
    assert traced["plain"].terms["goal"] == 0


def test_a_request_may_ask_for_fewer_episodes() -> None:
    few = replace(ASKED, limits=Limits(episodes=1))
    selection = together(few, [], [said("a", NEAR), said("b")])
    assert [one.event_id for one in selection.episodes] == ["a"]
    assert selection.traced[1].reason is Reason.OVER_LIMIT


closenesses = st.builds(
    Closeness,
    cosine=st.none() | st.floats(-1, 1),
    meaning=st.none() | st.floats(-1, 1),
    words=st.floats(0, 20),
    rarest=st.floats(0, 8),
)


@given(
    st.lists(closenesses, max_size=8),
    st.lists(closenesses, max_size=8),
    st.integers(1, 300),
    st.data(),
)
def test_every_candidate_is_accounted_for_once_and_the_budget_holds(
    near_facts: list[Closeness], near_episodes: list[Closeness], budget: int, data: st.DataObject
) -> None:
    facts = [replace(FACT, id=f"f{n}", closeness=one) for n, one in enumerate(near_facts)]
    ids = [f"e{n}" for n in range(len(near_episodes))]
    episodes = [
        said(id, one, follows=data.draw(st.sampled_from([None, *ids])))
        for id, one in zip(ids, near_episodes, strict=True)
    ]
    question = replace(ASKED, budget_tokens=budget)
    selection = together(question, facts, episodes)
    assert sorted(one.id for one in selection.traced) == sorted(
        [one.id for one in facts] + [one.id for one in episodes]
    )
    assert together(question, facts[::-1], episodes[::-1]) == selection
    packet = conclude(selection, question, "trace")
    assert len(render_packet(packet)) // 4 <= budget
