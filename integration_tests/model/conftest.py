"""A warehouse on a fresh database that asks a model behind a real HTTP server."""

import json
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
from cortex_memory.extractor.openai import ModelEndpoint, OpenaiExtractor, read_prompt
from cortex_memory.store.db import Pool
from memory.conftest import database, pool
from memory.warehouse import FixedClock
from model.asking import AskingWarehouse
from model.recorded_endpoint import RecordedEndpoint, answering
from roxabi_contracts.catalogues import Catalogues

__all__ = ["database", "endpoint", "pool", "warehouse"]


@pytest.fixture
def endpoint(monkeypatch: pytest.MonkeyPatch) -> Generator[RecordedEndpoint]:
    """The recorded answers."""
    monkeypatch.setenv("OPENAI_API_KEY", "a-key")
    recorded = json.loads(Path(__file__).with_name("recorded.json").read_text("utf-8"))
    with answering(recorded) as server:
        yield server


@pytest.fixture
async def warehouse(pool: Pool, endpoint: RecordedEndpoint) -> AsyncGenerator[AskingWarehouse]:
    """A warehouse that asks."""
    clock = FixedClock()
    where = ModelEndpoint("recorded", endpoint.url, timeout=10)
    extractor = OpenaiExtractor(where, read_prompt(None), 1, Catalogues(), clock)
    yield AskingWarehouse(pool, extractor, clock)
    await extractor.close()
