"""The numbers that bound a request, and what they bound."""

from dataclasses import replace

import pytest
from cortex_memory.model import Authority
from cortex_memory.recall.assemble import CONSIDERED, conclude, select_in_one_order
from cortex_memory.recall.candidate import Closeness
from cortex_memory.recall.expand import FACTS_PER_NAME, MAXIMUM_NAMES
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.fusion import NO_CUES, Cues, best_of, score_facts
from cortex_memory.recall.profiles import DEFAULT
from cortex_memory.recall.search import MOST_PER_ARM, MOST_SURROUNDED, PER_ARM, Search, surrounded
from cortex_memory.recall.times import Span
from cortex_memory.recall.trace import TRACED_CHARACTERS
from recall.conftest import EPISODE, FACT, QUESTION
from roxabi_contracts.context import Limits
from roxabi_contracts.observation import Origin


def test_the_bounds_are_those_that_were_decided() -> None:
    assert (PER_ARM, CONSIDERED, MAXIMUM_NAMES, FACTS_PER_NAME) == (64, 256, 2, 5)


def test_a_request_weighs_a_bounded_number_of_facts_and_episodes() -> None:
    facts = [
        replace(FACT, id=f"f{n}", closeness=Closeness(cosine=0.9, meaning=n / 300))
        for n in range(300)
    ]
    episodes = [replace(EPISODE, id=f"o{n}") for n in range(50)]
    asked = replace(QUESTION, profile=DEFAULT, budget_tokens=10**6, limits=Limits(facts=256))
    selection = select_in_one_order(facts, [], episodes, asked, DEFAULT)
    assert len(selection.traced) == 256
    assert selection.traced[0].id == "f299"
    packet = conclude(selection, asked, "t")
    assert len(packet.facts) + len(packet.episodes) == 256


def test_a_small_budget_weighs_fewer_candidates() -> None:
    facts = [replace(FACT, id=f"f{n}") for n in range(300)]
    for budget, weighed in ((1, 128), (900, 128), (1_200, 150), (4_000, 256)):
        asked = replace(QUESTION, profile=DEFAULT, budget_tokens=budget)
        assert len(select_in_one_order(facts, [], [], asked, DEFAULT).traced) == weighed


def test_a_fact_is_not_weighed_without_its_rivals() -> None:
    shown = replace(QUESTION, profile=DEFAULT, flagging=Flagging(contested=True))
    facts = [
        replace(FACT, id=f"f{n}", closeness=Closeness(cosine=0.9, meaning=1 - n / 300))
        for n in range(200)
    ]
    for last, are_weighed in ((127, True), (128, False)):
        rivals = [
            replace(one, conflict_id="c") if n in (0, last) else one for n, one in enumerate(facts)
        ]
        traced = select_in_one_order(rivals, [], [], shown, DEFAULT).traced
        weighed = {one.id for one in traced}
        assert ("f0" in weighed, f"f{last}" in weighed) == (are_weighed, are_weighed)


def test_an_arm_of_the_search_finds_more_where_the_budget_can_hold_it() -> None:
    def per_arm(budget_tokens: int, terms: tuple[str, ...] | None = ()) -> int:
        search = Search("p", ("s",), None, "q", None, terms=terms, budget_tokens=budget_tokens)
        return search.per_arm

    assert [per_arm(budget) for budget in (1, 900, 2_500, 10**9)] == [40, 40, 80, MOST_PER_ARM]
    assert per_arm(10**9, terms=None) == 64
    assert [surrounded(budget) for budget in (1, 900, 2_500, 10**9)] == [
        16,
        16,
        56,
        MOST_SURROUNDED,
    ]


def test_a_trace_keeps_the_beginning_of_a_long_text() -> None:
    long = replace(EPISODE, text="x" * 900)
    asked = replace(QUESTION, profile=DEFAULT)
    (traced,) = select_in_one_order([], [], [long], asked, DEFAULT).traced
    text = traced.traced().text
    assert text is not None
    assert (len(text), text[-1]) == (TRACED_CHARACTERS, "…")
    assert TRACED_CHARACTERS == 200


@pytest.mark.parametrize(
    ("origin", "is_outside"),
    [
        (Origin.TRUSTED, False),
        (Origin.SEMI_TRUSTED, False),
        (Origin.THIRD_PARTY, True),
        (Origin.UNTRUSTED, True),
    ],
)
def test_what_neither_the_owner_nor_their_agents_said_comes_from_outside(
    origin: Origin, *, is_outside: bool
) -> None:
    assert replace(EPISODE, origin=origin).served().from_outside is is_outside


@pytest.mark.parametrize("authority", Authority)
def test_a_fact_that_only_third_parties_state_comes_from_outside(authority: Authority) -> None:
    served = replace(FACT, authority=authority).served(stale=False)
    assert served.from_outside is (authority <= 1)


def test_a_fact_one_hop_further_stands_beside_those_that_led_to_it() -> None:
    near = replace(FACT, closeness=Closeness(cosine=0.9, meaning=0.9))
    hop = replace(FACT, id="hop", closeness=Closeness(cosine=0.0))
    ((_, first), (_, further)) = score_facts(
        [near, hop], frozenset({"hop"}), best_of([near, hop]), NO_CUES, DEFAULT
    )
    assert first.terms["hop"] == 0
    assert further.terms["hop"] == pytest.approx(DEFAULT.hop * DEFAULT.meaning)


def test_a_fact_whose_begin_is_not_known_is_of_no_time() -> None:
    unknown = replace(FACT, valid_from=None)
    cues = Cues(frozenset(), (Span(unknown.moment, unknown.moment + 1),))
    ((_, score),) = score_facts([unknown], frozenset(), best_of([unknown]), cues, DEFAULT)
    assert score.terms["time"] == 0
