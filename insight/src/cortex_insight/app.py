"""The composition root: builds the service from its parts, and runs it until told to stop."""

import asyncio
import signal
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version
from typing import Any, Final, TypeVar

import structlog
from roxabi_contracts.client import Connection, LakeClient, ProducerClient, connect
from roxabi_contracts.operations import EventState, SourcesRequest
from roxabi_contracts.subjects import EVENTS_REJECTED, OBSERVATIONS, InsightCommand
from roxabi_contracts.upkeep import DeadLettersRequest, LakeForgetRequest, ReplayRequest

from cortex_insight.bus.bodies import BodyReader, BodySweeper
from cortex_insight.bus.commands import Command, Commands
from cortex_insight.bus.events import EventConsumer
from cortex_insight.bus.stream import StreamSender
from cortex_insight.bus.sweep import StreamSweeper
from cortex_insight.clock import now
from cortex_insight.collect import Job
from cortex_insight.configure import configured_model, source_configs
from cortex_insight.dead_letters import DeadLetters
from cortex_insight.dry_run import dry_run
from cortex_insight.errors import StoreUnavailable
from cortex_insight.forget import Forgetter
from cortex_insight.importer import Importer
from cortex_insight.ingest import Ingest
from cortex_insight.loop import repeat
from cortex_insight.outbox import Receipt
from cortex_insight.progress import Progress
from cortex_insight.publisher import Publisher
from cortex_insight.reader import Reader
from cortex_insight.record_readings import ReadingRecorder
from cortex_insight.replay import Replay
from cortex_insight.settings import (
    ClientBrokerSettings,
    EventSettings,
    ReadingSettings,
    ServiceBrokerSettings,
    StoreSettings,
)
from cortex_insight.store.db import Database
from cortex_insight.store.dead_letters import DeadLetterStore
from cortex_insight.store.lake import open_lake
from cortex_insight.store.migrate import migrate
from cortex_insight.store.outbox import Outbox
from cortex_insight.store.replay import ReplayStore
from cortex_insight.store.sources import Sources

NAME: Final = "cortex-insight"
INBOX_PREFIX: Final = "_INBOX_insight"
GRACE_SECONDS: Final = 5.0
"""How long a step that is under way may take to end when the service is told to stop."""
RETRY_SECONDS: Final = 1.0

Result = TypeVar("Result")


@dataclass(frozen=True)
class Loop:
    """Something to do again and again."""

    name: str
    step: Callable[[], Awaitable[None]]


async def migrate_when_up() -> None:
    """Bring the database to today's schema, as soon as it is there."""
    log = structlog.get_logger()
    database_url = StoreSettings().database_url.get_secret_value()
    while True:
        try:
            applied = await migrate(database_url)
        except StoreUnavailable as error:
            log.warning("waiting_for_database", fault=str(error))
            await asyncio.sleep(RETRY_SECONDS)
        else:
            log.info("database_migrated", applied=applied)
            return


async def serve() -> None:
    """Run the service until SIGTERM or SIGINT; waits for a database or broker that is away."""
    stopping = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stopping.set)
    log = structlog.get_logger()
    async with AsyncExitStack() as stack:
        loops = await _unless_stopped(_start(stack), stopping)
        if loops is not None:
            log.info("ready")
            await _run(loops, stopping)
    log.info("stopped")


async def run_import(
    job: Job, report: Callable[[Progress], None], *, follow: bool = False
) -> Progress:
    """Import files until done or interrupted; to follow them, until interrupted.

    Raises:
        InsightError, ContractError, OSError: as `Importer.run`.
    """
    settings = ClientBrokerSettings()
    stopping = asyncio.Event()
    _stop_at_first_interrupt(stopping)
    connection = await connect(
        settings.nats_url,
        name="cortex-insight-import",
        seed_file=settings.nats_seed_file,
        inbox_prefix=settings.nats_inbox_prefix,
    )
    try:
        producer, lake = ProducerClient(connection), LakeClient(connection)
        importer = Importer(producer, lake, report, stopping)
        return await (importer.follow(job) if follow else importer.run(job))
    finally:
        await connection.close()


def _stop_at_first_interrupt(stopping: asyncio.Event) -> None:
    loop = asyncio.get_running_loop()

    def stop() -> None:
        stopping.set()
        loop.remove_signal_handler(signal.SIGINT)  # the second one ends the process at once

    loop.add_signal_handler(signal.SIGINT, stop)


def parse_lines(job: Job) -> Iterator[str]:
    """What files say, as JSON lines: observations, rejections, skipped records.

    Raises:
        OSError: a file cannot be read.
    """
    reader = Reader(source_configs(ReadingSettings()))
    return dry_run(reader, job, received_at=now())


