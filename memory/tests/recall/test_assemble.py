from collections.abc import Callable
from dataclasses import replace
from random import Random

from cortex_memory.model import Authority
from cortex_memory.recall.assemble import (
    Question,
    Selection,
    add_episodes,
    add_hop,
    conclude,
    may_hop,
    names_of_hop,
    select_facts,
)
from cortex_memory.recall.candidate import (
    Closeness,
    EpisodeCandidate,
    FactCandidate,
    Serving,
)
from cortex_memory.recall.filters import DAY, Flagging, Scope
from cortex_memory.recall.goal import goal_of
from cortex_memory.recall.profiles import SEED
from hypothesis import given, settings
from hypothesis import strategies as st
from roxabi_contracts.context import Limits, Reason, Status, TraceDecision
from roxabi_contracts.observation import Origin
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import Category, Volatility
from roxabi_contracts.render import Section, count_tokens, length_around, prompt_line, render_packet

NOW = 1_760_000_000_000
BuildFact = Callable[..., FactCandidate]
BuildEpisode = Callable[..., EpisodeCandidate]
Ask = Callable[..., Question]


def reasons(selection: Selection) -> dict[str, Reason]:
    return {one.id: one.reason for one in selection.traced}


def price_of_facts(*facts: FactCandidate) -> int:
    """The least budget that takes facts alone."""
    lines = [Section.FACTS, *(prompt_line(fact.served(stale=False)) for fact in facts)]
    length = length_around(()) + sum(len(line) + 1 for line in lines)
    return length // 4


def near(cosine: float) -> Closeness:
    return Closeness(cosine=cosine, text_rank=0)


def test_facts_come_in_the_order_of_their_score(fact: BuildFact, question: Ask) -> None:
    selection = select_facts(
        [fact(id="far", closeness=near(0.1)), fact(id="near", closeness=near(0.9))], question()
    )
    assert [one.id for one in selection.facts] == ["near", "far"]
    assert {one.decision for one in selection.traced} == {TraceDecision.INCLUDED}


def test_what_does_not_fit_makes_way_for_the_next(fact: BuildFact, question: Ask) -> None:
    long = fact(id="long", value={"value": "x" * 400}, closeness=near(0.9))
    short = fact(id="short", closeness=near(0.1))
    asked = question(budget_tokens=price_of_facts(short))
    selection = select_facts([long, short], asked)
    assert [one.id for one in selection.facts] == ["short"]
    assert reasons(selection) == {"long": Reason.OVER_BUDGET, "short": Reason.SELECTED}
    assert selection.room.tokens == 0


def test_a_text_costs_what_the_renderer_writes(fact: BuildFact, question: Ask) -> None:
    tags = fact(value={"value": "<" * 100})
    (traced,) = select_facts([tags], question()).traced
    assert traced.traced().tokens == count_tokens(prompt_line(tags.served(stale=False))) > 100


def test_headings_and_the_frame_are_part_of_the_price(fact: BuildFact, question: Ask) -> None:
    price = price_of_facts(fact())
    assert price > count_tokens(prompt_line(fact().served(stale=False)))
    assert select_facts([fact()], question(budget_tokens=price)).facts != ()
    assert select_facts([fact()], question(budget_tokens=price - 1)).facts == ()


def test_warnings_are_part_of_the_price(fact: BuildFact, question: Ask) -> None:
    hidden = fact(id="hidden", conflict_id="c")
    price = price_of_facts(fact())
    asked = question(budget_tokens=price)
    assert select_facts([fact(), hidden], asked).facts == ()
    noted = question(budget_tokens=price, notes=("lexical",))
    assert select_facts([fact()], noted).facts == ()
    warned = conclude(select_facts([fact(), hidden], question()), question(), "t")
    enough = question(budget_tokens=warned.tokens)
    assert conclude(select_facts([fact(), hidden], enough), enough, "t") == warned


def test_the_limit_of_facts_is_kept(fact: BuildFact, question: Ask) -> None:
    facts = [fact(id="a", closeness=near(0.9)), fact(id="b", closeness=near(0.1))]
    selection = select_facts(facts, question(limits=Limits(facts=1)))
    assert reasons(selection) == {"a": Reason.SELECTED, "b": Reason.OVER_LIMIT}


def test_the_gate_comes_before_packing_and_empties_without_a_warning(
    fact: BuildFact, episode: BuildEpisode, question: Ask
) -> None:
    asked = question(profile=replace(SEED, relevance_floor=0.95))
    selection = add_episodes(select_facts([fact()], asked), [episode()], asked)
    assert set(reasons(selection).values()) == {Reason.BELOW_RELEVANCE_FLOOR}
    packet = conclude(selection, asked, "t")
    assert (packet.status, packet.empty_reason) == (Status.OK, "no_relevant_memory")
    assert packet.warnings == ()
    assert render_packet(packet) == ""


