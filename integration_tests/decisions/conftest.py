"""A warehouse on a fresh database, and its endpoints on a real broker."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from cortex_memory.answer_conflicts import ConflictAnswerer
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.answer_entities import EntityAnswerer
from cortex_memory.answer_predicates import PredicateAnswerer
from cortex_memory.answer_query import QueryAnswerer
from cortex_memory.bus.endpoints import Endpoint, Endpoints
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.obey_link import LinkObeyer
from cortex_memory.obey_verdict import VerdictObeyer
from cortex_memory.trace_log import TraceLog
from decisions.operator import Operator
from memory.conftest import database, pool, warehouse
from memory.warehouse import Warehouse
from nats.errors import NoRespondersError
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.client import Connection
from roxabi_contracts.decisions import DecisionRequest
from roxabi_contracts.identities import EntitiesRequest, LinkRequest
from roxabi_contracts.names import PredicatesRequest, VerdictRequest
from roxabi_contracts.subjects import MemoryCommand, Query
from services import Broker, Servers

__all__ = ["database", "operator", "pool", "warehouse"]


def endpoints_of(connection: Connection, warehouse: Warehouse) -> Endpoints:
    """What memory serves, without a model."""
    pool, catalogues = warehouse.pool, Catalogues()
    embedding, traces = EmbeddingService(lambda: None), TraceLog(pool)
    decisions = DecisionObeyer(pool, warehouse.clock, catalogues)
    judging = VerdictObeyer(pool, warehouse.clock, catalogues)
    linking = LinkObeyer(pool, warehouse.clock, catalogues, warehouse.parts.keys)
    return Endpoints(
        connection,
        ContextAnswerer(pool, warehouse.clock, catalogues, embedding, traces),
        QueryAnswerer(pool, catalogues, embedding, traces),
        ConflictAnswerer(pool),
        [
            Endpoint(MemoryCommand.RESOLVE, DecisionRequest, decisions.decide),
            Endpoint(MemoryCommand.LINK, LinkRequest, linking.link),
            Endpoint(MemoryCommand.JUDGE, VerdictRequest, judging.judge),
            Endpoint(Query.ENTITIES, EntitiesRequest, EntityAnswerer(pool).entities),
            Endpoint(
                Query.PREDICATES, PredicatesRequest, PredicateAnswerer(pool, catalogues).answer
            ),
        ],
    )


@pytest.fixture
async def operator(servers: Servers, warehouse: Warehouse) -> AsyncGenerator[Operator]:
    """An operator whose requests the warehouse answers over the broker."""
    stopping = asyncio.Event()
    broker: Broker = servers.broker
    async with broker.connected("memory") as memory, broker.connected("operator") as asking:
        running = asyncio.create_task(endpoints_of(memory, warehouse).run(stopping))
        await _answering(asking)
        yield Operator(warehouse, asking)
        stopping.set()
        await running


async def _answering(asking: Connection) -> None:
    """Until the service answers a ping, its endpoints may not be there."""
    for _ in range(200):
        try:
            reply = await asking.client.request("$SRV.INFO.cortex-memory", b"", timeout=1)
        except NoRespondersError:
            await asyncio.sleep(0.02)
            continue
        if b'"predicates"' in reply.data:
            return
    raise AssertionError("the endpoints did not come up")
