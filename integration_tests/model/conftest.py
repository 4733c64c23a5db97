"""A warehouse on a fresh database that asks a model behind a real HTTP server."""

import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
from cortex_local.services import MEMORY
from cortex_memory.extractor.openai import ModelEndpoint, OpenaiExtractor, read_prompt
from cortex_memory.store.db import Pool, open_pool
from databases import DatabaseServer
from memory.warehouse import FixedClock
from model.asking import AskingWarehouse
from model.recorded_endpoint import RecordedEndpoint, answering
from roxabi_contracts.predicates import bundled_catalogue


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Generator[RecordedEndpoint]:
    """The recorded answers."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    recorded = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))
    with answering(recorded) as server:
        yield server


@pytest.fixture
def database(database_server: DatabaseServer) -> Generator[str]:
    """The URL of a migrated database."""
    with database_server.fresh(MEMORY) as url:
        yield url


@pytest.fixture
async def pool(database: str) -> AsyncGenerator[Pool]:
    """Connections to a migrated database."""
    async with open_pool(database, size=6, patience=5) as opened:
        yield opened


@pytest.fixture
async def warehouse(pool: Pool, endpoint: RecordedEndpoint) -> AsyncGenerator[AskingWarehouse]:
    """A warehouse that asks."""
    clock = FixedClock()
    where = ModelEndpoint("recorded", endpoint.url, timeout=10)
    extractor = OpenaiExtractor(where, read_prompt(None), 1, bundled_catalogue(), clock)
    yield AskingWarehouse(pool, extractor, clock)
    await extractor.close()