def test_nothing_known_is_no_relevant_memory(question: Ask) -> None:
    packet = conclude(select_facts([], question()), question(), "t")
    assert packet.empty_reason == "no_relevant_memory"


def test_nothing_found_by_half_a_search_is_not_said_to_be_nothing_relevant(question: Ask) -> None:
    asked = question(notes=("lexical",))
    packet = conclude(select_facts([], asked), asked, "t")
    assert (packet.status, packet.empty_reason) == (Status.DEGRADED, None)


def test_nothing_that_fits_is_not_the_same_as_nothing_relevant(
    fact: BuildFact, question: Ask
) -> None:
    asked = question(budget_tokens=1)
    packet = conclude(select_facts([fact()], asked), asked, "t")
    assert (packet.facts, packet.empty_reason) == ((), None)


def test_hidden_facts_are_counted_in_warnings_and_degrade_the_packet(
    fact: BuildFact, question: Ask
) -> None:
    facts = [
        fact(id="a", conflict_id="c"),
        fact(id="b", conflict_id="c", status=FactStatus.CANDIDATE),
        fact(id="c", volatility=Volatility.EPHEMERAL, last_confirmed=NOW - 8 * DAY),
        fact(id="d", status=FactStatus.SUPERSEDED),
    ]
    selection = select_facts(facts, question())
    packet = conclude(selection, question(), "t")
    assert packet.warnings == (
        "open_conflict: 2 fact(s) hidden pending conflict resolution",
        "volatility_expired: 1 fact(s) hidden pending confirmation",
    )
    assert (packet.status, packet.empty_reason) == (Status.DEGRADED, None)
    assert {one.decision for one in selection.traced} == {TraceDecision.BLOCKED}
    assert all(one.score is None for one in selection.traced)


def test_a_note_of_the_search_degrades_the_packet(fact: BuildFact, question: Ask) -> None:
    asked = question(notes=("lexical",))
    packet = conclude(select_facts([fact()], asked), asked, "t")
    assert (packet.status, packet.warnings) == (Status.DEGRADED, ("lexical",))


def test_a_slow_fact_is_served_as_stale_after_a_year(fact: BuildFact, question: Ask) -> None:
    slow = fact(volatility=Volatility.SLOW, last_confirmed=NOW - 366 * DAY)
    assert select_facts([slow], question()).facts[0].stale


def test_another_scope_is_not_even_traced(
    fact: BuildFact, episode: BuildEpisode, question: Ask
) -> None:
    asked = question(scope=Scope(frozenset({"alice"}), about="alice"))
    selection = select_facts([fact(subject="bob"), fact(about="carol")], asked)
    assert add_episodes(selection, [episode(subject="bob")], asked).traced == ()


def test_a_hop_adds_facts_that_the_gate_would_refuse(fact: BuildFact, question: Ask) -> None:
    asked = question(profile=replace(SEED, relevance_floor=0.5))
    first = select_facts([fact(id="a")], asked)
    hop = add_hop(first, [fact(id="a"), fact(id="b", closeness=near(0.1))], asked)
    assert reasons(hop) == {"a": Reason.SELECTED, "b": Reason.MULTI_HOP_EXPANSION}
    assert [one.id for one in hop.facts] == ["a", "b"]


def test_a_hop_is_not_made_where_the_budget_is_all_but_spent(
    fact: BuildFact, question: Ask
) -> None:
    zoe = fact(value={"value": "Zoé"})
    asked = question(budget_tokens=price_of_facts(zoe))
    assert names_of_hop(select_facts([zoe], question()), question(), "who") == ("Zoé",)
    assert names_of_hop(select_facts([zoe], asked), asked, "who") == ()
    full = question(limits=Limits(facts=1))
    assert names_of_hop(select_facts([zoe], full), full, "who") == ()


def test_a_hop_never_serves_what_is_blocked(fact: BuildFact, question: Ask) -> None:
    first = select_facts([fact(id="a")], question())
    hop = add_hop(first, [fact(id="b", conflict_id="c")], question())
    assert reasons(hop)["b"] is Reason.CONFLICT_OPEN
    assert [one.id for one in hop.facts] == ["a"]