async def _start(stack: AsyncExitStack) -> list[Loop]:
    """Build everything, wait for what is needed, and answer commands; the loops to run."""
    reader = Reader(source_configs(ReadingSettings()))
    await migrate_when_up()
    database_url = StoreSettings().database_url.get_secret_value()
    database = await stack.enter_async_context(Database(database_url))
    connection = await _connect(ServiceBrokerSettings())
    stack.push_async_callback(connection.close)
    asked = configured_model()
    if asked is not None:
        stack.push_async_callback(asked.model.close)
    recorder = ReadingRecorder(reader)
    ingest = Ingest(open_lake(database), recorder)
    replay = Replay(open_lake(database), ReplayStore(database), recorder)
    sources = Sources(database, None if asked is None else asked.meter)
    commands = Commands(_commands(database, connection, ingest, replay, sources))
    await commands.start(connection.client, version(NAME))
    stack.push_async_callback(commands.stop)
    queued = {subject: asyncio.Event() for subject in (OBSERVATIONS, EVENTS_REJECTED)}
    consumer = _consumer(connection, ingest, sources, queued)
    stack.push_async_callback(consumer.stop)
    orphaned = timedelta(seconds=EventSettings().orphan_seconds)
    loops = [
        Loop("ingest", consumer.step),
        Loop("sweep bodies", BodySweeper(connection.client, orphaned, now).step),
        *_publishing(database, connection, queued),
    ]
    if asked is not None:
        loops.append(Loop("ask model", asked.asker(database, recorder).step))
    return loops


def _commands(
    database: Database,
    connection: Connection,
    ingest: Ingest,
    replay: Replay,
    sources: Sources,
) -> list[Command[Any]]:
    """What operators and memory may tell the lake."""
    sweeper = StreamSweeper(connection.client, database)
    forgetter = Forgetter(database, sweeper.sweep)
    letters = DeadLetters(DeadLetterStore(database), ingest, replay)
    return [
        Command(InsightCommand.SOURCES, SourcesRequest, sources.answer),
        Command(InsightCommand.FORGET, LakeForgetRequest, forgetter.forget),
        Command(InsightCommand.DEAD_LETTERS, DeadLettersRequest, letters.answer),
        Command(InsightCommand.REPLAY, ReplayRequest, replay.answer),
    ]


def _consumer(
    connection: Connection,
    ingest: Ingest,
    sources: Sources,
    queued: Mapping[str, asyncio.Event],
) -> EventConsumer:
    async def take(receipts: Sequence[Receipt]) -> Collection[int]:
        stored = await ingest.take(receipts)
        for event in queued.values():
            event.set()
        return stored.erased

    async def is_known(project: str, event_id: str) -> bool:
        asked = SourcesRequest(project=project, event_ids=(event_id,))
        (status,) = (await sources.answer(asked)).events
        return status.state is not EventState.UNKNOWN

    bodies = BodyReader(connection.client, EventSettings().maximum_event_bytes, is_known)
    return EventConsumer(connection.client, take, bodies)


def _publishing(
    database: Database, connection: Connection, queued: Mapping[str, asyncio.Event]
) -> list[Loop]:
    sender, outbox = StreamSender(connection.client), Outbox(database)
    sends = {OBSERVATIONS: sender.send_together, EVENTS_REJECTED: sender.send_each}
    return [
        Loop(f"publish {subject}", Publisher(outbox, send, subject, queued[subject]).step)
        for subject, send in sends.items()
    ]


async def _run(loops: Sequence[Loop], stopping: asyncio.Event) -> None:
    """Run the loops; once told to stop, let each finish its step, for a while."""
    tasks = [asyncio.create_task(repeat(loop.name, loop.step, stopping)) for loop in loops]
    await stopping.wait()
    _, unfinished = await asyncio.wait(tasks, timeout=GRACE_SECONDS)
    for task in unfinished:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _unless_stopped(
    starting: Coroutine[Any, Any, Result], stopping: asyncio.Event
) -> Result | None:
    task = asyncio.create_task(starting)
    stopped = asyncio.create_task(stopping.wait())
    await asyncio.wait({task, stopped}, return_when=asyncio.FIRST_COMPLETED)
    stopped.cancel()
    if not task.done():
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        return None
    return task.result()


async def _connect(settings: ServiceBrokerSettings) -> Connection:
    log = structlog.get_logger()

    async def report(error: Exception) -> None:
        log.warning("broker_error", fault=type(error).__name__, detail=str(error))

    return await connect(
        settings.nats_url,
        name=NAME,
        seed_file=settings.nats_seed_file,
        inbox_prefix=INBOX_PREFIX,
        wait=True,
        on_error=report,
    )
