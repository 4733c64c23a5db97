"""From the fold's records to the facts and ConflictSets that others see."""

from collections.abc import Iterable

from roxabi_contracts.operations import FactStatus
from roxabi_contracts.payloads import ClaimAction, Volatility

from cortex_memory.model import (
    Assertion,
    AssertionId,
    ConflictSet,
    Fact,
    FactSource,
    Mark,
    OrderKey,
    Slot,
    Value,
)
from cortex_memory.retain.fold.ledger import Ledger
from cortex_memory.retain.fold.record import Record, listed_record
from cortex_memory.retain.fold.table import was_cancelled
from cortex_memory.retain.values import blank

_MARKABLE = {
    FactStatus.ACTIVE,
    FactStatus.CANDIDATE,
    FactStatus.QUARANTINED,
    FactStatus.SCHEDULED,
}
_MARKED = {
    Mark.REJECTED: FactStatus.DISABLED,
    Mark.DISABLED: FactStatus.DISABLED,
    Mark.DISPUTED: FactStatus.DISPUTED,
}


class Listing:
    """Shows a ledger; the content of the assertions in `erased` is left out."""

    def __init__(self, slot: Slot, ledger: Ledger, erased: frozenset[AssertionId]) -> None:
        self._slot = slot
        self._ledger = ledger
        self._erased = erased

    def facts(self, pending: Iterable[Assertion]) -> tuple[Fact, ...]:
        """Every fact of the slot and every assertion still to come, by first assertion."""
        scheduled = [
            self._scheduled(assertion)
            for assertion in pending
            if assertion.action is not ClaimAction.RETRACT and assertion.value.pairs
        ]
        records = [*self._ledger.records, *scheduled]
        show = self._fact if self._erased else self._fact_once
        return tuple(show(record) for record in sorted(records, key=_place))

    def conflicts(self) -> tuple[ConflictSet, ...]:
        """Every ConflictSet that the slot ever had, in the order of opening."""
        return tuple(
            ConflictSet(
                id=conflict.id,
                slot=self._slot,
                members=tuple(member.shown_id for member in conflict.members),
                opened_at=conflict.opened_at,
                closed_at=conflict.closed_at,
            )
            for conflict in self._ledger.conflicts
        )

    def _scheduled(self, assertion: Assertion) -> Record:
        if was_cancelled(self._ledger, assertion):
            record = listed_record(assertion, FactStatus.ENDED)
            record.valid_from = record.valid_to = None
            return record
        record = listed_record(assertion, FactStatus.SCHEDULED)
        record.mark = self._ledger.marks.get(assertion.id)
        return record

    def _fact_once(self, record: Record) -> Fact:
        """The fact that was listed last, unless the record has changed."""
        appearance = record.appearance()
        known = self._ledger.shown.get(record)
        if known is not None and known[0] == appearance:
            return known[1]
        fact = self._fact(record)
        self._ledger.shown[record] = (appearance, fact)
        return fact

    def _fact(self, record: Record) -> Fact:
        first = record.first
        counted = [source for source in record.sources if source.id not in record.bare]
        rules = self._ledger.rules
        status = self._status(record)
        return Fact(
            id=record.shown_id,
            slot=self._slot,
            value=blank(record.value) if status is FactStatus.ERASED else self._value(record),
            qualifiers=self._qualifiers(first, status),
            status=status,
            mark=record.mark,
            valid_from=record.valid_from,
            valid_to=record.valid_to,
            authority=record.authority,
            confidence=record.confidence,
            count=len({(source.key.source, source.key.source_ref) for source in counted}) - 1,
            kind=rules.kind or first.kind,
            volatility=rules.volatility or first.volatility or Volatility.STABLE,
            first_said=min(source.said for source in record.sources),
            last_confirmed=max(source.said for source in counted),
            supersedes_id=None if record.supersedes is None else record.supersedes.shown_id,
            conflict_set_id=record.conflict,
            sources=_sources(record),
        )

    def _status(self, record: Record) -> FactStatus:
        if record.speakers and self._erased.issuperset(record.speakers):
            return FactStatus.ERASED
        if record.mark is not None and record.status in _MARKABLE:
            return _MARKED[record.mark]
        return record.status

    def _value(self, record: Record) -> Value:
        if self._erased.isdisjoint(record.speakers):
            return record.value
        texts = tuple(
            None if speaker in self._erased else text
            for speaker, text in zip(record.speakers, record.value.texts, strict=True)
        )
        return Value(pairs=record.value.pairs, texts=texts)

    def _qualifiers(self, first: Assertion, status: FactStatus) -> Value:
        is_erased = status is FactStatus.ERASED or first.id in self._erased
        return blank(first.qualifiers) if is_erased else first.qualifiers


def _place(record: Record) -> OrderKey:
    return record.first.order


def _sources(record: Record) -> tuple[FactSource, ...]:
    return tuple(
        FactSource(
            assertion_id=source.id,
            key=source.key,
            observation_id=source.observation_id,
            said=source.said,
            counted=source.id not in record.bare,
        )
        for source in sorted(record.sources, key=lambda source: source.order)
    )
