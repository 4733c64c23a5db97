"""Imports files: publishes what the lake does not have of them, and waits for its answer."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice
from typing import Final, Protocol

from roxabi_contracts import DecodeError, RawEvent
from roxabi_contracts.client import BrokerUnavailable, NoAnswer
from roxabi_contracts.codec import MAXIMUM_EVENT
from roxabi_contracts.errors import RequestRefused, TooLarge
from roxabi_contracts.operations import EventState, EventStatus, SourcesReply, SourcesRequest

from cortex_insight.collect import Finished, Job, LeftOut, collect, total_bytes
from cortex_insight.errors import LakeSilent
from cortex_insight.files import Found, find_files
from cortex_insight.progress import Progress
from cortex_insight.watch import Settled, Watch

CHUNK: Final = 500
CHUNK_BYTES: Final = 8 * 1024 * 1024
"""Bodies of this size make a chunk full, however few they are."""
ASK_AT_ONCE: Final = 2000
UNREAD_AT_MOST: Final = 10_000
"""Published events that the lake has not read yet, before the import waits for it."""
POLL_SECONDS: Final = 0.3
WATCH_SECONDS: Final = 2.0
"""Between two looks at a folder that is followed."""
PATIENCE_SECONDS: Final = 60.0
"""How long the lake may answer nothing, or read nothing, before the import gives up."""


class Producer(Protocol):
    """Publishes events."""

    async def publish(self, event: RawEvent) -> bool:
        """Publish an event and wait until it is stored."""
        ...


class LakeAnswers(Protocol):
    """Knows which events were read."""

    async def sources(self, asked: SourcesRequest) -> SourcesReply:
        """What became of the events asked for."""
        ...


class Importer:
    """Imports files through the same door as every producer.

    Args:
        producer: Publishes events.
        lake: Knows which events were read.
        report: Told of the progress after every step.
        stopping: Set to end early; what is published stays published.
    """

    def __init__(
        self,
        producer: Producer,
        lake: LakeAnswers,
        report: Callable[[Progress], None],
        stopping: asyncio.Event,
    ) -> None:
        self._producer = producer
        self._lake = lake
        self._report = report
        self._stopping = stopping
        self._progress = Progress()
        self._unread: dict[str, str] = {}
        self._settled = Settled()

    async def run(self, job: Job) -> Progress:
        """Import everything; once more imports nothing.

        Raises:
            LakeSilent: the lake does not answer, or stopped reading.
            ClientError: the broker cannot be used.
            OSError: a path that was named does not exist.
        """
        self._progress.total_bytes = total_bytes(job.paths)
        before = await self._unknown_types(job.project)
        await self._bring(job, find_files(job.paths))
        self._progress.unknown_types = await self._unknown_types(job.project) - before
        self._progress.done = not self._stopping.is_set()
        self._report(self._progress)
        return self._progress

    async def follow(self, job: Job) -> Progress:
        """Import everything, and what is added to it, until stopped.

        Raises:
            LakeSilent, ClientError, OSError: as `run`.
        """
        watch = Watch()
        watch.changed(find_files(job.paths))
        self._settled.remember = True
        await self.run(job)
        while not self._stopping.is_set():
            changed = watch.changed(find_files(job.paths))
            if changed:
                self._progress.total_bytes += sum(found.size for found in changed)
                await self._bring(job, changed)
                self._report(self._progress)
            await self._rest(WATCH_SECONDS)
        return self._progress

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stopping.wait()

    async def _bring(self, job: Job, files: Iterable[Found]) -> None:
        events = self._events(job, files)
        while not self._stopping.is_set() and (chunk := _next_chunk(events)):
            new = {name: event for name, event in chunk.items() if self._settled.is_new(name)}
            self._progress.events += len(new)
            self._progress.sources.update(event.source for event in new.values())
            await self._publish_unknown(job.project, new)
            await self._learn(job.project, UNREAD_AT_MOST)
            self._report(self._progress)
        await self._learn(job.project, 0)

    def _events(self, job: Job, files: Iterable[Found]) -> Iterator[RawEvent]:
        for item in collect(job, files, self._progress.read):
            match item:
                case LeftOut():
                    if self._settled.is_new(item):
                        self._progress.leave_out(item)
                case Finished():
                    self._progress.files += 1
                case _:
                    yield item

    async def _unknown_types(self, project: str) -> Counter[str]:
        """How often the lake met record types that no parser knows."""
        reply = await self._request(SourcesRequest(project=project))
        return Counter(
            {
                f"{source.source} {kind}": count
                for source in reply.sources
                for kind, count in source.record_types.items()
            }
        )

    async def _publish_unknown(self, project: str, events: dict[str, RawEvent]) -> None:
        statuses = await self._ask(project, [*events])
        unknown = [status.event_id for status in statuses if status.state is EventState.UNKNOWN]
        self._progress.known += len(statuses) - len(unknown)
        self._progress.erased += sum(one.state is EventState.ERASED for one in statuses)
        sent = await asyncio.gather(*(self._publish(events[event_id]) for event_id in unknown))
        for event_id, is_sent in zip(unknown, sent, strict=True):
            if is_sent:
                self._progress.published += 1
                self._unread[event_id] = _place(events[event_id])

    async def _publish(self, event: RawEvent) -> bool:
        try:
            await self._producer.publish(event)
        except TooLarge:
            self._refuse(event, f"the record is longer than {MAXIMUM_EVENT >> 20} MB")
            return False
        except DecodeError:
            self._refuse(event, "the record holds text that cannot be kept")
            return False
        return True

    def _refuse(self, event: RawEvent, reason: str) -> None:
        self._progress.leave_out(LeftOut(_place(event), reason))

    async def _learn(self, project: str, unread_at_most: int) -> None:
        """Ask what became of published events, until few enough are unread."""
        waited = 0.0
        while self._unread and not self._stopping.is_set():
            before = len(self._unread)
            for status in await self._ask(project, [*islice(self._unread, ASK_AT_ONCE)]):
                self._note(status)
            if len(self._unread) <= unread_at_most:
                return
            self._report(self._progress)
            if len(self._unread) < before:
                waited = 0.0
                continue
            waited += POLL_SECONDS
            if waited > PATIENCE_SECONDS:
                raise LakeSilent(f"the lake has not read {before} events; they are not lost")
            await asyncio.sleep(POLL_SECONDS)

    def _note(self, status: EventStatus) -> None:
        if status.state is EventState.UNKNOWN:
            return
        place = self._unread.pop(status.event_id)
        self._progress.observations += status.observations
        self._progress.erased += status.state is EventState.ERASED
        if status.state is EventState.REJECTED:
            self._progress.reject(place, status.reason or "unknown reason")

    async def _ask(self, project: str, event_ids: Sequence[str]) -> Sequence[EventStatus]:
        asked = SourcesRequest(project=project, event_ids=tuple(event_ids))
        return (await self._request(asked)).events

    async def _request(self, asked: SourcesRequest) -> SourcesReply:
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._ask_until_answered(asked)
        except TimeoutError as error:
            raise LakeSilent("the lake does not answer: is it running?") from error

    async def _ask_until_answered(self, asked: SourcesRequest) -> SourcesReply:
        while True:
            try:
                return await self._lake.sources(asked)
            except (NoAnswer, BrokerUnavailable):
                await asyncio.sleep(POLL_SECONDS)
            except RequestRefused as refusal:
                if not refusal.reply.retryable:
                    raise
                await asyncio.sleep(POLL_SECONDS)


def _place(event: RawEvent) -> str:
    return f"{event.source} {event.source_ref}"


def _next_chunk(events: Iterator[RawEvent]) -> dict[str, RawEvent]:
    """The next events by their id, few enough to be held at once; a repeated one counts once."""
    chunk: dict[str, RawEvent] = {}
    size = 0
    for event in events:
        chunk[event.event_id] = event
        size += len(event.body.to_bytes())
        if len(chunk) >= CHUNK or size >= CHUNK_BYTES:
            break
    return chunk
