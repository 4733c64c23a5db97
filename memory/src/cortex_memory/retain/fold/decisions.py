"""What the decisions of persons and erasures do to a slot."""

from typing import assert_never

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import (
    Authority,
    Decision,
    Disable,
    Dispute,
    Enable,
    Erasure,
    FactReference,
    Mark,
    Reject,
    Release,
    Resolve,
)
from cortex_memory.retain.erasure import covers, is_within
from cortex_memory.retain.fold.ledger import Ledger
from cortex_memory.retain.fold.record import Record
from cortex_memory.retain.fold.table import Saying, fold_assertion
from cortex_memory.retain.outcome import Decided, Erased, Outcome


def fold_decision(ledger: Ledger, decision: Decision) -> Outcome:
    """Let a decision bite on the facts of the slot that it speaks of."""
    match decision:
        case Resolve():
            return _resolve(ledger, decision)
        case Release():
            return _release(ledger, decision)
        case Reject():
            return _mark(ledger, decision.fact, Mark.REJECTED)
        case Dispute():
            return _mark(ledger, decision.fact, Mark.DISPUTED)
        case Disable():
            return _mark(ledger, decision.fact, Mark.DISABLED)
        case Enable():
            return _mark(ledger, decision.fact, None)
        case _:
            assert_never(decision)


def fold_erasure(ledger: Ledger, erasure: Erasure) -> Outcome:
    """End the facts that the erasure is about; what they had replaced does not come back."""
    hit = [record for record in ledger.records if _is_about(erasure, record)]
    living = set(ledger.live.members())
    ledger.live.leave([r for r in hit if r in living], FactStatus.ERASED, erasure.at)
    for record in hit:
        record.status = FactStatus.ERASED
        if ledger.quarantined.get(record.value.pairs) is record:
            del ledger.quarantined[record.value.pairs]
    return Erased(tuple(record.shown_id for record in hit))


def _is_about(erasure: Erasure, record: Record) -> bool:
    return is_within(record.value.pairs, erasure) and any(
        covers(erasure, assertion) for assertion in record.sources
    )


def _resolve(ledger: Ledger, decision: Resolve) -> Outcome:
    living = set(ledger.live.members())
    keep = () if decision.keep is None else (decision.keep,)
    kept = [record for record in ledger.meant_by(keep) if record in living]
    lost = [
        record
        for record in ledger.meant_by(decision.lose)
        if record in living and record not in kept
    ]
    if lost:
        ledger.live.leave(lost, FactStatus.SUPERSEDED, decision.at)
    if kept:
        ledger.live.keep(kept[0])
    return Decided(tuple(record.shown_id for record in [*kept, *lost]))


def _release(ledger: Ledger, decision: Release) -> Outcome:
    """Fold what was quarantined anew, with the authority of the person who vouches for it."""
    released = [
        record
        for record in ledger.meant_by((decision.fact,))
        if record.status is FactStatus.QUARANTINED
    ]
    names = tuple(record.shown_id for record in released)
    for record in released:
        ledger.drop(record)
        del ledger.quarantined[record.value.pairs]
        for assertion in sorted(record.sources, key=lambda source: source.order):
            fold_assertion(ledger, Saying(assertion, decision.at, Authority.OWN, is_released=True))
    return Decided(names)


def _mark(ledger: Ledger, reference: FactReference, mark: Mark | None) -> Outcome:
    meant = ledger.meant_by((reference,))
    for record in meant:
        record.mark = mark
    for name in reference.assertions:
        if mark is None:
            ledger.marks.pop(name.id, None)
        elif name.id not in ledger.by_assertion:
            ledger.marks[name.id] = mark
    return Decided(tuple(record.shown_id for record in meant))
