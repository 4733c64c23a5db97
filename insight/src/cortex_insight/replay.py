"""Reads stored events again with today's parsers, a page at a time, beside what comes in."""

from collections.abc import Collection, Sequence
from itertools import accumulate
from typing import Final

import structlog
from roxabi_contracts.upkeep import ReplayChange, ReplayCounts, ReplayPage, ReplayRequest
from structlog.typing import FilteringBoundLogger

from cortex_insight.errors import StoreRefused
from cortex_insight.faults import Step, reached
from cortex_insight.outbox import dead_letter
from cortex_insight.parser import Reject
from cortex_insight.reading import EventKey
from cortex_insight.record_readings import ReadingRecorder, Recorded, lock_known
from cortex_insight.replay_report import report, total
from cortex_insight.store.lake import OpenLake
from cortex_insight.store.replay import ReplayStore
from cortex_insight.write_readings import add_letters

CHANGES_SHOWN: Final = 1000
BYTES_SHOWN: Final = 256 * 1024
"""Of the names of changed records in one answer: it has to pass the broker."""


class Replay:
    """The way through the lake once more.

    Args:
        open_lake: Opens the lake in a transaction.
        store: Finds the events of a source.
        recorder: Reads events with today's parsers.
    """

    def __init__(self, open_lake: OpenLake, store: ReplayStore, recorder: ReadingRecorder) -> None:
        self._open_lake = open_lake
        self._store = store
        self._recorder = recorder
        self._log: FilteringBoundLogger = structlog.get_logger()

    async def answer(self, asked: ReplayRequest) -> ReplayPage:
        """Read a page of a source's events again.

        Raises:
            StoreUnavailable: the page may be read already; asking again does no harm.
        """
        page = await self._store.page(asked)
        recorded = await self.read_again(page.events)
        read = [reading.key for each in recorded for reading in each.readings]
        await self._store.settle_letters(read)
        counts, changes = _sum_up(recorded)
        return ReplayPage(
            project=asked.project,
            source=asked.source,
            passed=len(page.events),
            counts=counts,
            changes=_shown(changes),
            cursor=page.cursor,
            total=page.total,
        )

    async def read_again(self, events: Collection[EventKey]) -> Sequence[Recorded]:
        """Read stored events again, and those that a changed key of theirs concerns.

        What the database refuses together is read one by one, so that the rest goes on.

        Raises:
            StoreUnavailable: some may be read already; again does no harm.
        """
        if not events:
            return ()
        try:
            return [await self._read_together(events)]
        except StoreRefused as error:
            if len(events) > 1:
                alone = [await self.read_again({event}) for event in sorted(events)]
                return [recorded for each in alone for recorded in each]
            self._log.error("store_refused", fault=str(error))
            return [await self._refuse(next(iter(events)), error)]

    async def _read_together(self, events: Collection[EventKey]) -> Recorded:
        async with self._open_lake() as lake:
            known = await lock_known(lake, events)
            recorded = await self._recorder.record(lake, {}, known, self._recorder.links(known))
            reached(Step.BEFORE_COMMIT)
        return recorded

    async def _refuse(self, event: EventKey, error: StoreRefused) -> Recorded:
        """Its former reading stands; why there is no other is kept as a dead letter."""
        reject = Reject("store_refused", f"the database refused its reading with {error}")
        async with self._open_lake() as lake:
            known = await lock_known(lake, [event])
            letters = [dead_letter(item.receipt, reject, item.event) for item in known.values()]
            await add_letters(lake, letters)
        return Recorded(refused=len(known))


def _shown(changes: Sequence[ReplayChange]) -> tuple[ReplayChange, ...]:
    """As many of the first as an answer can hold."""
    sizes = accumulate(len(change.source_ref.encode()) for change in changes)
    fitting = sum(size <= BYTES_SHOWN for size in sizes)
    return tuple(changes[: min(fitting, CHANGES_SHOWN)])


def _sum_up(recorded: Sequence[Recorded]) -> tuple[ReplayCounts, list[ReplayChange]]:
    counts: list[ReplayCounts] = []
    changes: list[ReplayChange] = []
    for each in recorded:
        counts.append(
            ReplayCounts(events=each.refused, unreadable=each.refused, kept=len(each.kept))
        )
        withdrawn = {observation.source_ref for observation in each.withdrawn}
        for reading in each.readings:
            before, said = each.summaries.get(reading.key), each.said_before.get(reading.key, ())
            counted, changed = report(reading, before, said, withdrawn)
            counts.append(counted)
            changes += changed
    return total(counts), changes
