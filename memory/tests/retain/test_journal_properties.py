"""What holds of every memory, whatever its journal holds and in whatever order."""

from collections import Counter
from dataclasses import replace

from cortex_memory.model import Erasure, JournalId, Withdrawal
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.current import current_of
from cortex_memory.retain.journal import Journal, fold_journal
from cortex_memory.retain.withdrawal import key_digest
from hypothesis import given, settings
from hypothesis import strategies as st
from retain.journal_strategies import MOMENTS, journals, shuffled
from retain.observing import CATALOGUE, KEY, candidates, memory
from roxabi_contracts.operations import FactStatus

SOME = settings(max_examples=40, deadline=None)
NOW = st.integers(0, 12)


@SOME
@given(journals(), NOW, st.data())
def test_order_and_repetition_do_not_show(known: Journal, now: int, data: st.DataObject) -> None:
    assert memory(data.draw(shuffled(known)), now) == memory(known, now)


@SOME
@given(journals(), NOW)
def test_every_slot_has_one_active_fact_and_every_assertion_one_fact(
    known: Journal, now: int
) -> None:
    state = memory(known, now)
    active = Counter(f.slot for f in state.facts if f.status is FactStatus.ACTIVE)
    names = Counter(source.assertion_id for fact in state.facts for source in fact.sources)
    sets = Counter(fact.conflict_set_id for fact in state.facts if fact.conflict_set_id)
    open_sets = {conflict.id for conflict in state.conflicts if conflict.closed_at is None}

    assert all(count == 1 for count in active.values())
    assert all(count == 1 for count in names.values())
    assert all(count >= 2 for count in sets.values())
    assert sets.keys() == open_sets
    assert len({conflict.id for conflict in state.conflicts}) == len(state.conflicts)


@SOME
@given(journals(), NOW, st.data())
def test_withdrawing_equals_never_having_said(
    known: Journal, now: int, data: st.DataObject
) -> None:
    gone = observation_key(data.draw(st.sampled_from(known.observations)), KEY)
    withdrawal = Withdrawal(JournalId("zz"), 99, key_digest(gone, KEY))
    withdrawn = replace(known, erasures=(*known.erasures, withdrawal))
    kept = tuple(o for o in known.observations if observation_key(o, KEY) != gone)

    assert memory(withdrawn, now) == memory(replace(known, observations=kept), now)


@SOME
@given(journals(), NOW)
def test_only_current_revisions_count(known: Journal, now: int) -> None:
    by_ref = {o.source_ref: o for o in known.observations}
    current = tuple(
        current_of([o for o in known.observations if o.source_ref == ref]) for ref in by_ref
    )
    alone = replace(known, observations=current, candidates=candidates(*current))

    assert memory(alone, now) == memory(known, now)


@SOME
@given(journals(), MOMENTS)
def test_as_of_a_moment_is_the_fold_with_that_clock(known: Journal, now: int) -> None:
    as_of = fold_journal(known, catalogue=CATALOGUE, project_key=KEY, now=now, with_scheduled=False)
    state = memory(known, now)
    scheduled = {FactStatus.SCHEDULED, FactStatus.DISABLED, FactStatus.ERASED, FactStatus.ENDED}
    listed = {fact for fact in state.facts if fact.status not in scheduled}

    assert listed <= set(as_of.facts) <= set(state.facts)
    assert as_of.conflicts == state.conflicts


@SOME
@given(journals(), NOW)
def test_before_its_time_an_erasure_takes_the_content_and_nothing_else(
    known: Journal, now: int
) -> None:
    kept = tuple(row for row in known.erasures if isinstance(row, Withdrawal))
    later = tuple(replace(row, at=20) for row in known.erasures if isinstance(row, Erasure))
    before = memory(replace(known, erasures=kept), now)
    after = memory(replace(known, erasures=(*kept, *later)), now)

    assert before.conflicts == after.conflicts
    for old, new in zip(before.facts, after.facts, strict=True):
        if new.status is FactStatus.ERASED:
            assert set(new.value.texts) == {None}
            assert replace(new, status=old.status, value=old.value) == old
        else:
            assert new == old


@SOME
@given(journals(), NOW)
def test_the_served_facts_are_active_readable_and_uncontested(known: Journal, now: int) -> None:
    for fact in memory(known, now).facts:
        if fact.status is FactStatus.ACTIVE and fact.conflict_set_id is None:
            assert fact.mark is None
            assert fact.value.texts
            assert None not in fact.value.texts
            assert fact.valid_to is None or fact.valid_to > now
