"""Takes messages into the lake: stores, reads and queues them in one transaction a batch."""

from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import astuple, dataclass, replace
from operator import add

import structlog
from roxabi_contracts import Identifier, Observation
from structlog.typing import FilteringBoundLogger

from cortex_insight.admit import Admitted, admit
from cortex_insight.errors import StoreRefused
from cortex_insight.faults import Step, reached
from cortex_insight.interpret import withdraw
from cortex_insight.outbox import (
    DeadLetter,
    Receipt,
    dead_letter,
    observation_message,
    rejected_message,
)
from cortex_insight.parser import Reject
from cortex_insight.reader import NEIGHBOURS_PER_KEY, Reader, presence_of
from cortex_insight.reading import (
    EventKey,
    Links,
    Reading,
    key_of,
    source_of,
    sum_up,
)
from cortex_insight.store.lake import Lake

OpenLake = Callable[[], AbstractAsyncContextManager[Lake]]


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
        reader: Reads events with today's parsers.
    """

    def __init__(self, open_lake: OpenLake, reader: Reader) -> None:
        self._open_lake = open_lake
        self._reader = reader
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

    async def read_again(self, events: Collection[EventKey]) -> None:
        """Read stored events with today's parsers, and those that a new key of theirs concerns.

        Raises:
            StoreUnavailable: nothing was changed; try again.
        """
        async with self._open_lake() as lake:
            await lake.hold_off_erasures(events)
            known = await lake.events(events)
            await lake.lock_sources({source_of(item) for item in known.values()})
            links = {key: self._reader.links(item) for key, item in known.items()}
            again = known | await self._add_links(lake, known, links)
            links |= {key: self._reader.links(again[key]) for key in again.keys() - known.keys()}
            readings = await self._read(lake, again, links)
            await self._write(lake, readings, again, ())
            reached(Step.BEFORE_COMMIT)

    async def _take_together(self, receipts: Sequence[Receipt]) -> Stored:
        admitted, letters = _gate(receipts)
        async with self._open_lake() as lake:
            gone = await lake.erased(admitted)
            admitted = {key: item for key, item in admitted.items() if key not in gone}
            links = {key_of(item): self._reader.links(item) for item in admitted.values()}
            await _lock_linked(lake, admitted, links)
            new = await lake.add_events([*admitted.values()])
            fresh = {key: item for key, item in admitted.items() if key in new}
            again = await self._add_links(lake, fresh, links)
            links |= {key: self._reader.links(item) for key, item in again.items()}
            readings = await self._read(lake, fresh | again, links)
            await self._write(lake, readings, again, letters)
            reached(Step.BEFORE_COMMIT)
        reached(Step.AFTER_STORE)
        return Stored(
            events=len(fresh),
            known=len(admitted) - len(fresh),
            read_again=len(again),
            observations=sum(len(reading.messages) for reading in readings),
            rejected=len(letters) + sum(reading.reject is not None for reading in readings),
            erased=_places_of(receipts, gone),
        )

    async def _add_links(
        self, lake: Lake, fresh: Mapping[EventKey, Admitted], links: Mapping[EventKey, Links]
    ) -> dict[EventKey, Admitted]:
        """Store the keys of these events; the other events that ask for one of them."""
        linked = {
            key: (source_of(item), links[key]) for key, item in fresh.items() if _linked(links[key])
        }
        if not linked:
            return {}
        await lake.add_links(linked)
        return await lake.events(await lake.dependants(linked.values()) - fresh.keys())

    async def _read(
        self, lake: Lake, pending: Mapping[EventKey, Admitted], links: Mapping[EventKey, Links]
    ) -> list[Reading]:
        providers = await lake.providers({key for key in pending if links[key].needs})
        wanted = {
            EventKey(key.project, name)
            for key, by_digest in providers.items()
            for names in by_digest.values()
            for name in names[:NEIGHBOURS_PER_KEY]
        }
        events = {**pending, **await lake.events(wanted - pending.keys())}
        return [
            self._reader.read(item, presence_of(key, links[key], providers.get(key, {}), events))
            for key, item in pending.items()
        ]

    async def _write(
        self,
        lake: Lake,
        readings: Sequence[Reading],
        again: Collection[EventKey],
        letters: Sequence[DeadLetter],
    ) -> None:
        summaries = await lake.summaries(again)
        said_before = await lake.observations(again)
        if readings:
            await lake.record(readings, again)
            await lake.add_sums(sum_up(readings, summaries))
        unread = [
            dead_letter(reading.admitted.receipt, reading.reject, reading.admitted.event)
            for reading in readings
            if reading.reject is not None
        ]
        await self._add_letters(lake, [*letters, *unread])
        by_key = {reading.key: reading for reading in readings}
        for key, observation in said_before:
            await self._withdraw_unsaid(lake, by_key[key], observation)

    async def _withdraw_unsaid(self, lake: Lake, reading: Reading, before: Observation) -> None:
        """Take back what an event said before and neither it nor another event says now."""
        record = _record_of(before)
        now = [*reading.observations, *await lake.said_elsewhere(reading.key, before.source_ref)]
        if reading.made_by is not None and record not in map(_record_of, now):
            withdrawn = withdraw(before, reading.made_by)
            await lake.add_messages([observation_message(withdrawn)])

    @staticmethod
    async def _add_letters(lake: Lake, letters: Sequence[DeadLetter]) -> None:
        if letters:
            await lake.add_dead_letters(letters)
            await lake.add_messages([rejected_message(letter.rejected) for letter in letters])

    async def _bury(self, receipt: Receipt, error: StoreRefused) -> Stored:
        """Keep a message that the database refuses as an event."""
        reject = Reject("store_refused", f"the database refused it with {error}")
        admitted = admit(receipt)
        event = admitted.event if isinstance(admitted, Admitted) else None
        letter = replace(dead_letter(receipt, reject, event), data=receipt.data)
        async with self._open_lake() as lake:
            await self._add_letters(lake, [letter])
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


async def _lock_linked(
    lake: Lake, admitted: Mapping[EventKey, Admitted], links: Mapping[EventKey, Links]
) -> None:
    """Only linked events depend on what another writer does at the same time."""
    linked = {source_of(item) for key, item in admitted.items() if _linked(links[key])}
    if linked:
        await lake.lock_sources(linked)


def _linked(links: Links) -> bool:
    return bool(links.provides or links.needs)


def _record_of(observation: Observation) -> tuple[str, str, tuple[Identifier, ...]]:
    """Which record of which source, in whose memory."""
    subject = observation.actors[observation.subject]
    return observation.source, observation.source_ref, subject.identifiers
