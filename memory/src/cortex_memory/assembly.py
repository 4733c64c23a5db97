"""The composition root: the one place where settings become connected parts."""

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

import structlog
from roxabi_contracts.catalogues import Catalogues, catalogues_with
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.identities import EntitiesRequest, LinkRequest
from roxabi_contracts.names import PredicatesRequest, VerdictRequest
from roxabi_contracts.subjects import MemoryCommand, Query
from roxabi_contracts.upkeep import (
    DeadLettersRequest,
    ExportRequest,
    ForgetRequest,
    RetainRequest,
)

from cortex_memory.answer_conflicts import ConflictAnswerer
from cortex_memory.answer_context import AT_ONCE, ContextAnswerer
from cortex_memory.answer_dead_letters import DeadLetterAnswerer
from cortex_memory.answer_entities import EntityAnswerer
from cortex_memory.answer_predicates import PredicateAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.ask_model import AskParts, ModelAsker
from cortex_memory.bus.endpoints import Endpoint, Endpoints
from cortex_memory.bus.forget import ForgetParts
from cortex_memory.bus.observations import decode_observation
from cortex_memory.calibrate.limits import read_limits
from cortex_memory.calibrate.shipped import shipped_data
from cortex_memory.clock import SystemClock
from cortex_memory.embed.opening import open_embedder
from cortex_memory.embed.port import Embedder
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.extractor.openai import ModelEndpoint, OpenaiExtractor, read_prompt
from cortex_memory.faults import FaultPoint
from cortex_memory.judge_names import JudgeParts, NameJudge, warn_if_unmeasured
from cortex_memory.load_question import QuestionLoader
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.obey_export import ExportObeyer
from cortex_memory.obey_forget import ForgetObeyer
from cortex_memory.obey_link import LinkObeyer
from cortex_memory.obey_retain import RetainObeyer
from cortex_memory.obey_verdict import VerdictObeyer
from cortex_memory.recall.filters import Flagging
from cortex_memory.recall.profiles import PROFILES, Profile
from cortex_memory.retain_batch import RetainParts
from cortex_memory.settings import (
    ExtractorSettings,
    RetainSettings,
    Settings,
    StoreSettings,
)
from cortex_memory.store.db import AT_LEISURE, SEARCHING, Pool, open_pool
from cortex_memory.store.inbox import Inbox
from cortex_memory.store.model_usage import ModelMeter, Terms
from cortex_memory.store.projects import ProjectKeys
from cortex_memory.trace_log import TraceLog
from cortex_memory.vector_shelves import VectorShelves

