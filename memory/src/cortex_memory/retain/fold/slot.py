"""The fold of one slot: its events in order, the ends of validity among them."""

from collections.abc import Iterable
from operator import itemgetter
from typing import TypeAlias

from roxabi_contracts.operations import FactStatus

from cortex_memory.model import Assertion, AssertionId, Erasure, OrderKey, Slot, SlotState
from cortex_memory.retain.erasure import covers
from cortex_memory.retain.fold.decisions import fold_decision, fold_erasure
from cortex_memory.retain.fold.ledger import Ledger, SlotRules
from cortex_memory.retain.fold.listing import Listing
from cortex_memory.retain.fold.order import Event, end_order, order_of
from cortex_memory.retain.fold.table import Saying, fold_assertion
from cortex_memory.retain.outcome import Duplicate, Outcome, Scheduled

Folded: TypeAlias = tuple[Event, Outcome]


class LateEventError(Exception):
    """The event's place is before the slot's last event: the slot has to be folded again."""


class SlotFold:
    """The state of a slot, advanced event by event; it equals `fold_slot` of the same events."""

    def __init__(self, slot: Slot, rules: SlotRules) -> None:
        self._slot = slot
        self._ledger = Ledger(rules)
        self._known: dict[str, Event] = {}
        self._pending: list[tuple[OrderKey, Event]] = []
        self._last: OrderKey | None = None

    def step(self, event: Event, now: int) -> Outcome:
        """Fold one more event, and whatever falls due up to `now`.

        Raises:
            LateEventError: the slot has already folded something that comes after the event.
        """
        if event.id in self._known:
            return Duplicate()
        if self._last is not None and order_of(event) < self._last:
            raise LateEventError
        self.admit(event)
        outcomes = {folded.id: outcome for folded, outcome in self.advance(now)}
        return outcomes.get(event.id, Scheduled())

    def with_more(self, events: Iterable[Event], now: int) -> "SlotFold":
        """The fold of these too: this one advanced, or all folded again where one is late."""
        new = [event for event in events if event.id not in self._known]
        fold = self
        if self._last is not None and any(order_of(event) < self._last for event in new):
            fold = SlotFold(self._slot, self._ledger.rules)
            new = [*self._known.values(), *new]
        for event in new:
            fold.admit(event)
        fold.advance(now)
        return fold

    def admit(self, event: Event) -> None:
        """Take an event, to be folded by the next `advance`; a known one changes nothing."""
        if event.id in self._known:
            return
        self._known[event.id] = event
        self._pending.append((order_of(event), event))
        if isinstance(event, Erasure):
            self._ledger.erasures.append(event)

    def advance(self, now: int) -> list[Folded]:
        """Fold, in order, all that is due at `now`, and say what each event did."""
        self._pending.sort(key=itemgetter(0))
        folded: list[Folded] = []
        for order, event in self._pending:
            if order[0] > now:
                break
            self._end_validity(order[0])
            self._last = order
            folded.append((event, self._fold(event)))
        del self._pending[: len(folded)]
        self._end_validity(now)
        return folded

    def state(self, *, with_scheduled: bool = True) -> SlotState:
        """What the slot says now; `with_scheduled` also lists what has not come yet."""
        listing = Listing(self._slot, self._ledger, self._erased())
        pending = [event for _, event in self._pending if isinstance(event, Assertion)]
        return SlotState(
            facts=listing.facts(pending if with_scheduled else []),
            conflicts=listing.conflicts(),
            next_due=self._next_due(),
        )

    def _fold(self, event: Event) -> Outcome:
        if isinstance(event, Assertion):
            return fold_assertion(self._ledger, Saying(event, event.time, event.authority))
        if isinstance(event, Erasure):
            return fold_erasure(self._ledger, event)
        return fold_decision(self._ledger, event)

    def _end_validity(self, until: int) -> None:
        live = self._ledger.live
        while (end := live.next_end()) is not None and end <= until:
            live.leave(live.ending_at(end), FactStatus.ENDED, end)
            if self._last is None or self._last < end_order(end):
                self._last = end_order(end)

    def _next_due(self) -> int | None:
        due = [order[0] for order, _ in self._pending[:1]]
        end = self._ledger.live.next_end()
        return min(due if end is None else [*due, end], default=None)

    def _erased(self) -> frozenset[AssertionId]:
        if not self._ledger.erasures:
            return frozenset()
        return frozenset(
            event.id
            for event in self._known.values()
            if isinstance(event, Assertion)
            and any(covers(erasure, event) for erasure in self._ledger.erasures)
        )


def fold_slot(
    slot: Slot, events: Iterable[Event], rules: SlotRules, now: int, *, with_scheduled: bool = True
) -> SlotState:
    """What a slot says at `now`, of its assertions, decisions and erasures in any order."""
    fold = SlotFold(slot, rules)
    for event in events:
        fold.admit(event)
    fold.advance(now)
    return fold.state(with_scheduled=with_scheduled)
