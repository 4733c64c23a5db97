"""Between the broker and the store: everything arrives, nothing that is broken vanishes."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import LiteralString

import psycopg
import pytest
import structlog
from cortex_memory.bus import observations
from cortex_memory.bus.changes import ChangePublisher
from cortex_memory.bus.observations import (
    ObservationConsumer,
    ProjectMismatch,
    decode_observation,
)
from cortex_memory.faults import no_fault
from cortex_memory.store.changes import ChangeOutbox
from memory.observing import claim, observe
from memory.warehouse import Warehouse
from polling import NotYet, eventually
from psycopg import sql
from roxabi_contracts import codec, subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.client import Connection
from roxabi_contracts.client.pull import BATCH_BYTES
from roxabi_contracts.operations import RejectedMessage
from roxabi_contracts.payloads import ClaimAction
from services import Broker, Servers

PARIS = observe(claim("lives_in", "Paris"), at=1, ref="a")
ELSEWHERE = f"{subjects.OBSERVATIONS}.orchard.1"


@asynccontextmanager
async def consuming(warehouse: Warehouse, connection: Connection) -> AsyncGenerator[None]:
    """A consumer at work, stopped in good order at the end."""
    stopping, arrived = asyncio.Event(), asyncio.Event()
    consumer = ObservationConsumer(connection, warehouse.inbox, warehouse.clock, no_fault, arrived)
    task = asyncio.create_task(consumer.run(stopping))
    yield
    stopping.set()
    await task


async def _unacknowledged(connection: Connection) -> int:
    info = await connection.client.jetstream().consumer_info(
        subjects.STREAM_OBSERVATIONS, subjects.DURABLE_INBOX
    )
    return (info.num_pending or 0) + (info.num_ack_pending or 0)


async def _consumed(connection: Connection) -> None:
    async def look() -> None:
        if waiting := await _unacknowledged(connection):
            raise NotYet(f"{waiting} wait")

    await eventually("an empty consumer", look)


async def test_what_is_no_observation_becomes_a_dead_letter_and_the_rest_arrives(
    warehouse: Warehouse, broker: Broker
) -> None:
    newer = codec.encode(PARIS).replace(b'"contract_version":1', b'"contract_version":2')
    async with broker.connected("insight") as source:
        publish = source.client.jetstream().publish
        for data in [b"\xff\xfe", b"null", newer, codec.encode(PARIS)]:
            await publish(subjects.OBSERVATIONS, data)
        async with (
            broker.connected("memory") as connection,
            consuming(warehouse, connection),
        ):
            await _consumed(connection)
            await _published(warehouse)

    assert await warehouse.rows(b"SELECT id FROM observation") == [(PARIS.id,)]
    assert sorted(letter.code for letter in await _letters(broker, 3)) == [
        "newer_version",
        "undecodable",
        "undecodable",
    ]


async def test_a_batch_is_bounded_in_bytes(warehouse: Warehouse, broker: Broker) -> None:
    large = [
        observe(at=number, ref=str(number), text="x" * (BATCH_BYTES * 2 // 5))
        for number in range(3)
    ]
    async with broker.connected("insight") as source, broker.connected("memory") as connection:
        for each in large:
            await source.client.jetstream().publish(subjects.OBSERVATIONS, codec.encode(each))
        with structlog.testing.capture_logs() as logged:
            async with consuming(warehouse, connection):
                await _consumed(connection)

    batches = [line["count"] for line in logged if line["event"] == "observations_stored"]
    assert sum(batches) == len(large)
    assert max(batches) <= 2
    assert len(await warehouse.rows(b"SELECT id FROM observation")) == len(large)


async def test_nothing_to_fetch_is_no_trouble(
    warehouse: Warehouse, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(observations, "FETCH_SECONDS", 0.0001)
    with structlog.testing.capture_logs() as logged:
        async with broker.connected("memory") as connection, consuming(warehouse, connection):
            await asyncio.sleep(0.3)
    assert logged == []


async def _published(warehouse: Warehouse) -> None:
    async def look() -> None:
        if waiting := await warehouse.inbox.unpublished_rejections(10):
            raise NotYet(f"{len(waiting)} letters wait")

    await eventually("letters sent", look)


async def _letters(broker: Broker, count: int) -> list[RejectedMessage]:
    async with broker.connected("memory-provisioner") as connection:
        manager = connection.client.jetstream()
        stream = subjects.STREAM_OBSERVATIONS_REJECTED
        first = (await manager.stream_info(stream)).state.first_seq
        found = [await manager.get_msg(stream, first + each) for each in range(count)]
    return [codec.decode(message.data or b"", RejectedMessage) for message in found]


async def test_nothing_is_acknowledged_while_the_database_is_away(
    warehouse: Warehouse, broker: Broker, servers: Servers
) -> None:
    name = str((await warehouse.rows(b"SELECT current_database()"))[0][0])
    async with broker.connected("insight") as source, broker.connected("memory") as connection:
        await source.client.jetstream().publish(subjects.OBSERVATIONS, codec.encode(PARIS))
        _allow_connections(servers, name, "false")
        async with consuming(warehouse, connection):
            with pytest.raises(AssertionError):
                await eventually("a stored observation", lambda: _refuse(connection), seconds=2)
            _allow_connections(servers, name, "true")
            await _consumed(connection)

    assert await warehouse.rows(b"SELECT id FROM observation") == [(PARIS.id,)]


def _allow_connections(servers: Servers, database: str, allowed: LiteralString) -> None:
    """Open a database, or close it and end every connection to it."""
    with psycopg.connect(servers.superuser, autocommit=True) as connection:
        connection.execute(
            sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS {}").format(
                sql.Identifier(database), sql.SQL(allowed)
            )
        )
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND NOT %s",
            (database, allowed == "true"),
        )


async def _refuse(connection: Connection) -> None:
    if waiting := await _unacknowledged(connection):
        raise NotYet(f"{waiting} wait")


async def test_changes_are_published_once_and_leave_the_outbox(
    warehouse: Warehouse, broker: Broker
) -> None:
    await warehouse.retain([PARIS])
    async with broker.connected("memory") as connection:
        publisher = ChangePublisher(connection, ChangeOutbox(warehouse.pool), no_fault)
        assert await publisher.publish_batch() == 1
        assert await publisher.publish_batch() == 0

    [change] = await _changes(broker)
    assert (change.what, change.change, change.status) == ("fact", "created", "active")


async def test_the_version_of_a_change_tells_which_is_newer(
    warehouse: Warehouse, broker: Broker
) -> None:
    rome = observe(claim("lives_in", "Rome", action=ClaimAction.SUPERSEDE), at=2, ref="b")
    async with broker.connected("memory") as connection:
        publisher = ChangePublisher(connection, ChangeOutbox(warehouse.pool), no_fault)
        for each in [PARIS, rome]:
            await warehouse.retain([each])
            await publisher.publish_batch()

    first, *later = await _changes(broker)
    assert {change.change for change in later} == {"created", "retired"}
    assert all(change.version > first.version for change in later)


async def _changes(broker: Broker) -> list[Change]:
    async with broker.connected("memory-provisioner") as connection:
        manager = connection.client.jetstream()
        state = (await manager.stream_info(subjects.STREAM_CHANGES)).state
        found = [
            await manager.get_msg(subjects.STREAM_CHANGES, sequence)
            for sequence in range(state.first_seq, state.last_seq + 1)
        ]
    assert {message.subject for message in found} == {subjects.changes("garden")}
    return [codec.decode(message.data or b"", Change) for message in found]


def test_a_subject_of_another_project_is_refused() -> None:
    data = codec.encode(PARIS)

    assert decode_observation(subjects.OBSERVATIONS, data) == PARIS
    assert decode_observation(f"{subjects.OBSERVATIONS}.garden.1", data) == PARIS
    with pytest.raises(ProjectMismatch):
        decode_observation(ELSEWHERE, data)


async def test_a_number_that_no_store_can_hold_stops_nobody(
    warehouse: Warehouse, broker: Broker
) -> None:
    huge = observe(claim("lives_in", "Rome"), at=2, ref="b", revision=2**70)
    async with broker.connected("insight") as source, broker.connected("memory") as connection:
        for observation in [huge, PARIS]:
            await source.client.jetstream().publish(
                subjects.OBSERVATIONS, codec.encode(observation)
            )
        async with consuming(warehouse, connection):
            await _consumed(connection)
            await _published(warehouse)

    assert await warehouse.rows(b"SELECT id FROM observation") == [(PARIS.id,)]
    assert [letter.code for letter in await _letters(broker, 1)] == ["invalid_request"]
