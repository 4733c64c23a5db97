"""How fast events become memory: throughput of a backlog, and latency of single events.

Throughput counts from the first event published until the last one is retained. Latency counts,
at a gentle pace on an idle stack, from publishing an event until memory announces its fact.
"""

import argparse
import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cortex_local.backlog import measure_backlog
from databases import DatabaseServer
from embedded import EmbeddedBroker, EmbeddedPostgres
from nats.aio.msg import Msg
from roxabi_contracts import codec, subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.event import RawEvent
from samples import notes
from services import Broker, Servers, fresh_streams
from stack import Stack, endpoints_on

BACKLOG_PROJECT: Final = "backlog"
PACED_PROJECT: Final = "paced"
LOOK_SECONDS: Final = 0.25
ANNOUNCED_SECONDS: Final = 60.0
VECTORS_SECONDS: Final = 3600.0


@dataclass(frozen=True)
class Arguments:
    """How much is measured."""

    events: int
    people: int
    batch: int
    paced: int
    pace: float
    embedder: str


@dataclass(frozen=True)
class Reading:
    """What waited at each station, so many seconds after the start."""

    seconds: float
    arriving: int
    lake: int
    crossing: int
    jobs: int
    vectors: int

    @property
    def is_retained(self) -> bool:
        """Whether all that was published has become memory; vectors follow in the background."""
        return not (self.arriving or self.lake or self.crossing or self.jobs)


def main() -> None:
    """Measure, print the distributions, and end with one line of JSON."""
    arguments = parse_arguments()
    environment = {**os.environ, "CORTEX_MEMORY_EMBEDDER": arguments.embedder}
    with tempfile.TemporaryDirectory(prefix="cortex-") as folder, ExitStack() as servers:
        postgres, broker = EmbeddedPostgres(Path(folder, "p")), EmbeddedBroker(Path(folder, "n"))
        servers.callback(postgres.remove)
        servers.callback(broker.remove)
        postgres.start()
        broker.start()
        databases = DatabaseServer(postgres.superuser, environment)
        databases.prepare()
        pair = servers.enter_context(databases.fresh_pair())
        found = Servers(postgres.superuser, Broker(broker.url, broker.seeds))
        stack = Stack(endpoints_on(found, pair), environment, Path(folder))
        try:
            print(json.dumps(asyncio.run(measure(found, stack, arguments))))
        finally:
            stack.end()


def parse_arguments() -> Arguments:
    """The sizes, as given or by default."""
    parser = argparse.ArgumentParser(prog="bench-ingest", description=__doc__)
    parser.add_argument("--events", type=int, default=10_000, help="events in the backlog")
    parser.add_argument("--people", type=int, default=50, help="memories they spread over")
    parser.add_argument("--batch", type=int, default=256, help="events in flight to the broker")
    parser.add_argument("--paced", type=int, default=200, help="single events for the latency")
    parser.add_argument("--pace", type=float, default=20, help="single events a second")
    parser.add_argument("--embedder", default="bundled", help="as CORTEX_MEMORY_EMBEDDER")
    return Arguments(**vars(parser.parse_args()))


async def measure(servers: Servers, stack: Stack, arguments: Arguments) -> dict[str, object]:
    """Both measurements on one stack; the figures of the last line."""
    await fresh_streams(servers.broker)
    await stack.start()
    rate = await measure_throughput(stack, arguments)
    await stack.drained(BACKLOG_PROJECT, seconds=VECTORS_SECONDS)
    latencies = await measure_latency(stack, arguments)
    percentiles = statistics.quantiles(latencies, n=100)
    print_distribution("event to announced fact, ms", latencies)
    return {
        "observations_per_second": round(rate, 1),
        "latency_p50_ms": round(percentiles[49], 1),
        "latency_p95_ms": round(percentiles[94], 1),
        "rss_mb": {service.name: resident_megabytes(service.pid) for service in stack.services},
    }


async def measure_throughput(stack: Stack, arguments: Arguments) -> float:
    """Publish the whole backlog and wait until it is retained; observations a second."""
    events = list(backlog_events(arguments.events, arguments.people))
    start = time.monotonic()
    publishing = asyncio.create_task(publish(stack, events, arguments.batch))
    readings = await watch(stack, start, publishing)
    published, retained = await publishing - start, readings[-1].seconds
    _, stats = await stack.figures(BACKLOG_PROJECT)
    assert stats.observations == len(events), f"{stats.observations} of {len(events)} arrived"
    print(f"{len(events)} events: published in {published:.1f} s, retained in {retained:.1f} s")
    print_stages(readings)
    return len(events) / retained