SEARCHING_CONNECTIONS: Final = 2 * AT_ONCE
"""Two for every request for context that is looked up."""
ANSWERING_CONNECTIONS: Final = 4
"""For all else that is asked."""
TRACING_CONNECTIONS: Final = 2
MEGABYTE: Final = 1_000_000
ANSWER_PATIENCE_SECONDS: Final = 1.5
"""A caller hears that the database is down before its own patience ends."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Recall:
    """What answers questions: pools that no writer can exhaust, and who uses them.

    `searching` is that of requests for context, `pool` that of all else.
    """

    pool: Pool
    searching: Pool
    embedding: EmbeddingService
    traces: TraceLog
    meter: ModelMeter | None
    profile: Profile
    flaggings: Mapping[str, Flagging]
    catalogues: Catalogues
    shelves: VectorShelves

    def endpoints(self, connection: Connection, commands: Sequence[Endpoint[Any]]) -> Endpoints:
        """The endpoints on a connection to the broker."""
        return Endpoints(
            connection,
            ContextAnswerer(
                self.searching,
                SystemClock(),
                self.catalogues,
                self.embedding,
                self.traces,
                self.profile,
                self.flaggings,
                shelves=self.shelves,
            ),
            QueryAnswerer(self.pool, self.catalogues, self.embedding, self.traces, self.meter),
            ConflictAnswerer(self.pool),
            commands,
        )


@asynccontextmanager
async def open_recall(settings: Settings, url: str) -> AsyncIterator[Recall]:
    """What answers questions, with the embedding model open."""
    patience = ANSWER_PATIENCE_SECONDS
    async with (
        open_pool(url, ANSWERING_CONNECTIONS, patience) as pool,
        open_pool(url, SEARCHING_CONNECTIONS, patience, planning=SEARCHING) as searching,
        open_pool(url, TRACING_CONNECTIONS, patience, planning=AT_LEISURE) as tracing,
    ):
        with EmbeddingService(partial(open_configured_embedder, settings)) as embedding:
            meter = _meter(settings.extractor)
            floor = settings.relevance_floor
            shelves = VectorShelves(pool, settings.vectors_mb * MEGABYTE)
            try:
                yield Recall(
                    pool,
                    searching,
                    embedding,
                    TraceLog(tracing),
                    meter,
                    replace(PROFILES[settings.profile], relevance_floor=floor),
                    _flaggings(settings),
                    catalogues_with(settings.predicates),
                    shelves,
                )
            finally:
                await shelves.close()


def open_configured_embedder(settings: RetainSettings) -> Embedder | None:
    """The embedding model, told if it cannot match names; null: none is wanted.

    Raises:
        EmbedderUnavailable: it cannot be opened.
    """
    opened = open_embedder(settings.embedder, settings.embedder_model, settings.embedder_path)
    warn_if_unmeasured(opened, read_limits(shipped_data()))
    return opened


def _flaggings(settings: Settings) -> dict[str, Flagging]:
    """By project, what is served with a flag instead of not at all."""
    contested = {name.strip() for name in settings.show_contested.split(",")} - {""}
    expired = {name.strip() for name in settings.show_expired.split(",")} - {""}
    return {
        project: Flagging(contested=project in contested, expired=project in expired)
        for project in contested | expired
    }


@asynccontextmanager
async def open_model(settings: Settings) -> AsyncIterator[OpenaiExtractor | None]:
    """The model that is asked for candidates; null: none is wanted."""
    wanted = settings.extractor
    if wanted.kind == "claims":
        yield None
        return
    endpoint = ModelEndpoint(wanted.model, wanted.url, wanted.structured, wanted.timeout)
    prompt, catalogues = read_prompt(wanted.prompt), catalogues_with(settings.predicates)
    model = OpenaiExtractor(endpoint, prompt, wanted.version, catalogues, SystemClock())
    _log.info("model_ready", model=wanted.model, version=model.version, digest=model.digest)
    try:
        yield model
    finally:
        await model.close()


def _meter(settings: ExtractorSettings) -> ModelMeter | None:
    if settings.kind == "claims":
        return None
    prices = (settings.input_price, settings.output_price)
    return ModelMeter(Terms(settings.model, settings.daily_tokens, *prices), SystemClock())


def model_asker(
    settings: Settings,
    model: OpenaiExtractor,
    pool: Pool,
    embedding: EmbeddingService,
    answered: asyncio.Event,
) -> ModelAsker:
    """Who asks the model that is configured; `answered` is set with every answer."""
    meter = _meter(settings.extractor)
    assert meter is not None  # there is a model
    loader = QuestionLoader(pool, project_keys(settings), embedding)
    wanted = settings.extractor
    parts = AskParts(pool, loader, model, meter, wanted.at_once, wanted.timeout)
    return ModelAsker(parts, answered)


def retain_parts(
    pool: Pool,
    settings: StoreSettings,
    fault: FaultPoint,
    embedding: EmbeddingService | None = None,
) -> RetainParts:
    """What retaining works with; without a model names are matched by their words alone."""
    keys, catalogues = project_keys(settings), catalogues_with(settings.predicates)
    clock, limits = SystemClock(), read_limits(shipped_data())
    return RetainParts(
        pool=pool,
        clock=clock,
        keys=keys,
        catalogues=catalogues,
        judge=NameJudge(JudgeParts(pool, clock, keys, catalogues, limits, embedding)),
        fault=fault,
    )


def project_keys(settings: StoreSettings) -> ProjectKeys:
    """Who knows the projects' keys, made from the secret where there is one."""
    secret = settings.digest_key
    return ProjectKeys(
        None if secret is None else secret.get_secret_value().encode(),
        catalogues_with(settings.predicates),
    )


def commands(
    pool: Pool,
    inbox: Inbox,
    forgetting_asked: asyncio.Event,
    catalogues: Catalogues,
    keys: ProjectKeys,
) -> list[Endpoint[Any]]:
    """What operators may tell memory to do, on a pool of writers."""
    decisions = DecisionObeyer(pool, SystemClock(), catalogues)
    letters = DeadLetterAnswerer(pool, inbox, decode_observation)
    forgetting = ForgetObeyer(pool, SystemClock(), forgetting_asked)
    verdicts = VerdictObeyer(pool, SystemClock(), catalogues)
    predicates = PredicateAnswerer(pool, catalogues)
    linking = LinkObeyer(pool, SystemClock(), catalogues, keys)
    return [
        Endpoint(MemoryCommand.RESOLVE, DecisionRequest, decisions.decide),
        Endpoint(Query.ENTITIES, EntitiesRequest, EntityAnswerer(pool).entities),
        Endpoint(MemoryCommand.LINK, LinkRequest, linking.link),
        Endpoint(MemoryCommand.FORGET, ForgetRequest, forgetting.forget),
        Endpoint(Query.DEAD_LETTERS, DeadLettersRequest, letters.answer),
        Endpoint(MemoryCommand.RETAIN, RetainRequest, RetainObeyer(pool).requeue),
        Endpoint(MemoryCommand.EXPORT, ExportRequest, ExportObeyer(pool).export),
        Endpoint(MemoryCommand.JUDGE, VerdictRequest, verdicts.judge),
        Endpoint(Query.PREDICATES, PredicatesRequest, predicates.answer),
    ]


def forget_parts(settings: Settings, pool: Pool, recall: Recall, fault: FaultPoint) -> ForgetParts:
    """What forgetting works with."""
    return ForgetParts(
        pool=pool,
        clock=SystemClock(),
        keys=project_keys(settings),
        catalogues=recall.catalogues,
        traces=recall.traces,
        shelves=recall.shelves,
        fault=fault,
    )
