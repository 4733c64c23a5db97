"""Servers for the session; databases, streams and services for each test."""

import os
import sys
from collections.abc import AsyncGenerator, Generator
from pathlib import Path

import pytest
import pytest_asyncio
from _pytest.capture import CaptureManager
from cortex_local.state import Endpoints
from databases import DatabasePair, DatabaseServer
from mortal import MortalServers, mortal_servers_in
from services import Broker, Servers, fresh_streams, running_servers
from stack import Stack, endpoints_on


def pytest_xdist_auto_num_workers() -> int:
    """Each worker has servers of its own; a broker that was named serves one test at a time."""
    return 0 if os.environ.get("CORTEX_NATS_URL") else 2


@pytest.fixture(scope="session")
def environment() -> dict[str, str]:
    """The surroundings of every process that a test starts."""
    return {
        **os.environ,
        "CORTEX_MEMORY_EMBEDDER": "none",
        "CORTEX_MEMORY_DIGEST_KEY": "the same in every run",
    }


@pytest.fixture(scope="session")
def servers(
    environment: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
    pytestconfig: pytest.Config,
) -> Generator[Servers]:
    """A Postgres and a broker, whichever this machine offers."""
    capture = pytestconfig.pluginmanager.getplugin("capturemanager")
    assert isinstance(capture, CaptureManager)

    def tell(line: str) -> None:
        with capture.global_and_fixture_disabled():
            print(line, file=sys.stderr)

    with running_servers(environment, tmp_path_factory.mktemp("s"), tell) as found:
        yield found


@pytest.fixture(scope="session")
def database_server(servers: Servers, environment: dict[str, str]) -> Generator[DatabaseServer]:
    """The Postgres of the session with the migrated templates."""
    server = DatabaseServer(servers.superuser, environment)
    try:
        server.prepare()
        yield server
    finally:
        server.remove()


@pytest.fixture(scope="module")
def embedder() -> str:
    """Which model the services of a module use; a module that is about meaning overrides it."""
    return "none"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_stack(
    servers: Servers,
    database_server: DatabaseServer,
    environment: dict[str, str],
    embedder: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncGenerator[Stack]:
    """Both services, for all tests of a module: each takes projects of its own."""
    await fresh_streams(servers.broker)
    surroundings = {**environment, "CORTEX_MEMORY_EMBEDDER": embedder}
    with database_server.fresh_pair() as pair:
        stack = Stack(endpoints_on(servers, pair), surroundings, tmp_path_factory.mktemp("logs"))
        try:
            await stack.start()
            yield stack
            stack.stop()
        finally:
            stack.end()


@pytest.fixture
async def broker(servers: Servers) -> Broker:
    """The broker of the session with empty streams."""
    await fresh_streams(servers.broker)
    return servers.broker


@pytest.fixture
def databases(database_server: DatabaseServer) -> Generator[DatabasePair]:
    """Empty, migrated databases for one test."""
    with database_server.fresh_pair() as pair:
        yield pair


@pytest.fixture
def endpoints(servers: Servers, broker: Broker, databases: DatabasePair) -> Endpoints:
    """Empty databases and empty streams for one test."""
    return endpoints_on(servers, databases)


@pytest.fixture
def idle_stack(
    endpoints: Endpoints, environment: dict[str, str], tmp_path: Path
) -> Generator[Stack]:
    """A stack for one test alone, with nothing in it and nothing running yet."""
    stack = Stack(endpoints, environment, tmp_path)
    try:
        yield stack
    finally:
        stack.end()


@pytest.fixture
async def stack(idle_stack: Stack) -> Stack:
    """Both services for one test alone, running and empty."""
    await idle_stack.start()
    return idle_stack


@pytest.fixture(scope="session")
def mortal_servers(
    environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> Generator[MortalServers]:
    """A Postgres and a broker that tests may kill; each leaves them running."""
    with mortal_servers_in(tmp_path_factory.mktemp("o"), environment) as found:
        yield found


@pytest.fixture
async def mortal(
    mortal_servers: MortalServers, environment: dict[str, str], tmp_path: Path
) -> AsyncGenerator[Stack]:
    """A stack on servers that may be killed, with nothing in it and nothing running yet."""
    await fresh_streams(mortal_servers.servers.broker)
    with mortal_servers.databases.fresh_pair() as pair:
        stack = Stack(endpoints_on(mortal_servers.servers, pair), environment, tmp_path)
        try:
            yield stack
        finally:
            stack.end()
