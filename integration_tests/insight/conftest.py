"""A lake of its own for every test, and the broker as the lake sees it."""

from collections.abc import AsyncGenerator, Generator

import pytest
from cortex_insight.ingest import Ingest
from cortex_insight.store.db import Database
from cortex_local import accounts
from cortex_local.services import INSIGHT
from databases import DatabaseServer
from lake_shells import ingest_on
from roxabi_contracts.client import Connection
from services import Broker


@pytest.fixture
def lake_url(database_server: DatabaseServer) -> Generator[str]:
    """The URL of an empty, migrated database."""
    with database_server.fresh(INSIGHT) as url:
        yield url


@pytest.fixture
async def database(lake_url: str) -> AsyncGenerator[Database]:
    """Connections to that database."""
    async with Database(lake_url) as opened:
        yield opened


@pytest.fixture
def ingest(database: Database) -> Ingest:
    """The way into that lake, for the source made for tests."""
    return ingest_on(database)


@pytest.fixture
async def connection(broker: Broker) -> AsyncGenerator[Connection]:
    """A connection of the lake's own user to a broker with empty streams."""
    async with broker.connected(accounts.INSIGHT) as connected:
        yield connected


@pytest.fixture
async def insight_provisioner(broker: Broker) -> AsyncGenerator[Connection]:
    """A connection that may change the lake's streams."""
    async with broker.connected(accounts.INSIGHT_PROVISIONER) as connected:
        yield connected


@pytest.fixture
async def memory_provisioner(broker: Broker) -> AsyncGenerator[Connection]:
    """A connection that may read and change the warehouse's streams."""
    async with broker.connected(accounts.MEMORY_PROVISIONER) as connected:
        yield connected
