"""Broker or database die or are not there yet: the services wait, and nothing is lost."""

import asyncio
from pathlib import Path

import pytest
import pytest_asyncio
from mortal import BROKER, DATABASE, MortalServers
from polling import NotYet, eventually
from process import ServiceProcess
from roxabi_contracts.context import Status
from roxabi_contracts.event import RawEvent
from samples import notes
from services import fresh_streams
from stack import Stack, endpoints_on
from workload import Outcome, outcome

MANY: list[RawEvent] = [
    event
    for person in range(12)
    for event in notes(
        *(f"I live in {town}." for town in ("Paris", "Rome", "Oslo", "Bonn", "Lima")),
        *(f"I use {tool}." for tool in ("Rust", "Go", "Zig", "Vim", "Nix")),
        "My name is Ada.",
        "My name is Grace.",
        email=f"person{person}@example.org",
    )
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(
    mortal_servers: MortalServers,
    environment: dict[str, str],
    tmp_path_factory: pytest.TempPathFactory,
) -> Outcome:
    """What comes out when nothing dies."""
    await fresh_streams(mortal_servers.servers.broker)
    with mortal_servers.databases.fresh_pair() as pair:
        endpoints = endpoints_on(mortal_servers.servers, pair)
        stack = Stack(endpoints, environment, tmp_path_factory.mktemp("calm"))
        try:
            await stack.start()
            await stack.publish(MANY)
            return await outcome(stack)
        finally:
            stack.end()


async def some_arrived(stack: Stack, events: int) -> None:
    """Wait until that many of the events are in the lake."""

    async def look() -> None:
        sources, _ = await stack.figures()
        arrived = sum(source.events for source in sources.sources)
        if arrived < events:
            raise NotYet(f"{arrived} events are")

    await eventually(f"{events} events in the lake", look)


async def test_killing_postgres_under_load_loses_and_doubles_nothing(
    calm: Outcome, mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    publishing = asyncio.create_task(mortal.publish(MANY))
    for events in (1, 40, 90):
        await some_arrived(mortal, events)
        await mortal_servers.replace(DATABASE)
    await publishing
    assert await outcome(mortal) == calm
    assert all(service.is_running() for service in mortal.services)


async def test_killing_the_broker_under_load_loses_and_doubles_nothing(
    calm: Outcome, mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    publishing = asyncio.create_task(mortal.publish(MANY))
    for events in (1, 40, 90):
        await some_arrived(mortal, events)
        await mortal_servers.replace(BROKER)
    await publishing
    assert await outcome(mortal) == calm
    assert all(service.is_running() for service in mortal.services)


@pytest.mark.parametrize("absent", [DATABASE, BROKER])
async def test_services_started_without_a_server_wait_for_it_and_say_so(
    mortal: Stack, mortal_servers: MortalServers, absent: str
) -> None:
    server = mortal_servers.server(absent)
    server.stop()
    try:
        for service in mortal.services:
            service.start()
        for service in mortal.services:
            await says_what_is_missing(service, absent)
    finally:
        server.start()
    await mortal.publish(notes("I live in Bergen."))
    _, stats = await mortal.drained()
    assert stats.facts == {"active": 1}
    assert all(service.is_running() for service in mortal.services)


async def test_an_agent_goes_on_while_the_database_is_away(
    mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    await mortal.publish(notes("I live in Bergen."))
    await mortal.drained()
    mortal_servers.postgres.stop()
    try:
        packet = await mortal.ask("lives in Bergen")
    finally:
        mortal_servers.postgres.start()
    assert (packet.facts, packet.status) == ((), Status.DEGRADED)
    assert packet.warnings[0].startswith("memory unavailable")
    await mortal.answering()
    assert (await mortal.ask("lives in Bergen")).facts


async def test_an_agent_goes_on_while_memory_is_away(mortal: Stack) -> None:
    mortal.insight.start()
    packet = await mortal.ask("lives in Bergen")
    assert (packet.facts, packet.status) == ((), Status.DEGRADED)
    assert packet.warnings[0].startswith("memory unavailable")


async def test_a_model_file_that_is_missing_is_named_and_words_still_find(
    mortal: Stack, tmp_path: Path
) -> None:
    missing = tmp_path / "no-such-model.onnx"
    mortal.insight.start()
    mortal.memory.start(CORTEX_MEMORY_EMBEDDER="bundled", CORTEX_MEMORY_EMBEDDER_PATH=str(missing))
    await mortal.answering()
    await mortal.publish(notes("I live in Bergen."))
    await mortal.drained()
    await says_what_is_missing(mortal.memory, "no-such-model.onnx")
    packet = await mortal.ask("lives in Bergen")
    assert [fact.value for fact in packet.facts] == [{"value": "Bergen"}]
    assert packet.status is Status.DEGRADED


async def says_what_is_missing(service: ServiceProcess, absent: str) -> None:
    """Wait until the log of the service names what is not there, and check that it lives."""

    async def look() -> None:
        if absent not in service.log():
            raise NotYet(f"its log says:\n{service.log()}")

    await eventually(f"a word of {service.name} on the {absent}", look)
    assert service.is_running(), service.log()
