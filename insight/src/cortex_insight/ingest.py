"""Takes messages into the lake: stores, reads and queues them in one transaction a batch."""

from collections.abc import Collection, Sequence
from dataclasses import astuple, dataclass, replace
from operator import add

import structlog
from structlog.typing import FilteringBoundLogger

from cortex_insight.admit import Admitted, admit
from cortex_insight.errors import StoreRefused
from cortex_insight.faults import Step, reached
from cortex_insight.outbox import DeadLetter, Receipt, dead_letter
from cortex_insight.parser import Reject
from cortex_insight.reading import EventKey, key_of
from cortex_insight.record_readings import ReadingRecorder, lock_linked
from cortex_insight.store.lake import OpenLake
from cortex_insight.write_readings import add_letters


@dataclass(frozen=True)
class Stored:
    """What became of a batch."""

    events: int = 0
    known: int = 0
    """Events that the lake had already."""
    read_again: int = 0
    """Older events that a new neighbour made worth another reading."""
    observations: int = 0
    rejected: int = 0
    erased: tuple[int, ...] = ()
    """Where the stream holds events that were erased before: nothing of them may stay."""

    def __add__(self, other: "Stored") -> "Stored":
        return Stored(*map(add, astuple(self), astuple(other)))


class Ingest:
    """The way into the lake.

    Args:
        open_lake: Opens the lake in a transaction.
        recorder: Reads events with today's parsers.
    """

    def __init__(self, open_lake: OpenLake, recorder: ReadingRecorder) -> None:
        self._open_lake = open_lake
        self._recorder = recorder
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def take(self, receipts: Sequence[Receipt]) -> Stored:
        """Store a batch; one that the database refuses is taken apart, so that the rest goes on.

        Raises:
            StoreUnavailable: nothing was stored; try again.
        """
        try:
            return await self._take_together(receipts)
        except StoreRefused as error:
            if len(receipts) > 1:
                return sum([await self.take([receipt]) for receipt in receipts], Stored())
            self._log.error("store_refused", fault=str(error))
            return await self._bury(receipts[0], error)

    async def _take_together(self, receipts: Sequence[Receipt]) -> Stored:
        admitted, letters = _gate(receipts)
        async with self._open_lake() as lake:
            gone = await lake.erased(admitted)
            admitted = {key: item for key, item in admitted.items() if key not in gone}
            links = self._recorder.links(admitted)
            await lock_linked(lake, admitted, links)
            new = await lake.add_events([*admitted.values()])
            fresh = {key: item for key, item in admitted.items() if key in new}
            recorded = await self._recorder.record(lake, fresh, {}, links)
            await add_letters(lake, letters)
            reached(Step.BEFORE_COMMIT)
        reached(Step.AFTER_STORE)
        return Stored(
            events=len(fresh),
            known=len(admitted) - len(fresh),
            read_again=len(recorded.readings) - len(fresh),
            observations=sum(len(reading.messages) for reading in recorded.readings),
            rejected=len(letters) + sum(each.reject is not None for each in recorded.readings),
            erased=_places_of(receipts, gone),
        )

    async def _bury(self, receipt: Receipt, error: StoreRefused) -> Stored:
        """Keep a message that the database refuses as an event."""
        reject = Reject("store_refused", f"the database refused it with {error}")
        admitted = admit(receipt)
        event = admitted.event if isinstance(admitted, Admitted) else None
        letter = replace(dead_letter(receipt, reject, event), data=receipt.data)
        async with self._open_lake() as lake:
            await add_letters(lake, [letter])
        return Stored(rejected=1)


def _gate(receipts: Sequence[Receipt]) -> tuple[dict[EventKey, Admitted], list[DeadLetter]]:
    """The events among the messages, each once, and the dead letters of the others."""
    admitted: dict[EventKey, Admitted] = {}
    letters: list[DeadLetter] = []
    for receipt in receipts:
        answer = admit(receipt)
        if isinstance(answer, Reject):
            letters.append(dead_letter(receipt, answer, None))
        else:
            admitted.setdefault(key_of(answer), answer)
    return admitted, letters


def _places_of(receipts: Sequence[Receipt], events: Collection[EventKey]) -> tuple[int, ...]:
    """Every place in the stream where one of these events is."""
    if not events:
        return ()
    answers = [(receipt.sequence, admit(receipt)) for receipt in receipts]
    return tuple(
        place for place, item in answers if isinstance(item, Admitted) and key_of(item) in events
    )
