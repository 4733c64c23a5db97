"""A lake of its own and a broker with empty streams for every test."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncGenerator, Generator
from itertools import count
from pathlib import Path

import psycopg
import pytest
from cortex_insight.ingest import Ingest
from cortex_insight.reader import Reader
from cortex_insight.store.db import Database
from cortex_insight.store.lake import open_lake
from cortex_insight.store.migrate import migrate
from linked_source import SOURCE, config
from nats.js import JetStreamContext
from nats.js.api import AckPolicy, ConsumerConfig, StreamConfig
from psycopg import sql
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, connect

_numbers = count()
CONFIGURATION = """
listen: 127.0.0.1:-1
max_payload: 8MB
jetstream {{ store_dir: "{folder}/store", sync_interval: always }}
"""
STREAMS = {
    subjects.STREAM_EVENTS: [subjects.EVENTS_ALL],
    subjects.STREAM_EVENTS_REJECTED: [subjects.EVENTS_REJECTED],
    subjects.STREAM_OBSERVATIONS: [subjects.OBSERVATIONS, subjects.OBSERVATIONS_PARTITIONED],
}


@pytest.fixture
def empty_database() -> Generator[str]:
    """The URL of a database with nothing in it."""
    server = os.environ["CORTEX_TEST_POSTGRES_URL"]
    name = f"insight_test_{os.getpid()}_{next(_numbers)}"
    drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(sql.Identifier(name))
    make = sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name))
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(drop)
        connection.execute(make)
        yield psycopg.conninfo.make_conninfo(server, dbname=name)
        connection.execute(drop)


@pytest.fixture
async def database_url(empty_database: str) -> str:
    """The URL of a migrated database."""
    await migrate(empty_database)
    return empty_database


@pytest.fixture
async def database(database_url: str) -> AsyncGenerator[Database]:
    """Connections to a migrated database."""
    async with Database(database_url) as opened:
        yield opened


@pytest.fixture
def ingest(database: Database) -> Ingest:
    """The way into that lake, for the source made for tests."""
    return Ingest(open_lake(database), Reader({SOURCE: config()}))


@pytest.fixture
def broker(tmp_path: Path) -> Generator[str]:
    """The URL of a broker without accounts."""
    executable = shutil.which("nats-server", path=str(Path(sys.executable).parent))
    assert executable is not None
    configuration = tmp_path / "nats.conf"
    configuration.write_text(CONFIGURATION.format(folder=tmp_path))
    command = [executable, "-c", str(configuration), "--ports_file_dir", str(tmp_path)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield _address(tmp_path)
    finally:
        process.terminate()
        process.wait()


@pytest.fixture
async def connection(broker: str) -> AsyncGenerator[Connection]:
    """A connection to a broker that has the lake's streams and durable."""
    connected = await connect(broker, name="test", wait=True)
    jetstream = JetStreamContext(connected.client)
    for name, captured in STREAMS.items():
        allow_atomic = name == subjects.STREAM_OBSERVATIONS
        await jetstream.add_stream(
            StreamConfig(name=name, subjects=captured, allow_atomic=allow_atomic)
        )
    await jetstream.add_consumer(
        subjects.STREAM_EVENTS,
        ConsumerConfig(
            durable_name=subjects.DURABLE_INGEST, ack_policy=AckPolicy.EXPLICIT, ack_wait=30
        ),
    )
    yield connected
    await connected.close()


def _address(folder: Path) -> str:
    for _ in range(500):
        for ports in folder.glob("*.ports"):
            return "nats://" + ports.read_text().split('"nats://')[1].split('"')[0]
        time.sleep(0.02)
    raise AssertionError("the broker did not say where it listens")