def test_episodes_take_what_the_facts_left(
    fact: BuildFact, episode: BuildEpisode, question: Ask
) -> None:
    asked = question(budget_tokens=price_of_facts(fact()))
    selection = add_episodes(select_facts([fact()], asked), [episode()], asked)
    assert reasons(selection) == {"f1": Reason.SELECTED, "o1": Reason.OVER_BUDGET}


def test_at_most_eight_episodes_by_default(episode: BuildEpisode, question: Ask) -> None:
    many = [episode(id=f"o{index}") for index in range(10)]
    selection = add_episodes(select_facts([], question()), many, question())
    assert len(selection.episodes) == 8
    assert list(reasons(selection).values()).count(Reason.OVER_LIMIT) == 2


def test_an_excerpt_is_bounded(episode: BuildEpisode, question: Ask) -> None:
    selection = add_episodes(
        select_facts([], question()), [episode(text="x" * 5_000_000)], question()
    )
    assert len(selection.episodes[0].excerpt) == 1_000
    assert selection.episodes[0].excerpt.endswith("…")


facts_strategy = st.lists(
    st.builds(
        FactCandidate,
        id=st.sampled_from([f"f{index}" for index in range(12)]),
        subject=st.sampled_from(["alice", "bob"]),
        about=st.just("alice"),
        about_name=st.none(),
        predicate=st.just("lives_in"),
        value=st.fixed_dictionaries({"value": st.text(max_size=60)}),
        qualifiers=st.just({}),
        status=st.sampled_from(FactStatus),
        conflict_id=st.sampled_from([None, "c", "d"]),
        authority=st.sampled_from(Authority),
        volatility=st.sampled_from(Volatility),
        confidence=st.just(1.0),
        valid_from=st.none() | st.integers(NOW - 500 * DAY, NOW + 5 * DAY),
        valid_until=st.none() | st.integers(NOW - 5 * DAY, NOW + 5 * DAY),
        last_confirmed=st.none() | st.integers(NOW - 500 * DAY, NOW),
        recorded_from=st.just(NOW),
        sources=st.just(()),
        closeness=st.builds(
            Closeness,
            cosine=st.none() | st.sampled_from([0.2, 0.8]),
            text_rank=st.sampled_from([0.0, 0.3]),
        ),
    ),
    max_size=14,
    unique_by=lambda fact: fact.id,
)
episodes_strategy = st.lists(
    st.builds(
        EpisodeCandidate,
        id=st.sampled_from([f"o{index}" for index in range(12)]),
        subject=st.sampled_from(["alice", "bob"]),
        kind=st.sampled_from(Category),
        moment=st.integers(0, NOW),
        who=st.none() | st.just("Alice"),
        origin=st.none() | st.sampled_from(Origin),
        text=st.text(max_size=200),
        closeness=st.builds(Closeness, cosine=st.none() | st.just(0.4), text_rank=st.just(0.0)),
    ),
    max_size=12,
    unique_by=lambda episode: episode.id,
)
questions_strategy = st.builds(
    Question,
    scope=st.just(Scope(frozenset({"alice"}))),
    budget_tokens=st.integers(1, 200),
    limits=st.builds(Limits, facts=st.integers(0, 10), episodes=st.integers(0, 8)),
    now=st.just(NOW),
    profile=st.sampled_from([SEED, replace(SEED, relevance_floor=0.5)]),
    flagging=st.builds(Flagging, contested=st.booleans(), expired=st.booleans()),
    goal=st.sampled_from([None, goal_of("finish the house in Berlin")]),
    notes=st.sampled_from([(), ("a note of the search",)]),
)


def assemble(
    facts: list[FactCandidate], episodes: list[EpisodeCandidate], question: Question
) -> Selection:
    """As a request goes: the second half of the facts is one hop away, if a hop is made."""
    half = len(facts) // 2
    selection = select_facts(facts[:half], question)
    if may_hop(selection, question):
        selection = add_hop(selection, facts[half:], question)
    return add_episodes(selection, episodes, question)


@settings(max_examples=300)
@given(facts_strategy, episodes_strategy, questions_strategy)
def test_a_packet_never_exceeds_its_budget_and_serves_nothing_blocked(
    facts: list[FactCandidate], episodes: list[EpisodeCandidate], question: Question
) -> None:
    selection = assemble(facts, episodes, question)
    packet = conclude(selection, question, "t")
    rendered = render_packet(packet)
    assert len(rendered) // 4 == packet.tokens <= question.budget_tokens
    assert bool(rendered) == bool(packet.facts or packet.episodes)
    texts = sum(one.traced().tokens or 0 for one in selection.traced if one.decision == "included")
    assert texts <= packet.tokens
    by_id = {one.id: one for one in facts}
    for served in packet.facts:
        candidate = by_id[served.id]
        is_contested = candidate.conflict_id is not None
        assert candidate.status is FactStatus.ACTIVE or is_contested
        assert question.flagging.contested or not is_contested
        assert question.flagging.expired or not served.expired
        assert candidate.subject == "alice"


