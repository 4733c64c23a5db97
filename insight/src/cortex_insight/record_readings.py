"""Reads events inside a transaction of the lake, and records what came of it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from roxabi_contracts import Observation

from cortex_insight.admit import Admitted
from cortex_insight.reader import NEIGHBOURS_PER_KEY, Reader, presence_of
from cortex_insight.reading import EventKey, Links, Reading, Summary, source_of
from cortex_insight.store.asking import answers_to, set_questions
from cortex_insight.store.lake import Lake
from cortex_insight.write_readings import ReadingWriter

Events = Mapping[EventKey, Admitted]


@dataclass(frozen=True)
class Recorded:
    """Readings that were recorded, beside what stood before."""

    readings: Sequence[Reading] = ()
    summaries: Mapping[EventKey, Summary] = field(default_factory=dict[EventKey, Summary])
    """Of those events that had been read before."""
    said_before: Mapping[EventKey, Sequence[Observation]] = field(
        default_factory=dict[EventKey, Sequence[Observation]]
    )
    withdrawn: Sequence[Observation] = ()
    """What was said before and is said by no event now."""
    kept: Collection[EventKey] = ()
    """Events that later versions have read: theirs stands."""
    refused: int = 0
    """Events whose reading the database refuses; the former one stands."""


class ReadingRecorder:
    """Reads with today's parsers, whether an event is new or known.

    Args:
        reader: Reads events.
    """

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def links(self, events: Events) -> dict[EventKey, Links]:
        """How each of the events hangs together with others."""
        return {key: self._reader.links(item) for key, item in events.items()}

    async def record(
        self, lake: Lake, fresh: Events, known: Events, links: Mapping[EventKey, Links]
    ) -> Recorded:
        """Read events, and others that their keys concern, each in its former reading's place.

        Args:
            lake: Open in a transaction, with the sources of linked events locked.
            fresh: Events that were stored just now.
            known: Events that were stored before.
            links: Of all of them.
        """
        summaries = await lake.readings.summaries(known.keys())
        again = self._not_outranked(known, summaries)
        kept = known.keys() - again.keys()
        concerned = await _set_links(lake, {**fresh, **again}, links, again.keys())
        more = await lake.events(concerned - fresh.keys() - known.keys())
        summaries |= await lake.readings.summaries(more.keys())
        again |= self._not_outranked(more, summaries)
        had_model = {key for key in again if key in summaries and summaries[key].versions.has_model}
        readings = await self._read(
            lake, {**fresh, **again}, {**links, **self.links(more)}, had_model
        )
        await set_questions(lake.transaction, readings, self._asked_about(again))
        writer = ReadingWriter(lake, self._reader.sanitiser_of)
        written = await writer.write(readings, again.keys(), summaries)
        return Recorded(readings, summaries, written.said_before, written.withdrawn, kept)

    def _not_outranked(
        self, known: Events, summaries: Mapping[EventKey, Summary]
    ) -> dict[EventKey, Admitted]:
        """Those that no later version has read."""
        return {
            key: item
            for key, item in known.items()
            if key not in summaries
            or summaries[key].versions
            <= self._reader.versions(item.event.source, had_model=summaries[key].versions.has_model)
        }

    async def _read(
        self,
        lake: Lake,
        pending: Events,
        links: Mapping[EventKey, Links],
        had_model: Collection[EventKey],
    ) -> list[Reading]:
        providers = await lake.providers({key for key in pending if links[key].needs})
        wanted = {
            EventKey(key.project, name)
            for key, by_digest in providers.items()
            for names in by_digest.values()
            for name in names[:NEIGHBOURS_PER_KEY]
        }
        events = {**pending, **await lake.events(wanted - pending.keys())}
        answers = await answers_to(lake.transaction, self._asked_about(pending) | {*had_model})
        return [
            self._reader.read(
                item,
                replace(
                    presence_of(key, links[key], providers.get(key, {}), events),
                    answers=answers.get(key, {}),
                    had_model=key in had_model,
                ),
            )
            for key, item in pending.items()
        ]

    def _asked_about(self, events: Events) -> set[EventKey]:
        """Those that a model reads, too."""
        return {key for key, item in events.items() if self._reader.asks_about(item.event.source)}


async def lock_known(lake: Lake, events: Collection[EventKey]) -> Events:
    """Those of the events that the lake has; nobody else reads or erases them until the end."""
    await lake.hold_off_erasures(events)
    known = await lake.events(events)
    await lake.lock_sources({source_of(item) for item in known.values()})
    return known


async def lock_linked(lake: Lake, events: Events, links: Mapping[EventKey, Links]) -> None:
    """Only linked events depend on what another writer does at the same time."""
    linked = {source_of(item) for key, item in events.items() if _are_any(links[key])}
    if linked:
        await lake.lock_sources(linked)


def _are_any(links: Links) -> bool:
    return bool(links.provides or links.needs)


async def _set_links(
    lake: Lake, events: Events, links: Mapping[EventKey, Links], again: Collection[EventKey]
) -> set[EventKey]:
    """Store the keys of these events; the events that this concerns."""
    linked = {
        key: (source_of(item), links[key]) for key, item in events.items() if _are_any(links[key])
    }
    return await lake.set_links(linked, again) if linked or again else set()
