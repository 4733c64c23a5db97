"""Erases events that memory was told to forget, from the tables and from the streams."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final

from roxabi_contracts import Observation, RawEvent
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.upkeep import LakeForgetReply, LakeForgetRequest

from cortex_insight.erased import (
    digests_of,
    event_digest,
    normal,
    owners_of,
    owners_of_observation,
    record_digests,
)
from cortex_insight.errors import BusUnavailable
from cortex_insight.faults import Step, reached
from cortex_insight.sanitise import SANITISER
from cortex_insight.store.db import Database, Transaction
from cortex_insight.store.erasing import (
    EventEraser,
    StoredEvent,
    add_digests,
    add_to_erasure,
    owner_named_in,
    vacuum,
)

PATIENCE_SECONDS: Final = 5.0
"""How long a request waits for its answer; asked again, it goes on waiting."""

Sweep = Callable[[str], Awaitable[int]]
"""Takes a project's erased messages out of the streams; how many there were."""

_DIGESTS = "digests"


@dataclass(frozen=True)
class _Found:
    """What an erasure is about."""

    events: Mapping[str, RawEvent]
    observations: Collection[Observation] = ()
    letters: Collection[str] = ()


class Forgetter:
    """Obeys memory when it says what is to be forgotten."""

    def __init__(self, database: Database, sweep: Sweep) -> None:
        self._database = database
        self._sweep = sweep
        self._under_way: dict[LakeForgetRequest, asyncio.Task[LakeForgetReply]] = {}

    async def forget(self, asked: LakeForgetRequest) -> LakeForgetReply:
        """Erase; the answer means that it is done, and is the same when it is asked for again.

        Raises:
            StoreUnavailable, BusUnavailable: ask again, until it is done.
        """
        task = self._under_way.get(asked)
        if task is None:
            task = self._under_way[asked] = asyncio.create_task(self._forget(asked))
        finished, _ = await asyncio.wait({task}, timeout=PATIENCE_SECONDS)
        if not finished:
            raise BusUnavailable("the streams are still looked through")
        self._under_way.pop(asked, None)
        return task.result()

    async def _forget(self, asked: LakeForgetRequest) -> LakeForgetReply:
        async with self._database.transaction() as transaction:
            await _Erasure(transaction, asked).run()
            reached(Step.BEFORE_ERASE_COMMIT)
        reached(Step.AFTER_ERASE_COMMIT)
        messages = await self._sweep(asked.project)
        reached(Step.AFTER_ERASE_SWEEP)
        async with self._database.transaction() as transaction:
            swept = {"messages": messages}
            total = await add_to_erasure(transaction, asked.project, asked.forget_id, swept)
        await vacuum(self._database)
        digests = total.pop(_DIGESTS, 0)
        return LakeForgetReply(forget_id=asked.forget_id, removed=dict(total), kept_digests=digests)


class _Erasure:
    """One erasure in the lake's tables."""

    def __init__(self, transaction: Transaction, asked: LakeForgetRequest) -> None:
        self._transaction = transaction
        self._asked = asked
        self._eraser = EventEraser(transaction, asked.project)
        self._owners = {normal(identifier) for identifier in asked.owner}

    async def run(self) -> None:
        key = await self._eraser.begin()
        found = await (self._of_records() if self._asked.source_refs else self._of_owner())
        said = await self._eraser.said_by(found.events)
        await self._eraser.erase_observations(
            [*found.observations, *(each for saying in said.values() for each in saying)]
        )
        letters = {*found.letters, *await self._eraser.erase_events(found.events)}
        await self._eraser.erase_letters(letters)
        digests = self._digests(key, found) | {event_digest(key, letter) for letter in letters}
        added = await add_digests(self._transaction, self._asked.project, digests)
        removed = {**self._eraser.removed, _DIGESTS: added}
        asked = self._asked
        await add_to_erasure(self._transaction, asked.project, asked.forget_id, removed)

    async def _of_records(self) -> _Found:
        """The events of single records, and all observations that were ever made of them."""
        about = [
            (seen, event_id)
            for seen, event_id in await self._eraser.observations_of(self._asked.source_refs)
            if seen.source == self._asked.source and owners_of_observation(seen) & self._owners
        ]
        events = await self._eraser.events({event_id for _, event_id in about if event_id})
        return _Found(events, [seen for seen, _ in about])

    async def _of_owner(self) -> _Found:
        """Everything of an owner, or what one source had of them."""
        events: dict[str, RawEvent] = {}
        after = ""
        while page := await self._eraser.page(self._asked.source, after):
            events.update((each.event_id, each.event) for each in page if self._is_meant(each))
            after = page[-1].event_id
        letters = await self._eraser.letters(self._asked.source)
        refused = {
            letter.id
            for letter in letters
            if self._is_in_time(epoch_ms(letter.received_at))
            and self._owners.intersection(map(normal, owner_named_in(letter.data)))
        }
        names = {SANITISER.reference(each.source_ref) for each in events.values()}
        records = await self._eraser.observations_of(names)
        said = [
            seen
            for seen, _ in records
            if owners_of_observation(seen) & self._owners
            and self._asked.source in (None, seen.source)
        ]
        return _Found(events, said, refused)

    def _is_meant(self, stored: StoredEvent) -> bool:
        owners = owners_of(stored.event).union(*map(owners_of_observation, stored.observations))
        said = [seen.timestamp for seen in stored.observations]
        moment = min(said, default=epoch_ms(stored.event.occurred_at or stored.received_at))
        return bool(owners & self._owners) and self._is_in_time(moment)

    def _is_in_time(self, moment: int) -> bool:
        return self._asked.until is None or moment <= epoch_ms(self._asked.until)

    def _digests(self, key: bytes, found: _Found) -> set[bytes]:
        digests = {
            digest
            for event_id, event in found.events.items()
            for digest in digests_of(key, event_id, event)
        }
        for source_ref in self._asked.source_refs:
            digests |= record_digests(key, self._owners, self._asked.source or "", source_ref)
        return digests
