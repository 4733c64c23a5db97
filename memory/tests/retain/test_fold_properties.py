"""What holds of every slot, whatever was said and in whatever order it arrived."""

from cortex_memory.model import Assertion, ConflictSetId, Erasure, SlotState
from cortex_memory.retain.erasure import covers, without_content
from cortex_memory.retain.fold import SlotFold, fold_slot
from cortex_memory.retain.fold.ledger import SlotRules
from cortex_memory.retain.fold.order import Event, order_of
from hypothesis import given, settings
from hypothesis import strategies as st
from retain.building import CONTEST, LATEST, SLOT, folded
from retain.slot_strategies import MOMENTS, slot_events
from roxabi_contracts.operations import FactStatus

RULES = st.sampled_from([CONTEST, LATEST])
NOW = st.integers(0, 14)
MANY = settings(max_examples=100, deadline=None)


def served(state: SlotState) -> list[object]:
    return [
        fact
        for fact in state.facts
        if fact.status is FactStatus.ACTIVE and fact.conflict_set_id is None
    ]


@MANY
@given(slot_events(), RULES, NOW)
def test_at_most_one_fact_is_active(events: list[Event], rules: SlotRules, now: int) -> None:
    state = folded(*events, now=now, rules=rules)
    active = [fact for fact in state.facts if fact.status is FactStatus.ACTIVE]

    assert len(active) <= 1


@MANY
@given(slot_events(), RULES, NOW)
def test_no_interval_is_inverted(events: list[Event], rules: SlotRules, now: int) -> None:
    for fact in folded(*events, now=now, rules=rules).facts:
        if fact.valid_from is not None and fact.valid_to is not None:
            assert fact.valid_from <= fact.valid_to


@MANY
@given(slot_events(), RULES, NOW)
def test_an_open_conflict_has_two_live_members(
    events: list[Event], rules: SlotRules, now: int
) -> None:
    state = folded(*events, now=now, rules=rules)
    open_sets = [conflict for conflict in state.conflicts if conflict.closed_at is None]
    members: dict[ConflictSetId, int] = {conflict.id: 0 for conflict in open_sets}
    for fact in state.facts:
        if fact.conflict_set_id is not None:
            members[fact.conflict_set_id] += 1

    assert len(open_sets) <= 1
    assert all(count >= 2 for count in members.values())


@MANY
@given(slot_events(), RULES, NOW)
def test_no_assertion_stands_behind_two_facts(
    events: list[Event], rules: SlotRules, now: int
) -> None:
    state = folded(*events, now=now, rules=rules)
    names = [source.assertion_id for fact in state.facts for source in fact.sources]
    sets = [conflict.id for conflict in state.conflicts]

    assert len(names) == len(set(names))
    assert len(sets) == len(set(sets))


@MANY
@given(slot_events(), RULES, NOW)
def test_no_fact_holds_a_null_or_nothing(events: list[Event], rules: SlotRules, now: int) -> None:
    for fact in folded(*events, now=now, rules=rules).facts:
        assert fact.value.pairs
        assert not fact.value.nulls


@MANY
@given(slot_events(), RULES, NOW, st.data())
def test_order_and_repetition_of_arrival_do_not_show(
    events: list[Event], rules: SlotRules, now: int, data: st.DataObject
) -> None:
    shuffled = data.draw(st.permutations([*events, *events[:3]]))

    assert folded(*shuffled, now=now, rules=rules) == folded(*events, now=now, rules=rules)


@MANY
@given(slot_events(), RULES, st.lists(NOW, min_size=30, max_size=30))
def test_stepping_equals_folding_again(
    events: list[Event], rules: SlotRules, clock: list[int]
) -> None:
    stepped = SlotFold(SLOT, rules)
    seen: list[Event] = []
    now = 0
    for event, tick in zip(sorted(events, key=order_of), sorted(clock), strict=False):
        due = order_of(event)[0]
        now = max(now, due if tick % 3 else min(tick, due))
        stepped.step(event, now)
        seen.append(event)

        assert stepped.state() == fold_slot(SLOT, seen, rules, now)


@MANY
@given(slot_events(), RULES, NOW, NOW)
def test_as_of_a_moment_is_the_fold_up_to_it(
    events: list[Event], rules: SlotRules, first: int, second: int
) -> None:
    then, now = sorted((first, second))
    fold = SlotFold(SLOT, rules)
    for event in events:
        fold.admit(event)
    fold.advance(then)
    as_of = fold.state(with_scheduled=False)
    past: list[Event] = [e for e in events if order_of(e)[0] <= then or isinstance(e, Erasure)]
    known_then = fold_slot(SLOT, past, rules, then, with_scheduled=False)

    assert (as_of.facts, as_of.conflicts) == (known_then.facts, known_then.conflicts)

    fold.advance(now)

    assert fold.state() == fold_slot(SLOT, events, rules, now)


@MANY
@given(slot_events(), RULES, NOW)
def test_nothing_marked_retired_or_erased_is_served(
    events: list[Event], rules: SlotRules, now: int
) -> None:
    state = folded(*events, now=now, rules=rules)
    for fact in state.facts:
        if fact in served(state):
            assert fact.mark is None
            assert any(text is not None for text in fact.value.texts)
            assert fact.valid_to is None or fact.valid_to > now
            assert fact.valid_from is not None
            assert fact.valid_from <= now


@MANY
@given(slot_events(), RULES, NOW)
def test_an_erasure_leaves_no_content(events: list[Event], rules: SlotRules, now: int) -> None:
    state = folded(*events, now=now, rules=rules)
    erasures = [event for event in events if isinstance(event, Erasure)]
    covered = {
        event.id
        for event in events
        if isinstance(event, Assertion) and any(covers(erasure, event) for erasure in erasures)
    }
    for fact in state.facts:
        if {source.assertion_id for source in fact.sources} <= covered:
            first = [pair for pair in fact.value.pairs if fact.supersedes_id is None]
            for pair, text in zip(fact.value.pairs, fact.value.texts, strict=True):
                assert pair not in first or text is None


@MANY
@given(slot_events(), RULES, NOW)
def test_erased_content_makes_no_difference(
    events: list[Event], rules: SlotRules, now: int
) -> None:
    """What was erased in the store, or arrives again with its content, folds alike."""
    erasures = [event for event in events if isinstance(event, Erasure)]
    blanked = [_blanked(event, erasures) for event in events]

    assert folded(*blanked, now=now, rules=rules) == folded(*events, now=now, rules=rules)


def _blanked(event: Event, erasures: list[Erasure]) -> Event:
    if isinstance(event, Assertion) and any(covers(erasure, event) for erasure in erasures):
        return without_content(event)
    return event


@MANY
@given(slot_events(), RULES, MOMENTS)
def test_next_due_is_when_time_alone_changes_the_slot(
    events: list[Event], rules: SlotRules, now: int
) -> None:
    state = folded(*events, now=now, rules=rules)
    quiet = 40 if state.next_due is None else state.next_due - 1

    assert state.next_due is None or state.next_due > now
    assert folded(*events, now=quiet, rules=rules).facts == state.facts