@settings(max_examples=200)
@given(facts_strategy, episodes_strategy)
def test_a_line_is_never_shorter_than_is_told_without_drawing_it_up(
    facts: list[FactCandidate], episodes: list[EpisodeCandidate]
) -> None:
    candidates: list[FactCandidate | EpisodeCandidate] = [*facts, *episodes]
    for one in candidates:
        assert one.least_length <= len(prompt_line(Serving(one).item()))


@given(facts_strategy, episodes_strategy, questions_strategy)
def test_the_trace_accounts_for_every_candidate_of_the_scope_once(
    facts: list[FactCandidate], episodes: list[EpisodeCandidate], question: Question
) -> None:
    selection = assemble(facts, episodes, question)
    is_hopping = may_hop(select_facts(facts[: len(facts) // 2], question), question)
    considered = facts if is_hopping else facts[: len(facts) // 2]
    expected = [one.id for one in considered if one.subject == "alice"]
    expected += [one.id for one in episodes if one.subject == "alice"]
    assert sorted(one.id for one in selection.traced) == sorted(expected)
    included = {one.id for one in selection.traced if one.decision is TraceDecision.INCLUDED}
    served = {one.id for one in selection.facts} | {one.event_id for one in selection.episodes}
    assert included == served


@settings(max_examples=200)
@given(facts_strategy, episodes_strategy, questions_strategy, st.integers())
def test_the_packet_does_not_depend_on_the_order_of_candidates(
    facts: list[FactCandidate], episodes: list[EpisodeCandidate], question: Question, seed: int
) -> None:
    shuffled_facts, shuffled_episodes = list(facts), list(episodes)
    Random(seed).shuffle(shuffled_facts)
    Random(seed).shuffle(shuffled_episodes)
    one = add_episodes(select_facts(facts, question), episodes, question)
    other = add_episodes(select_facts(shuffled_facts, question), shuffled_episodes, question)
    assert one == other


def test_rivals_are_served_together_or_not_at_all(fact: BuildFact, question: Ask) -> None:
    rivals = [
        fact(id="tea", predicate="drinks", conflict_id="c", closeness=near(0.9)),
        fact(id="coffee", predicate="drinks", conflict_id="c", closeness=near(0.1)),
    ]
    other = fact(id="other", closeness=near(0.5))
    shown = Flagging(contested=True)
    selection = select_facts([*rivals, other], question(flagging=shown))
    assert [one.id for one in selection.facts] == ["tea", "coffee", "other"]
    for budget in range(1, 120):
        asked = question(flagging=shown, budget_tokens=budget)
        served = {one.id for one in select_facts([*rivals, other], asked).facts}
        assert served & {"tea", "coffee"} in (set(), {"tea", "coffee"}), budget
    two = question(flagging=shown, limits=Limits(facts=1))
    selection = select_facts([*rivals, other], two)
    assert [one.id for one in selection.facts] == ["other"]
    assert reasons(selection)["coffee"] is Reason.OVER_LIMIT


def test_a_rival_that_is_hidden_hides_the_others(fact: BuildFact, question: Ask) -> None:
    long_ago = NOW - 8 * DAY
    rivals = [
        fact(id="tea", conflict_id="c"),
        fact(
            id="coffee",
            conflict_id="c",
            volatility=Volatility.EPHEMERAL,
            last_confirmed=long_ago,
        ),
    ]
    selection = select_facts(rivals, question(flagging=Flagging(contested=True)))
    assert reasons(selection) == {
        "tea": Reason.CONFLICT_OPEN,
        "coffee": Reason.VOLATILITY_EXPIRED,
    }
    both = question(flagging=Flagging(contested=True, expired=True))
    assert len(select_facts(rivals, both).facts) == 2


def test_the_gate_keeps_rivals_together(fact: BuildFact, question: Ask) -> None:
    rivals = [
        fact(id="tea", conflict_id="c", closeness=near(0.9)),
        fact(id="coffee", conflict_id="c", closeness=near(0.1)),
    ]
    gated = replace(SEED, relevance_floor=0.5)
    asked = question(profile=gated, flagging=Flagging(contested=True))
    assert [one.id for one in select_facts(rivals, asked).facts] == ["tea", "coffee"]
    strict = replace(asked, profile=replace(SEED, relevance_floor=0.95))
    assert select_facts(rivals, strict).facts == ()
