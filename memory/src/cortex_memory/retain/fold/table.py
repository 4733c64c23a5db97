"""What an assertion does to its slot: the first row of the table that applies."""

from dataclasses import dataclass

from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import ClaimAction, ClaimKind
from roxabi_contracts.predicates import ChangeRule

from cortex_memory.model import Assertion, AssertionId, Authority, Value
from cortex_memory.retain.erasure import covers
from cortex_memory.retain.fold.ledger import Ledger
from cortex_memory.retain.fold.order import said_before
from cortex_memory.retain.fold.record import Record, listed_record, live_record
from cortex_memory.retain.outcome import (
    Cancelled,
    Conflicted,
    Created,
    Ended,
    Noted,
    Outcome,
    Quarantined,
    RecordedOnly,
    Reinforced,
    Retracted,
    Superseded,
)
from cortex_memory.retain.values import meets, overlay, without_nulls

WEAK_CONFIDENCE = 0.5
"""Below this, what is said changes nothing that is served."""


@dataclass(frozen=True, slots=True)
class Saying:
    """An assertion as it takes effect; a person's release gives it a later time and more weight."""

    assertion: Assertion
    time: int
    authority: Authority
    is_released: bool = False


def fold_assertion(ledger: Ledger, saying: Saying) -> Outcome:
    """Fold an assertion that is due and new to the slot."""
    assertion = saying.assertion
    if assertion.action is ClaimAction.RETRACT:
        return _retract(ledger, saying)
    if _was_erased(ledger, saying):
        return _list_unlived(ledger, assertion, FactStatus.ERASED)
    if was_cancelled(ledger, assertion):
        return _list_unlived(ledger, assertion, FactStatus.ENDED)
    if _is_weak(ledger, saying):
        return _quarantine(ledger, saying)
    if _is_over(saying):
        return _list_as_ended(ledger, saying)
    return _fold_strong(ledger, saying)


def _fold_strong(ledger: Ledger, saying: Saying) -> Outcome:
    live, value = ledger.live, saying.assertion.value
    if live.active is None:
        return _create(ledger, saying)
    if met := live.containing(value):
        return _reinforce(ledger, saying, met)
    highest = live.highest_authority()
    if saying.authority < highest:
        return _quarantine(ledger, saying)
    if saying.authority > highest:
        return _supersede(ledger, saying, without_nulls(value))
    if saying.assertion.action is ClaimAction.SUPERSEDE or _is_latest(ledger, saying):
        return _supersede(ledger, saying, overlay(live.active.value, value))
    return _contest(ledger, saying)


def _was_erased(ledger: Ledger, saying: Saying) -> bool:
    return any(
        erasure.at < saying.time and covers(erasure, saying.assertion)
        for erasure in ledger.erasures
    )


def was_cancelled(ledger: Ledger, assertion: Assertion) -> bool:
    """Whether a retract took back what was said of a later time, before that time came."""
    return assertion.time > assertion.said and any(
        retract.said < assertion.time
        and retract.authority >= assertion.authority
        and said_before(assertion, retract)
        and meets(retract.value, assertion.value.pairs)
        for retract in ledger.retracts
    )


def _is_weak(ledger: Ledger, saying: Saying) -> bool:
    if saying.is_released:
        return False
    kind = ledger.rules.kind or saying.assertion.kind
    is_presumptuous = kind is ClaimKind.INSTRUCTION and saying.authority < Authority.CLOSE
    return is_presumptuous or _is_untrustworthy(saying)


def _is_untrustworthy(saying: Saying) -> bool:
    doubtful = saying.assertion.confidence < WEAK_CONFIDENCE
    return doubtful or saying.authority is Authority.UNTRUSTED


def _is_over(saying: Saying) -> bool:
    """Whether the validity ended before it was said, or is no more than a point in time."""
    until, begin = saying.assertion.valid_until, saying.assertion.valid_from
    if until is None or (begin is not None and until < begin):
        return False
    spoken = saying.time if saying.is_released else saying.assertion.said
    return until <= spoken or until == begin


def _is_latest(ledger: Ledger, saying: Saying) -> bool:
    author_changes = ledger.rules.change is ChangeRule.LATEST
    return author_changes and ledger.live.all_said_before(
        saying.assertion.author_entity, saying.time
    )