async def publish(stack: Stack, events: Sequence[RawEvent], in_flight: int) -> float:
    """Publish everything; when the last acknowledgement came."""
    await stack.publish(events, in_flight)
    return time.monotonic()


async def watch(stack: Stack, start: float, publishing: asyncio.Task[float]) -> list[Reading]:
    """Read the backlog again and again until everything is published and nothing waits."""
    readings: list[Reading] = []
    while True:
        is_published = publishing.done()
        readings.append(await read_stations(stack, start))
        if is_published and readings[-1].is_retained:
            return readings
        await asyncio.sleep(LOOK_SECONDS)


async def read_stations(stack: Stack, start: float) -> Reading:
    """Read the stations in the order of the flow, so that nothing slips past behind the look."""
    before = await measure_backlog(stack.endpoints, BACKLOG_PROJECT)
    _, stats = await stack.figures(BACKLOG_PROJECT)
    waiting = {queue.name: queue.waiting or 0 for queue in stats.queues}
    return Reading(
        time.monotonic() - start,
        before.arriving,
        before.lake,
        before.crossing,
        waiting["jobs"],
        waiting["embeddings"],
    )


def backlog_events(count: int, people: int) -> Iterator[RawEvent]:
    """Notes with one claim each, spread over the memories; a third of them change something."""
    for person in range(people):
        texts = (
            f"I moved to Town{number}." if number % 3 == 0 else f"I use Tool{number}."
            for number in range(person, count, people)
        )
        yield from notes(*texts, project=BACKLOG_PROJECT, email=f"person{person}@example.org")


async def measure_latency(stack: Stack, arguments: Arguments) -> list[float]:
    """Milliseconds from publishing each single event until its fact is announced."""
    latencies: list[float] = []
    texts = (f"I use Gadget{number}." for number in range(arguments.paced))
    async with announced_facts(stack) as arrived:
        for event in notes(*texts, project=PACED_PROJECT):
            start = time.monotonic()
            await stack.publish([event])
            async with asyncio.timeout(ANNOUNCED_SECONDS):
                latencies.append((await arrived.get() - start) * 1000)
            await asyncio.sleep(1 / arguments.pace)
    return latencies


@asynccontextmanager
async def announced_facts(stack: Stack) -> AsyncGenerator[asyncio.Queue[float]]:
    """When each new fact of the paced project was announced."""
    arrived: asyncio.Queue[float] = asyncio.Queue()

    async def note_arrival(message: Msg) -> None:
        change = codec.decode(message.data, Change)
        if change.what == "fact" and change.change == "created":
            arrived.put_nowait(time.monotonic())

    async with stack.connected() as connection:
        await connection.client.subscribe(subjects.changes(PACED_PROJECT), cb=note_arrival)
        await connection.client.flush()
        yield arrived


def print_stages(readings: Sequence[Reading]) -> None:
    """What waited at each station, at a dozen moments of the run."""
    print("waiting, by station:\n  seconds  arriving      lake  crossing      jobs   vectors")
    for each in [*readings[:: max(1, len(readings) // 12)], readings[-1]]:
        print(
            f"  {each.seconds:7.1f} {each.arriving:9} {each.lake:9} {each.crossing:9} "
            f"{each.jobs:9} {each.vectors:9}"
        )


def print_distribution(name: str, figures: Sequence[float]) -> None:
    """The shape of a set of measurements."""
    percentiles = statistics.quantiles(figures, n=100)
    shown = ", ".join(f"p{rank} {percentiles[rank - 1]:.1f}" for rank in (5, 25, 50, 75, 95, 99))
    print(f"{name} ({len(figures)} measured): {shown}, max {max(figures):.1f}")


def resident_megabytes(pid: int) -> float:
    """The memory that a process holds now."""
    shown = subprocess.run(
        ["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True, text=True
    )
    return round(int(shown.stdout) / 1024, 1)


if __name__ == "__main__":
    main()
