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

from cortex_local.backlog import Backlog, measure_backlog
from nats.aio.msg import Msg
from roxabi_contracts import codec, subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.event import RawEvent

from conftest import reached
from databases import DatabaseServer
from embedded import EmbeddedBroker, EmbeddedPostgres
from samples import notes
from services import Broker, Servers, fresh_streams
from stack import Stack

BACKLOG_PROJECT: Final = "backlog"
PACED_PROJECT: Final = "paced"
LOOK_SECONDS: Final = 0.25
ANNOUNCED_SECONDS: Final = 60.0


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
    """What waited where, so many seconds after the start."""

    seconds: float
    backlog: Backlog


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
        stack = Stack(reached(found, pair), environment, Path(folder))
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
    await stack.drained(BACKLOG_PROJECT)
    latencies = await measure_latency(stack, arguments)
    percentiles = statistics.quantiles(latencies, n=100)
    print_distribution("event to announced fact, ms", latencies)
    return {
        "observations_per_second": round(rate, 1),
        "latency_p50_ms": round(percentiles[49], 1),
        "latency_p95_ms": round(percentiles[94], 1),
        "rss_mb": {service.name: resident_megabytes(service.pid) for service in stack.services},
    }
