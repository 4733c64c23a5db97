"""What wants a verdict, and what is journaled of it."""

from cortex_memory.model import ProjectId
from cortex_memory.retain.identify import name_components, standing_verdicts
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.match_names import (
    Ground,
    ModelLimit,
    NameMatcher,
    NameVerdict,
    Tier,
    judge_distance,
)
from cortex_memory.retain.name_verdicts import (
    WORDS,
    journaled,
    open_questions,
    pairs_to_judge,
)
from hypothesis import given
from hypothesis import strategies as st
from roxabi_contracts.predicates import bundled_catalogue

GARDEN = ProjectId("garden")
KEY = b"key"
LIMIT = ModelLimit(model="small", digest="0123456789abcdef", limit=0.05)
MATCHER = NameMatcher(bundled_catalogue(), bundled_lexicon())


def test_only_new_names_want_a_verdict() -> None:
    present = ["employer", "kite", "yawl"]
    assert pairs_to_judge(["habite_a", "sloop"], present, bundled_catalogue()) == {
        ("kite", "lives_in"),
        ("kite", "sloop"),
        ("lives_in", "sloop"),
        ("lives_in", "yawl"),
        ("sloop", "works_at"),
        ("sloop", "yawl"),
    }


def test_a_synonym_stands_for_its_predicate() -> None:
    as_predicate = {("kite", "lives_in")}
    assert pairs_to_judge(["habite_a"], ["residence", "kite"], bundled_catalogue()) == as_predicate
    assert pairs_to_judge(["kite"], ["habite_a", "residence"], bundled_catalogue()) == as_predicate
    assert not pairs_to_judge(["habite_a"], ["residence"], bundled_catalogue())


def test_names_that_were_there_before_can_be_judged_again() -> None:
    present = ["kite", "yawl"]
    assert pairs_to_judge(present, present, bundled_catalogue()) == {("kite", "yawl")}


@given(st.permutations(["kite", "yawl", "residence", "sloop"]), st.integers(0, 4))
def test_names_that_come_one_after_the_other_are_judged_like_all_at_once(
    names: list[str], first: int
) -> None:
    catalogue = bundled_catalogue()
    early, late = names[:first], names[first:]
    met = pairs_to_judge(early, (), catalogue) | pairs_to_judge(late, early, catalogue)
    assert met == pairs_to_judge(names, (), catalogue)


def test_what_words_keep_apart_is_told_again_and_needs_no_journal() -> None:
    kept_apart = ("kite_count_of_2019", "kite_count_of_2020")
    assert not open_questions([kept_apart], MATCHER, asks_model=True)
    found = MATCHER.match(*kept_apart)
    assert isinstance(found, NameVerdict)
    assert journaled(GARDEN, kept_apart, found, LIMIT, at=1, project_key=KEY) is None


def test_a_model_is_asked_only_where_there_is_one() -> None:
    pairs = [("kite", "yawl"), ("number_of_yawls", "yawl_count")]
    assert open_questions(pairs, MATCHER, asks_model=False).keys() == {pairs[1]}
    assert open_questions(pairs, MATCHER, asks_model=True).keys() == {*pairs}


def test_a_verdict_names_who_decided() -> None:
    words = NameVerdict(same=True, tier=Tier.WORDS, reason=Ground.SAME_WORDS)
    pair = ("yawl_count", "number_of_yawls")
    row = journaled(GARDEN, pair, words, LIMIT, at=7, project_key=KEY)
    assert row is not None
    assert (row.first, row.second) == ("number_of_yawls", "yawl_count")
    assert (row.same, row.model, row.at) == (True, WORDS, 7)
    far = journaled(GARDEN, pair, judge_distance(0.3, LIMIT), LIMIT, at=7, project_key=KEY)
    assert far is not None
    assert (far.same, far.model) == (False, "small@0123456789ab")


def test_one_question_has_one_id_whenever_and_in_whatever_order_it_is_asked() -> None:
    near = judge_distance(0.01, LIMIT)
    one = journaled(GARDEN, ("sloop", "yawl"), near, LIMIT, at=1, project_key=KEY)
    other = journaled(GARDEN, ("yawl", "sloop"), near, LIMIT, at=9, project_key=KEY)
    assert one is not None
    assert other is not None
    assert one.id == other.id


def test_what_the_catalogue_says_and_what_nobody_measured_is_not_journaled() -> None:
    known = MATCHER.match("residence", "habite_a")
    assert isinstance(known, NameVerdict)
    unmeasured = judge_distance(0.0, None)
    for verdict in (known, unmeasured):
        assert journaled(GARDEN, ("a", "b"), verdict, None, at=1, project_key=KEY) is None


def test_a_journaled_verdict_brings_a_name_to_its_predicate() -> None:
    pair = ("ne_le", "the_date_of_my_birth")
    found = MATCHER.match(*pair)
    assert isinstance(found, NameVerdict)
    row = journaled(GARDEN, pair, found, None, at=1, project_key=KEY)
    assert row is not None
    verdicts = standing_verdicts([row])
    assert name_components(pair, verdicts, bundled_catalogue()) == [frozenset(pair)]
