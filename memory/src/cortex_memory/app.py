"""The composition root: the one place where settings become connected parts."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final

import structlog
from roxabi_contracts.client.connection import Connection, connect
from roxabi_contracts.client.errors import BrokerUnavailable
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.predicates import bundled_catalogue
from roxabi_contracts.subjects import MemoryCommand, Query
from roxabi_contracts.upkeep import (
    DeadLettersRequest,
    ExportRequest,
    ForgetRequest,
    RetainRequest,
)

from cortex_memory.answer_conflicts import ConflictAnswerer
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_dead_letters import DeadLetterAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.ask_model import AskParts, ModelAsker, release_waiting
from cortex_memory.bus.changes import ChangePublisher
from cortex_memory.bus.endpoints import Endpoint, Endpoints
from cortex_memory.bus.forget import ForgetParts, ForgetWorker
from cortex_memory.bus.observations import ObservationConsumer, decode_observation
from cortex_memory.clock import SystemClock
from cortex_memory.dump import dump_journal, dump_store
from cortex_memory.embed.opening import open_embedder
from cortex_memory.embed.port import Embedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.embed_backlog import BacklogEmbedder
from cortex_memory.errors import StoreUnavailable
from cortex_memory.extractor.claims import ClaimsExtractor
from cortex_memory.extractor.openai import ModelEndpoint, OpenaiExtractor, read_prompt
from cortex_memory.faults import FaultPoint, kill_at, no_fault
from cortex_memory.load_question import QuestionLoader
from cortex_memory.log import configure_logging
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.obey_export import ExportObeyer
from cortex_memory.obey_forget import ForgetObeyer
from cortex_memory.obey_retain import RetainObeyer
from cortex_memory.read_backlog import read_backlog
from cortex_memory.rebuild import progress_on_stderr, rebuild
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.profiles import PROFILES, Profile
from cortex_memory.retain_worker import RetainParts, RetainWorker
from cortex_memory.settings import (
    ExtractorSettings,
    Settings,
    StoreSettings,
    from_environment,
)
from cortex_memory.store.changes import ChangeOutbox
from cortex_memory.store.db import Pool, open_pool, snapshot
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.migrate import migrate
from cortex_memory.store.model_usage import ModelMeter, Terms
from cortex_memory.store.projects import ProjectKeys
from cortex_memory.trace_log import TraceLog

NAME: Final = "cortex-memory"
INBOX_PREFIX: Final = "_INBOX_memory"
RETRY_SECONDS: Final = 1.0
GRACE_SECONDS: Final = 5.0
"""How long work in hand may take to end when the service is told to stop."""
ANSWERING_CONNECTIONS: Final = 8
ANSWER_PATIENCE_SECONDS: Final = 1.5
"""A caller hears that the database is down before its own patience ends."""

_log = structlog.get_logger()


async def serve() -> None:
    """Run the service until SIGTERM or SIGINT, then finish what is in hand."""
    settings = from_environment(Settings)
    configure_logging(settings.log_level)
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
    fault = no_fault if settings.fault is None else kill_at(settings.fault)
    arrived = asyncio.Event()
    async with (
        open_pool(url, size=settings.workers + 4) as pool,
        _open_recall(settings, url) as recall,
        _open_model(settings.extractor) as model,
        asyncio.TaskGroup() as tasks,
    ):
        parts = _parts(pool, settings, fault)
        if model is None:
            tasks.create_task(release_waiting(pool, stopping))
        else:
            asker = _asker(settings, model, pool, recall.embedding, arrived)
            tasks.create_task(asker.run(stopping))
        for _ in range(settings.workers):
            tasks.create_task(RetainWorker(parts).run(stopping, arrived))
        tasks.create_task(read_backlog(pool, stopping))
        tasks.create_task(BacklogEmbedder(pool, recall.embedding).run(stopping))
        tasks.create_task(recall.traces.run(stopping))
        tasks.create_task(_run_on_broker(settings, pool, recall, fault, arrived, stopping))


@dataclass(frozen=True, slots=True)
class _Recall:
    """What answers questions: a pool that no writer can exhaust, and who uses it."""

    pool: Pool
    embedding: EmbeddingService
    traces: TraceLog
    meter: ModelMeter | None
    profile: Profile
    flaggings: Mapping[str, Flagging]

    def endpoints(self, connection: Connection, commands: Sequence[Endpoint[Any]]) -> Endpoints:
        """The endpoints on a connection to the broker."""
        return Endpoints(
            connection,
            ContextAnswerer(
                self.pool,
                SystemClock(),
                bundled_catalogue(),
                self.embedding,
                self.traces,
                self.profile,
                self.flaggings,
            ),
            QueryAnswerer(self.pool, bundled_catalogue(), self.embedding, self.traces, self.meter),
            ConflictAnswerer(self.pool),
            commands,
        )


@asynccontextmanager
async def _open_recall(settings: Settings, url: str) -> AsyncIterator[_Recall]:
    def open_model() -> Embedder | None:
        return open_embedder(settings.embedder, settings.embedder_model, settings.embedder_path)

    async with open_pool(url, size=ANSWERING_CONNECTIONS, patience=ANSWER_PATIENCE_SECONDS) as pool:
        with EmbeddingService(open_model) as embedding:
            meter = _meter(settings.extractor)
            yield _Recall(
                pool,
                embedding,
                TraceLog(pool),
                meter,
                PROFILES[settings.profile],
                _flaggings(settings),
            )


def _flaggings(settings: Settings) -> dict[str, Flagging]:
    """By project, what is served with a flag instead of not at all."""
    contested = {name.strip() for name in settings.show_contested.split(",")} - {""}
    expired = {name.strip() for name in settings.show_expired.split(",")} - {""}
    return {
        project: Flagging(contested=project in contested, expired=project in expired)
        for project in contested | expired
    }


@asynccontextmanager
async def _open_model(settings: ExtractorSettings) -> AsyncIterator[OpenaiExtractor | None]:
    """The model that is asked for candidates; null: none is wanted."""
    if settings.kind == "claims":
        yield None
        return
    endpoint = ModelEndpoint(settings.model, settings.url, settings.structured, settings.timeout)
    prompt = read_prompt(settings.prompt)
    model = OpenaiExtractor(endpoint, prompt, settings.version, bundled_catalogue(), SystemClock())
    _log.info("model_ready", model=settings.model, version=model.version, digest=model.digest)
    try:
        yield model
    finally:
        await model.close()


def _meter(settings: ExtractorSettings) -> ModelMeter | None:
    if settings.kind == "claims":
        return None
    prices = (settings.input_price, settings.output_price)
    return ModelMeter(Terms(settings.model, settings.daily_tokens, *prices), SystemClock())


def _asker(
    settings: Settings,
    model: OpenaiExtractor,
    pool: Pool,
    embedding: EmbeddingService,
    answered: asyncio.Event,
) -> ModelAsker:
    meter = _meter(settings.extractor)
    assert meter is not None  # there is a model
    loader = QuestionLoader(pool, _project_keys(settings), embedding)
    wanted = settings.extractor
    parts = AskParts(pool, loader, model, meter, wanted.at_once, wanted.timeout)
    return ModelAsker(parts, answered)


async def _run_on_broker(
    settings: Settings,
    pool: Pool,
    recall: _Recall,
    fault: FaultPoint,
    arrived: asyncio.Event,
    stopping: asyncio.Event,
) -> None:
    async with _broker(settings, stopping) as connection:
        if connection is None:
            return
        asks_model = settings.extractor.kind != "claims"
        inbox = Inbox(pool, _project_keys(settings), fault, asks_model=asks_model)
        consumer = ObservationConsumer(
            connection, inbox, SystemClock(), fault, arrived, INBOX_PREFIX
        )
        publisher = ChangePublisher(connection, ChangeOutbox(pool), fault)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(consumer.run(stopping))
            tasks.create_task(publisher.run(stopping))
            asked = asyncio.Event()
            forgetter = ForgetWorker(connection, _forget_parts(settings, pool, recall, fault))
            tasks.create_task(forgetter.run(stopping, asked))
            endpoints = recall.endpoints(connection, _commands(pool, inbox, asked))
            tasks.create_task(endpoints.run(stopping))
        _log.info("bus_stopped")


def _commands(pool: Pool, inbox: Inbox, forgetting_asked: asyncio.Event) -> list[Endpoint[Any]]:
    """What operators may tell memory to do, on a pool of writers."""
    decisions = DecisionObeyer(pool, SystemClock(), bundled_catalogue())
    letters = DeadLetterAnswerer(pool, inbox, decode_observation)
    forgetting = ForgetObeyer(pool, SystemClock(), forgetting_asked)
    return [
        Endpoint(MemoryCommand.RESOLVE, DecisionRequest, decisions.decide),
        Endpoint(MemoryCommand.FORGET, ForgetRequest, forgetting.forget),
        Endpoint(Query.DEAD_LETTERS, DeadLettersRequest, letters.answer),
        Endpoint(MemoryCommand.RETAIN, RetainRequest, RetainObeyer(pool).requeue),
        Endpoint(MemoryCommand.EXPORT, ExportRequest, ExportObeyer(pool).export),
    ]


def _forget_parts(
    settings: Settings, pool: Pool, recall: _Recall, fault: FaultPoint
) -> ForgetParts:
    return ForgetParts(
        pool=pool,
        clock=SystemClock(),
        keys=_project_keys(settings),
        catalogue=bundled_catalogue(),
        traces=recall.traces,
        fault=fault,
    )


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


def _parts(pool: Pool, settings: StoreSettings, fault: FaultPoint) -> RetainParts:
    return RetainParts(
        pool=pool,
        clock=SystemClock(),
        keys=_project_keys(settings),
        catalogue=bundled_catalogue(),
        extractor=ClaimsExtractor(),
        fault=fault,
    )


def _project_keys(settings: StoreSettings) -> ProjectKeys:
    secret = settings.digest_key
    return ProjectKeys(None if secret is None else secret.get_secret_value().encode())


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


def _store_settings() -> StoreSettings:
    settings = from_environment(StoreSettings)
    configure_logging(settings.log_level)
    return settings


async def migrate_store() -> list[str]:
    """Bring the database to this version's schema; the steps applied."""
    return await migrate(_store_settings().database_url.get_secret_value())


async def dump_lines(project: str | None, now: int | None) -> list[bytes]:
    """The dump of the store, or computed from the journal at `now` (epoch ms)."""
    url = _store_settings().database_url.get_secret_value()
    async with open_pool(url, size=1) as pool, snapshot(pool) as transaction:
        if now is None:
            return await dump_store(transaction, project)
        return await dump_journal(transaction, project, bundled_catalogue(), now)


async def rebuild_store(project: str | None) -> None:
    """Compute a project, or all, anew from the journal; tell of progress on standard error."""
    settings = _store_settings()
    async with open_pool(settings.database_url.get_secret_value(), size=2) as pool:
        await rebuild(
            pool, project, RetainWorker(_parts(pool, settings, no_fault)), progress_on_stderr()
        )