def _quarantine(ledger: Ledger, saying: Saying) -> Outcome:
    assertion = saying.assertion
    if not assertion.value.pairs:
        return RecordedOnly()
    if (live := ledger.live.of_value(assertion.value)) is not None:
        return _note(ledger, live, assertion)
    if (record := ledger.quarantined.get(assertion.value.pairs)) is not None:
        record.confirm(assertion, saying.authority, saying.time)
        ledger.attach(record, assertion)
        return Quarantined(record.shown_id)
    record = listed_record(assertion, FactStatus.QUARANTINED)
    ledger.add(record)
    ledger.quarantined[assertion.value.pairs] = record
    return Quarantined(record.shown_id)


def _note(ledger: Ledger, record: Record, assertion: Assertion) -> Outcome:
    record.note(assertion)
    ledger.attach(record, assertion)
    return Noted(record.shown_id)


def _list_as_ended(ledger: Ledger, saying: Saying) -> Outcome:
    if not saying.assertion.value.pairs:
        return RecordedOnly()
    record = listed_record(saying.assertion, FactStatus.ENDED)
    ledger.add(record)
    return Ended(record.shown_id)


def _list_unlived(ledger: Ledger, assertion: Assertion, status: FactStatus) -> Outcome:
    """List what was taken back or erased before it came to live."""
    if not assertion.value.pairs:
        return RecordedOnly()
    record = listed_record(assertion, status)
    record.valid_from = record.valid_to = None
    ledger.add(record)
    return Cancelled(record.shown_id)


def _retract(ledger: Ledger, saying: Saying) -> Outcome:
    if _is_untrustworthy(saying):
        return RecordedOnly()
    ledger.retracts.append(saying.assertion)
    met = [
        record
        for record in ledger.live.met_by(saying.assertion.value)
        if record.authority <= saying.authority
    ]
    if not met:
        return RecordedOnly()
    ledger.live.leave(met, FactStatus.ENDED, saying.time)
    return Retracted(tuple(record.shown_id for record in met))


def _create(ledger: Ledger, saying: Saying) -> Outcome:
    value = without_nulls(saying.assertion.value)
    if not value.pairs:
        return RecordedOnly()
    record = live_record(saying.assertion, saying.authority, saying.time, value)
    ledger.add(record)
    ledger.live.create(record)
    return Created(record.shown_id)


def _reinforce(ledger: Ledger, saying: Saying, met: list[Record]) -> Outcome:
    assertion, live = saying.assertion, ledger.live
    record = live.of_value(assertion.value) or met[0]
    if assertion.author_is_machine and not saying.is_released:
        return _note(ledger, record, assertion)
    live.confirm(record, assertion, saying.authority, saying.time)
    ledger.attach(record, assertion)
    if live.conflict is None or not _settles(ledger, saying, record, met):
        return Reinforced(record.shown_id)
    live.leave(live.others(record), FactStatus.SUPERSEDED, saying.time)
    return Reinforced(record.shown_id, settled=True)


def _settles(ledger: Ledger, saying: Saying, record: Record, met: list[Record]) -> bool:
    highest_other = ledger.live.highest_other_authority(record)
    is_clear = saying.assertion.action is ClaimAction.SUPERSEDE and len(met) == 1
    return saying.authority > highest_other or (is_clear and saying.authority == highest_other)


def _supersede(ledger: Ledger, saying: Saying, value: Value) -> Outcome:
    """Put a new active fact in the place of every live one; a value of nothing ends them."""
    live, assertion = ledger.live, saying.assertion
    former, replaced = live.active, live.members()
    assert former is not None
    names = tuple(record.shown_id for record in replaced)
    if not value.pairs:
        live.leave(replaced, FactStatus.ENDED, saying.time)
        return Retracted(names)
    live.leave(replaced, FactStatus.SUPERSEDED, saying.time)
    record = live_record(assertion, saying.authority, saying.time, value)
    record.speakers = _speakers(former, assertion, value)
    record.supersedes = former
    ledger.add(record)
    live.create(record)
    return Superseded(record.shown_id, names)


def _speakers(former: Record, assertion: Assertion, value: Value) -> tuple[AssertionId, ...]:
    """Who said each part: what the assertion does not say was carried over."""
    said = set(assertion.value.pairs)
    before = dict(zip(former.value.pairs, former.speakers, strict=True))
    return tuple(assertion.id if pair in said else before[pair] for pair in value.pairs)


def _contest(ledger: Ledger, saying: Saying) -> Outcome:
    value = without_nulls(saying.assertion.value)
    if not value.pairs:
        return RecordedOnly()
    record = live_record(saying.assertion, saying.authority, saying.time, value)
    was_open = ledger.live.conflict is not None
    ledger.add(record)
    conflict_id = ledger.live.contest(record, saying.time)
    if not was_open and (opened := ledger.live.conflict) is not None:
        ledger.conflicts.append(opened)
    return Conflicted(record.shown_id, conflict_id)
