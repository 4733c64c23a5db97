"""Each service stops within seconds, whatever is down, and loses nothing."""

import asyncio
import time
from typing import Final

import pytest
from cortex_local.services import INSIGHT, MEMORY
from mortal import MortalServers
from polling import NotYet, eventually
from process import ServiceProcess
from samples import notes
from stack import Stack
from test_outages import some_arrived

STOP_SECONDS: Final = 12.0
"""What a supervisor waits before it kills; a busy machine takes its share of it."""
SAID: Final = notes(
    *(f"I live in {town}." for town in ("Paris", "Rome", "Oslo", "Bonn", "Lima")),
    *(f"I use {tool}." for tool in ("Rust", "Go", "Zig", "Vim", "Nix")),
)
DOWN: Final = {
    "the broker": ("nats",),
    "the database": ("postgres",),
    "both": ("nats", "postgres"),
}


async def stops_in_time(service: ServiceProcess) -> None:
    begun = time.monotonic()
    code = await asyncio.to_thread(service.stop)
    took = time.monotonic() - begun
    assert code == 0, service.log()
    assert took < STOP_SECONDS, f"{service.name} took {took:.1f} s:\n{service.log()}"


async def notices(service: ServiceProcess) -> None:
    """Wait until the service has something to say of an outage."""
    before = len(service.log())

    async def look() -> None:
        if "[warning" not in service.log()[before:] and '"warning"' not in service.log()[before:]:
            raise NotYet("it says nothing")

    await eventually(f"a warning of {service.name}", look, seconds=20)


@pytest.mark.parametrize("down", DOWN)
async def test_services_at_work_stop_in_time_and_lose_nothing(
    mortal: Stack, mortal_servers: MortalServers, down: str
) -> None:
    servers = [getattr(mortal_servers, name) for name in DOWN[down]]
    await mortal.start()
    await mortal.publish(SAID)
    await some_arrived(mortal, 1)
    for server in servers:
        server.kill()
    try:
        await notices(mortal.memory)
        await asyncio.gather(*map(stops_in_time, mortal.services))
    finally:
        for server in servers:
            await asyncio.to_thread(server.start)
    await mortal.start()
    sources, stats = await mortal.drained()
    assert [(source.events, source.rejected) for source in sources.sources] == [(len(SAID), 0)]
    assert stats.observations == len(SAID)


@pytest.mark.parametrize("down", DOWN)
@pytest.mark.parametrize("name", [INSIGHT, MEMORY])
async def test_a_service_that_still_waits_for_its_servers_stops_in_time(
    mortal: Stack, mortal_servers: MortalServers, down: str, name: str
) -> None:
    servers = [getattr(mortal_servers, each) for each in DOWN[down]]
    for server in servers:
        server.stop()
    try:
        service = mortal.service(name)
        service.start()
        await notices(service)
        await stops_in_time(service)
    finally:
        for server in servers:
            await asyncio.to_thread(server.start)
