"""Writes readings in the place of earlier ones, and calls back what only these said."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts import MadeBy, Observation

from cortex_insight.leaks import (
    Leaks,
    Record,
    SanitiserOf,
    call_back,
    calling_back,
    clean_record,
    find_leaks,
    record_of,
    withdraw,
)
from cortex_insight.outbox import DeadLetter, dead_letter, observation_message, rejected_message
from cortex_insight.reading import EventKey, Reading, Summary, sum_up
from cortex_insight.store.lake import Lake

SaidBefore = Mapping[EventKey, Sequence[Observation]]


@dataclass(frozen=True)
class Written:
    """What earlier readings had said, and what of it nobody says any more."""

    said_before: SaidBefore
    withdrawn: Sequence[Observation]


class ReadingWriter:
    """Writes inside a transaction of the lake.

    Args:
        lake: Open, with the sources of linked events locked.
        sanitiser_of: How each source is cleaned today.
    """

    def __init__(self, lake: Lake, sanitiser_of: SanitiserOf) -> None:
        self._lake = lake
        self._sanitiser_of = sanitiser_of

    async def write(
        self,
        readings: Sequence[Reading],
        again: Collection[EventKey],
        summaries: Mapping[EventKey, Summary],
    ) -> Written:
        """Record readings; those of events read again take the place of the ones before."""
        said_before: defaultdict[EventKey, list[Observation]] = defaultdict(list)
        for key, observation in await self._lake.readings.observations(again):
            said_before[key].append(observation)
        leaks = await self._leaks(readings, said_before, summaries)
        told = [calling_back(reading, leaks) for reading in readings]
        if told:
            await self._lake.readings.record(told, again)
            await self._lake.readings.add_sums(sum_up(told, summaries))
        await add_letters(self._lake, _letters(told))
        withdrawn = await self._withdraw_unsaid(told, said_before, leaks)
        await self._call_back_unsaid(told, withdrawn, leaks)
        await self._lake.readings.remove_unsaid(leaks.observations())
        return Written(said_before, withdrawn)

    async def _leaks(
        self,
        readings: Sequence[Reading],
        said_before: SaidBefore,
        summaries: Mapping[EventKey, Summary],
    ) -> Leaks:
        """What earlier sanitisers let out about the records of these events, then and now."""
        risen = [reading for reading in readings if _is_cleaner(reading, summaries)]
        said_now = [seen for reading in risen for seen in reading.observations]
        before = [seen for reading in risen for seen in said_before.get(reading.key, ())]
        records = {(seen.project_id, seen.source_ref) for seen in (*said_now, *before)}
        clean = {seen.id for seen in said_now}
        made = await self._lake.readings.made_of(records)
        return find_leaks((seen for seen in made if seen.id not in clean), self._sanitiser_of)

    async def _withdraw_unsaid(
        self, readings: Sequence[Reading], said_before: SaidBefore, leaks: Leaks
    ) -> list[Observation]:
        """Take back what an event said before and neither it nor another event says now."""
        by_key = {reading.key: reading for reading in readings}
        withdrawn: list[Observation] = []
        for key, before in said_before.items():
            reading = by_key[key]
            said = {*map(record_of, reading.observations)}
            for seen in before:
                if reading.made_by is not None and not await self._is_said(key, seen, said):
                    made_by = _as_high(reading.made_by, seen.made_by)
                    sanitiser = self._sanitiser_of(seen.source)
                    withdrawn.append(withdraw(seen, made_by, sanitiser, leaks))
        await self._lake.readings.add_messages([*map(observation_message, withdrawn)])
        return withdrawn

    async def _is_said(self, key: EventKey, before: Observation, said: set[Record]) -> bool:
        record = clean_record(before, self._sanitiser_of(before.source))
        if record in said:
            return True
        elsewhere = await self._lake.readings.said_elsewhere(key, before.source_ref)
        return record_of(before) in map(record_of, elsewhere)

    async def _call_back_unsaid(
        self, readings: Iterable[Reading], withdrawn: Iterable[Observation], leaks: Leaks
    ) -> None:
        """Call back what leaked about records that none of these readings says.

        Where another event says the record, and leaks, too, its own reading is still to come.
        """
        versions = {
            (reading.admitted.event.project, reading.admitted.event.source): reading.made_by
            for reading in readings
            if reading.made_by is not None
        }
        told = {record_of(seen) for reading in readings for seen in reading.observations}
        told.update(map(record_of, withdrawn))
        messages: list[Observation] = []
        for record, leaked in leaks.by_record.items():
            made_by = versions.get((record.project, record.source))
            if record not in told and made_by is not None:
                messages += await self._calling_back(record, leaked, made_by, leaks)
        await self._lake.readings.add_messages([*map(observation_message, messages)])

    async def _calling_back(
        self, record: Record, leaked: Sequence[Observation], made_by: MadeBy, leaks: Leaks
    ) -> list[Observation]:
        found = await self._lake.readings.said_of(record.project, record.source_ref)
        said = [seen for seen in found if record_of(seen) == record]
        clean = [seen for seen in said if seen.id not in leaks.ids(record)]
        if clean:
            return [call_back(clean[0], leaks)]
        if said:
            return []
        latest, sanitiser = leaked[-1], self._sanitiser_of(record.source)
        return [withdraw(latest, _as_high(made_by, latest.made_by), sanitiser, leaks)]


async def add_letters(lake: Lake, letters: Sequence[DeadLetter]) -> None:
    """Keep what was refused, and announce it."""
    if letters:
        await lake.readings.add_dead_letters(letters)
        messages = [rejected_message(letter.rejected) for letter in letters]
        await lake.readings.add_messages(messages)


def _letters(readings: Iterable[Reading]) -> list[DeadLetter]:
    return [
        dead_letter(reading.admitted.receipt, reading.reject, reading.admitted.event)
        for reading in readings
        if reading.reject is not None
    ]


def _is_cleaner(reading: Reading, summaries: Mapping[EventKey, Summary]) -> bool:
    """Whether an earlier sanitiser had cleaned what the event said."""
    before = summaries.get(reading.key)
    if before is None or reading.made_by is None:
        return False
    return before.versions.sanitiser < reading.made_by.sanitiser


def _as_high(now: MadeBy, before: MadeBy) -> MadeBy:
    """What a model saw before counts on: else what is withdrawn would outrank the withdrawal."""
    enricher = max(now.enricher, before.enricher)
    return now.model_copy(update={"enricher": enricher})
