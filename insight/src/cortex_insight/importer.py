"""Imports files: splits them, publishes what the lake does not have, and waits for its answer."""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Final, Protocol

from roxabi_contracts import ActorRef, DecodeError, RawEvent
from roxabi_contracts.client import BrokerUnavailable, NoAnswer
from roxabi_contracts.errors import RequestRefused, TooLarge
from roxabi_contracts.operations import EventState, EventStatus, SourcesReply, SourcesRequest

from cortex_insight.errors import LakeSilent
from cortex_insight.event import Skipped
from cortex_insight.files import (
    FoundFile,
    Passed,
    context_of,
    find_files,
    read_pieces,
    unreadable,
)
from cortex_insight.parser import Parser

CHUNK: Final = 500
CHUNK_BYTES: Final = 8 * 1024 * 1024
"""Bodies of this size make a chunk full, however few they are."""
ASK_AT_ONCE: Final = 2000
UNREAD_AT_MOST: Final = 10_000
"""Published events that the lake has not read yet, before the import waits for it."""
POLL_SECONDS: Final = 0.3
PATIENCE_SECONDS: Final = 60.0
"""How long the lake may answer nothing, or read nothing, before the import gives up."""


@dataclass
class Progress:
    """Where an import stands."""

    files: int = 0
    events: int = 0
    known: int = 0
    """Events that the lake had before, or that were erased."""
    erased: int = 0
    """Events that were forgotten, and do not come back."""
    published: int = 0
    observations: int = 0
    """What the published events say."""
    rejected: int = 0
    skipped: int = 0
    """Records and files that became no event."""
    done: bool = False
    reasons: Counter[str] = field(default_factory=Counter[str])
    """Why records were skipped and events rejected."""

    def as_json(self) -> str:
        """One line for programs."""
        return json.dumps(vars(self))


@dataclass(frozen=True)
class Job:
    """What to import, and whose memory it goes to."""

    parser: Parser
    paths: Sequence[Path]
    project: str
    owner: ActorRef


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
        self._unread: dict[str, None] = {}

    async def run(self, job: Job) -> Progress:
        """Import everything; once more imports nothing.

        Raises:
            LakeSilent: the lake does not answer, or stopped reading.
            ClientError: the broker cannot be used.
            OSError: a path that was named does not exist.
        """
        events = self._events(job)
        while not self._stopping.is_set() and (chunk := _next_chunk(events)):
            self._progress.events += len(chunk)
            await self._publish_unknown(job.project, chunk)
            await self._learn(job.project, UNREAD_AT_MOST)
            self._report(self._progress)
        await self._learn(job.project, 0)
        self._progress.done = not self._stopping.is_set()
        self._report(self._progress)
        return self._progress

    def _events(self, job: Job) -> Iterator[RawEvent]:
        for found in find_files(job.paths):
            if isinstance(found, Passed):
                self._skip(found.reason)
                continue
            try:
                yield from self._split(found, job)
            except OSError as error:
                self._skip(unreadable("file", error))
            self._progress.files += 1

    def _split(self, found: FoundFile, job: Job) -> Iterator[RawEvent]:
        context = context_of(found, job.project, job.owner)
        for item in job.parser.split(read_pieces(found.path), context):
            if isinstance(item, Skipped):
                self._skip(item.reason)
            else:
                yield item

    async def _publish_unknown(self, project: str, events: dict[str, RawEvent]) -> None:
        statuses = await self._ask(project, [*events])
        unknown = [status.event_id for status in statuses if status.state is EventState.UNKNOWN]
        self._progress.known += len(statuses) - len(unknown)
        self._progress.erased += sum(one.state is EventState.ERASED for one in statuses)
        sent = await asyncio.gather(*(self._publish(events[event_id]) for event_id in unknown))
        for event_id, is_sent in zip(unknown, sent, strict=True):
            if is_sent:
                self._progress.published += 1
                self._unread[event_id] = None

    async def _publish(self, event: RawEvent) -> bool:
        try:
            await self._producer.publish(event)
        except TooLarge:
            self._skip("the record is longer than the broker takes")
            return False
        except DecodeError:
            self._skip("the record holds text that cannot be kept")
            return False
        return True

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
        del self._unread[status.event_id]
        self._progress.observations += status.observations
        self._progress.erased += status.state is EventState.ERASED
        if status.state is EventState.REJECTED:
            self._progress.rejected += 1
            self._progress.reasons[status.reason or "unknown reason"] += 1

    async def _ask(self, project: str, event_ids: Sequence[str]) -> Sequence[EventStatus]:
        asked = SourcesRequest(project=project, event_ids=tuple(event_ids))
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                return await self._ask_until_answered(asked)
        except TimeoutError as error:
            raise LakeSilent("the lake does not answer: is it running?") from error

    async def _ask_until_answered(self, asked: SourcesRequest) -> Sequence[EventStatus]:
        while True:
            try:
                return (await self._lake.sources(asked)).events
            except (NoAnswer, BrokerUnavailable):
                await asyncio.sleep(POLL_SECONDS)
            except RequestRefused as refusal:
                if not refusal.reply.retryable:
                    raise
                await asyncio.sleep(POLL_SECONDS)

    def _skip(self, reason: str) -> None:
        self._progress.skipped += 1
        self._progress.reasons[reason] += 1


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
