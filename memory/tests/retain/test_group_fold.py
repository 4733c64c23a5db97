"""A group that grows says what the same group folded at once says."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from cortex_memory.model import Assertion, EntityId, SlotState
from cortex_memory.retain.group import Scope, fold_group
from cortex_memory.retain.group_fold import GroupChange, GroupFold
from cortex_memory.retain.identify import PredicateGroup, group_of
from hypothesis import given, settings
from hypothesis import strategies as st
from retain.building import ABOUT, PROJECT, SUBJECT, said, shown
from retain.observing import CATALOGUE
from retain.slot_strategies import assertions
from roxabi_contracts.payloads import Cardinality, ClaimAction

SCOPE = Scope(PROJECT, EntityId(SUBJECT), EntityId(ABOUT))
PREDICATES = st.sampled_from(["likes", "lives_in", "mood"])


def group(known: Sequence[Assertion]) -> PredicateGroup:
    return group_of(frozenset(each.predicate for each in known), known, CATALOGUE)


def growing(known: Sequence[Assertion], now: int) -> GroupFold:
    return GroupFold(SCOPE, group(known), known, now)


def after(state: SlotState, change: GroupChange) -> SlotState:
    """The state once the change is applied to what was there."""
    facts = {*state.facts} - {*change.before.facts} | {*change.after.facts}
    conflicts = {*state.conflicts} - {*change.before.conflicts} | {*change.after.conflicts}
    return SlotState(
        tuple(sorted(facts, key=lambda fact: fact.id)),
        tuple(sorted(conflicts, key=lambda conflict: conflict.id)),
        change.next_due,
    )


@settings(max_examples=300, deadline=None)
@given(assertions(), PREDICATES, st.data())
def test_growing_equals_folding_at_once(
    sayings: list[Assertion], predicate: str, data: st.DataObject
) -> None:
    arriving = [replace(each, predicate=predicate) for each in data.draw(st.permutations(sayings))]
    cuts = data.draw(st.lists(st.integers(1, len(arriving)), max_size=4))
    moments = sorted(data.draw(st.lists(st.integers(1, 14), min_size=6, max_size=6)))
    bounds = sorted({1, len(arriving), *cuts})
    fold = growing(arriving[:1], moments[0])
    state = fold.state()
    for (start, end), now in zip(pairwise(bounds), moments[1:], strict=False):
        new = arriving[start:end]
        assert fold.can_add(new, now)
        state = after(state, fold.add(new, now))

        known = arriving[:end]
        assert fold.state() == state == fold_group(SCOPE, group(known), known, now=now)
        assert fold.size == end


def test_only_what_differs_is_told() -> None:
    fold = growing([said("tea", 1, predicate="likes"), said("milk", 2, predicate="likes")], 10)

    change = fold.add([said("tea", 3, predicate="likes", ref="again")], 10)

    assert shown(change.before) == shown(change.after) == {"tea": "active"}
    assert change.after.facts[0].count == 1


def test_an_earlier_retract_meets_a_value_that_comes_late() -> None:
    gone = said("tea", 5, predicate="likes", action=ClaimAction.RETRACT)
    fold = growing([said("milk", 1, predicate="likes"), gone], 10)

    fold.add([said("tea", 2, predicate="likes", ref="late")], 10)

    assert shown(fold.state()) == {"milk": "active", "tea": "ended"}


def test_a_predicate_that_comes_to_hold_many_values_is_folded_anew() -> None:
    one = said("calm", 1, predicate="mood")
    many = replace(said("glad", 2, predicate="mood"), cardinality=Cardinality.MANY)

    assert not growing([one], 10).can_add([many], 10)
    assert growing([one, many], 10).can_add([many], 10)


def test_a_predicate_that_takes_another_name_is_folded_anew() -> None:
    fold = growing([said("calm", 5, predicate="mood"), said("glad", 6, predicate="humour")], 10)

    assert fold.can_add([said("low", 1, predicate="mood")], 10)
    assert fold.can_add([said("low", 7, predicate="humour")], 10)
    assert not fold.can_add([said("low", 1, predicate="humour")], 10)
    assert not fold.can_add([said("low", 7, predicate="temper")], 10)


def test_time_that_has_gone_back_is_folded_anew() -> None:
    assert not growing([said("calm", 1, predicate="mood")], 10).can_add([], 9)


def test_what_falls_due_in_a_slot_of_which_nothing_is_said_is_told() -> None:
    fold = growing([said("tea", 1, predicate="likes", until=5)], 2)

    change = fold.add([said("milk", 3, predicate="likes")], 6)

    assert shown(change.after) == {"tea": "ended", "milk": "active"}
    assert change.next_due is None
