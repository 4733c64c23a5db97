"""The service: every part of it at work until it is told to stop."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

import structlog
from roxabi_contracts.catalogues import catalogues_with
from roxabi_contracts.client.connection import Connection, connect
from roxabi_contracts.client.errors import BrokerUnavailable

from cortex_memory.ask_model import release_waiting
from cortex_memory.assembly import (
    Recall,
    commands,
    forget_parts,
    model_asker,
    open_model,
    open_recall,
    project_keys,
    retain_parts,
)
from cortex_memory.bus.changes import ChangePublisher
from cortex_memory.bus.forget import ForgetWorker
from cortex_memory.bus.observations import ObservationConsumer
from cortex_memory.clock import SystemClock
from cortex_memory.embed_backlog import BacklogEmbedder
from cortex_memory.errors import StoreUnavailable
from cortex_memory.faults import FaultPoint, faults
from cortex_memory.garbage import collect_rarely
from cortex_memory.log import configure_logging
from cortex_memory.notice_catalogues import notice_catalogues
from cortex_memory.read_backlog import read_backlog
from cortex_memory.retain_worker import RetainWorker
from cortex_memory.settings import Settings, from_environment
from cortex_memory.store.changes import ChangeOutbox
from cortex_memory.store.db import Pool, open_pool
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.migrate import migrate

NAME: Final = "cortex-memory"
INBOX_PREFIX: Final = "_INBOX_memory"
RETRY_SECONDS: Final = 1.0
GRACE_SECONDS: Final = 5.0
"""How long work in hand may take to end when the service is told to stop."""

_log = structlog.get_logger()


async def serve() -> None:
    """Run the service until SIGTERM or SIGINT, then finish what is in hand."""
    settings = from_environment(Settings)
    configure_logging(settings.log_level)
    catalogues_with(settings.predicates)  # a bad file is told before anything is taken in
    stopping = asyncio.Event()
    with _stopped_by_signals(stopping):
        await until_stopped(settings, stopping)
    _log.info("stopped")


async def until_stopped(settings: Settings, stopping: asyncio.Event) -> None:
    """Run every part of the service; neither a database nor a broker that is down ends it.

    What is in hand when it has to stop may end, for a while: what is given up then was not
    committed, so it was not acknowledged either, and comes again.
    """
    try:
        async with asyncio.timeout(None) as limit, asyncio.TaskGroup() as tasks:
            limiting = tasks.create_task(_limit(limit, stopping))
            await _run(settings, stopping)
            limiting.cancel()
    except TimeoutError:
        _log.warning("given_up", after_seconds=GRACE_SECONDS)


async def _limit(limit: asyncio.Timeout, stopping: asyncio.Event) -> None:
    await stopping.wait()
    limit.reschedule(asyncio.get_running_loop().time() + GRACE_SECONDS)


async def _run(settings: Settings, stopping: asyncio.Event) -> None:
    url = settings.database_url.get_secret_value()
    if not await _migrate_when_there(url, stopping):
        return
    fault = faults(settings.fault, settings.stops)
    arrived = asyncio.Event()
    async with (
        open_pool(url, size=settings.workers + 4) as pool,
        open_recall(settings, url) as recall,
        open_model(settings) as model,
        asyncio.TaskGroup() as tasks,
    ):
        collect_rarely()
        parts = retain_parts(pool, settings, fault, recall.embedding)
        if model is None:
            tasks.create_task(release_waiting(pool, stopping))
        else:
            asker = model_asker(settings, model, pool, recall.embedding, arrived)
            tasks.create_task(asker.run(stopping))
        for _ in range(settings.workers):
            tasks.create_task(RetainWorker(parts).run(stopping, arrived))
        tasks.create_task(notice_catalogues(pool, recall.catalogues, stopping))
        tasks.create_task(read_backlog(pool, stopping))
        tasks.create_task(BacklogEmbedder(pool, recall.embedding).run(stopping))
        tasks.create_task(recall.traces.run(stopping))
        tasks.create_task(_run_on_broker(settings, pool, recall, fault, arrived, stopping))


async def _run_on_broker(
    settings: Settings,
    pool: Pool,
    recall: Recall,
    fault: FaultPoint,
    arrived: asyncio.Event,
    stopping: asyncio.Event,
) -> None:
    async with _broker(settings, stopping) as connection:
        if connection is None:
            return
        asks_model = settings.extractor.kind != "claims"
        inbox = Inbox(
            pool,
            project_keys(settings),
            fault,
            asks_model=asks_model,
            model_sources=settings.extractor.sources,
        )
        consumer = ObservationConsumer(connection, inbox, SystemClock(), fault, arrived)
        publisher = ChangePublisher(connection, ChangeOutbox(pool), fault)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(consumer.run(stopping))
            tasks.create_task(publisher.run(stopping))
            asked = asyncio.Event()
            forgetter = ForgetWorker(connection, forget_parts(settings, pool, recall, fault))
            tasks.create_task(forgetter.run(stopping, asked))
            commanded = commands(pool, inbox, asked, recall.catalogues, project_keys(settings))
            endpoints = recall.endpoints(connection, commanded)
            tasks.create_task(endpoints.run(stopping))
        _log.info("bus_stopped")


@asynccontextmanager
async def _broker(settings: Settings, stopping: asyncio.Event) -> AsyncIterator[Connection | None]:
    """The connection to the broker as soon as there is one; null: told to stop before."""
    connection = None
    while connection is None and not stopping.is_set():
        try:
            connection = await connect(
                settings.nats_url,
                name=NAME,
                seed_file=settings.nats_seed_file,
                inbox_prefix=INBOX_PREFIX,
                on_error=_note_broker_error,
            )
        except BrokerUnavailable as error:
            _log.warning("broker_awaited", reason=str(error))
            await asyncio.sleep(RETRY_SECONDS)
    try:
        yield connection
    finally:
        if connection is not None:
            await connection.close()


async def _note_broker_error(error: Exception) -> None:
    _log.warning("broker_error", reason=str(error) or repr(error))


async def _migrate_when_there(url: str, stopping: asyncio.Event) -> bool:
    """Migrate as soon as the database is there; false: told to stop before."""
    while not stopping.is_set():
        try:
            applied = await migrate(url)
        except StoreUnavailable as error:
            _log.warning("database_awaited", reason=str(error).strip())
            await asyncio.sleep(RETRY_SECONDS)
        else:
            _log.info("database_ready", applied=applied)
            return True
    return False


@contextmanager
def _stopped_by_signals(stopping: asyncio.Event) -> Iterator[None]:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stopping.set)
    try:
        yield
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
