"""What a request for context takes, over the broker, from a service with a large memory.

Facts and episodes are synthetic, with random vectors of the bundled model's size, so that a search
has as much to do as in a memory that was grown. Every query is asked twice: the first time it is
embedded, the second time its vector is remembered, which is what the figures are about. What the
processors did for the database and the service stands beside the time, for a machine that is busy.

The smallest memory is measured in every size of the store, the others once. A store of a million
facts takes most of the time: without it, ask for --stored 20000.
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import psycopg
from cortex_local import accounts
from cortex_local.services import MEMORY
from cortex_memory.embed.bundled import BundledEmbedder
from databases import DatabaseServer
from embedded import EmbeddedBroker, EmbeddedPostgres
from nats.aio.msg import Msg
from nats.errors import NoRespondersError
from polling import NotYet, eventually
from process import ServiceProcess
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from recall.synthetic import PROJECT, Person, fill, sentence
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest, Status
from services import Broker, Servers, fresh_streams
from stack import endpoints_on

from benchmarks.crowding import crowd
from benchmarks.meters import (
    Cost,
    Meter,
    forget_statements,
    print_statements,
    processor_seconds,
)

WAIT_SECONDS: Final = 600.0
DEADLINE: Final = 20.0
WARM_UP: Final = 20
MOST_QUERIES: Final = 400
"""Fewer than the service remembers."""


@dataclass(frozen=True)
class Arguments:
    """How much is measured."""

    scopes: Sequence[int]
    stored: Sequence[int]
    callers: Sequence[int]
    requests: int
    statements: bool


@dataclass(frozen=True)
class Spread:
    """Milliseconds, by how many of a hundred requests took no longer."""

    p50: float
    p95: float
    p99: float

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Spread":
        """The distribution of measured seconds."""
        p50, p95, p99 = (float(ms) for ms in np.percentile(np.array(seconds) * 1000, [50, 95, 99]))
        return cls(round(p50, 2), round(p95, 2), round(p99, 2))


@dataclass
class Answered:
    """How long requests took until they were answered.

    `by_words`: so many were not embedded in time. `overloaded`: so often one had to come again.
    """

    seconds: list[float] = field(default_factory=list[float])
    by_words: int = 0
    overloaded: int = 0


def main() -> None:
    """Fill, measure, and print a line of JSON for every configuration."""
    arguments = parse_arguments()
    environment = {**os.environ, "CORTEX_MEMORY_EMBEDDER": "bundled"}
    with tempfile.TemporaryDirectory(prefix="cortex-") as folder, ExitStack() as held:
        postgres, broker = EmbeddedPostgres(Path(folder, "p")), EmbeddedBroker(Path(folder, "n"))
        held.callback(postgres.remove)
        held.callback(broker.remove)
        postgres.start()
        broker.start()
        databases = DatabaseServer(postgres.superuser, environment)
        databases.prepare()
        pair = held.enter_context(databases.fresh_pair())
        servers = Servers(postgres.superuser, Broker(broker.url, broker.seeds))
        asyncio.run(fresh_streams(servers.broker))
        endpoints = endpoints_on(servers, pair)
        service = ServiceProcess(MEMORY, endpoints, environment, Path(folder, "memory.log"))
        name = str(conninfo_to_dict(pair.memory)["dbname"])
        url = make_conninfo(postgres.superuser, dbname=name)
        benchmark = Benchmark(servers.broker, service, url, arguments)
        smallest, *others = sorted(arguments.scopes)
        first, *later = sorted(arguments.stored)
        benchmark.measure(smallest, first)
        for scope in others:
            benchmark.measure(scope)
        for stored in later:
            benchmark.measure(smallest, stored)
        print("\n".join(json.dumps(figures) for figures in benchmark.figures))


def parse_arguments() -> Arguments:
    """The sizes, as given or by default."""
    parser = argparse.ArgumentParser(prog="bench-context", description=__doc__)
    parser.add_argument(
        "--scopes",
        type=int,
        nargs="+",
        default=[10_000, 100_000],
        help="facts, and as many episodes, in the memories that are asked",
    )
    parser.add_argument(
        "--stored",
        type=int,
        nargs="+",
        default=[20_000, 1_000_000],
        help="facts in the whole store, those of other memories among them",
    )
    parser.add_argument("--callers", type=int, nargs="+", default=[1, 16])
    parser.add_argument(
        "--requests", type=int, default=200, help=f"of all callers; at most {MOST_QUERIES}"
    )
    parser.add_argument("--statements", action="store_true", help="show the slowest statements")
    given = parser.parse_args()
    if given.requests > MOST_QUERIES:
        parser.error(f"the service remembers no more than {MOST_QUERIES} queries")
    return Arguments(**vars(given))


class Benchmark:
    """All measurements of one service on one store.

    Args:
        broker: The broker of the service.
        service: The service; it runs whenever something is measured.
        url: Its database, as the server's superuser.
        arguments: How much is measured.
    """

    def __init__(
        self, broker: Broker, service: ServiceProcess, url: str, arguments: Arguments
    ) -> None:
        self._broker = broker
        self._service = service
        self._url = url
        self._arguments = arguments
        self._people: dict[int, Person] = {}
        self._stored = 0
        self._copies = 0
        self._model = self._register_model()
        self.figures: list[dict[str, float]] = []
        self._generator = np.random.default_rng(11)
        with psycopg.connect(url, autocommit=True) as connection:
            (folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
        self._meter = Meter(Path(str(folder)))

    def measure(self, scope: int, stored: int = 0) -> None:
        """One memory of so many facts, in a store of so many, with every number of callers."""
        started = time.monotonic()
        self._fill(scope)
        self._crowd(stored)
        print(f"{self._stored} facts stored in {time.monotonic() - started:.0f} s", flush=True)
        self._service.start()
        try:
            asyncio.run(self._measure(scope))
        finally:
            self._service.stop()

    def _fill(self, scope: int) -> None:
        if scope not in self._people:
            person = self._people[scope] = Person(f"person{scope}@acme.com")
            fill(self._url, [person], scope, scope, self._model)
            self._stored += scope

    def _crowd(self, stored: int) -> None:
        """Fill the store with the memories of others, each like the smallest that is asked."""
        size = min(self._people)
        copies = max(0, stored - self._stored) // size
        if copies:
            numbers = range(self._copies, self._copies + copies)
            crowd(self._url, self._people[size].id, numbers)
            self._copies += copies
            self._stored += copies * size

    async def _measure(self, scope: int) -> None:
        person = self._people[scope]
        async with self._broker.connected(accounts.OPERATOR) as connection:
            echo = await self._echo(connection)
            print(f"an echo over the broker: p50 {echo.p50} ms, p95 {echo.p95} ms")
            await self._answering(connection, person)
            for callers in self._arguments.callers:
                figures = await self._measure_callers(connection, person, callers, echo)
                shape = {
                    "facts_in_scope": scope,
                    "facts_in_store": self._stored,
                    "callers": callers,
                }
                self.figures.append(shape | figures)
                print(f"{shape}: p50 {figures['p50_ms']} ms", flush=True)

    async def _measure_callers(
        self, connection: Connection, person: Person, callers: int, echo: Spread
    ) -> dict[str, float]:
        """Every query twice: first it is embedded, then its vector is remembered."""
        queries = [
            f"what about {sentence(self._generator, 2)}, number {number}"
            for number in range(self._arguments.requests)
        ]
        first = await self._ask_all(connection, person, queries, callers)
        embedded = Spread.of(first.seconds)
        if first.by_words:  # what took too long is embedded now
            await self._ask_all(connection, person, queries, 1)
        forget_statements(self._url)
        cost, before = Cost("requests"), processor_seconds(self._service.pid)
        with self._meter.measure(cost, len(queries)):
            answered = await self._ask_all(connection, person, queries, callers)
        service = processor_seconds(self._service.pid) - before
        bare = Spread.of(answered.seconds)
        server_ms = self._server_milliseconds() / len(queries)
        if self._arguments.statements:
            print_statements(self._url, f"{len(queries)} requests")
        return {
            "p50_ms": bare.p50,
            "p95_ms": bare.p95,
            "p99_ms": bare.p99,
            "embed_ms": round(embedded.p50 - bare.p50, 2),
            "embedded_p50_ms": embedded.p50,
            "embedded_p95_ms": embedded.p95,
            "embedded_p99_ms": embedded.p99,
            "not_embedded_in_time": first.by_words,
            "overloaded": answered.overloaded,
            "sql_ms": round(server_ms, 2),
            "ratio_to_sql": round(bare.p50 / server_ms, 2),
            "processor_sql_ms": round(cost.database * 1000 / len(queries), 2),
            "processor_service_ms": round(service * 1000 / len(queries), 2),
            "echo_p50_ms": echo.p50,
            "ratio_to_echo": round(bare.p50 / echo.p50, 1),
        }

    async def _ask_all(
        self, connection: Connection, person: Person, queries: Sequence[str], callers: int
    ) -> Answered:
        """Ask every query, so many callers at once; who is told to come again does so."""
        answered = Answered()
        waiting = list(reversed(queries))

        async def call() -> None:
            while waiting:
                query = waiting.pop()
                started = time.monotonic()
                packet = await self._ask(connection, person, query)
                while packet.trace_id is None:
                    assert "overloaded" in packet.warnings[0], packet.warnings
                    answered.overloaded += 1
                    packet = await self._ask(connection, person, query)
                answered.seconds.append(time.monotonic() - started)
                answered.by_words += packet.status is not Status.OK

        await asyncio.gather(*(call() for _ in range(callers)))
        return answered

    async def _ask(self, connection: Connection, person: Person, query: str) -> ContextPacket:
        request = ContextRequest(project=PROJECT, subjects=(person.email,), query=query)
        return await MemoryClient(connection).context(request, DEADLINE)

    async def _answering(self, connection: Connection, person: Person) -> None:
        """Wait until the service answers with its model, and ask some more to warm it up."""

        async def look() -> None:
            packet = await self._ask(connection, person, "anything")
            if packet.trace_id is None or packet.status is not Status.OK:
                raise NotYet(f"{packet.warnings}; {self._service.log()}")

        await eventually("an answer with the model", look, WAIT_SECONDS)
        warming = [f"warm up {number} {sentence(self._generator, 2)}" for number in range(WARM_UP)]
        await self._ask_all(connection, person, warming, 1)

    async def _echo(self, connection: Connection) -> Spread:
        """A request that costs nothing but the broker: it is answered with as many bytes."""
        async with self._echoing() as subject:

            async def look() -> None:
                try:
                    await connection.client.request(subject, b"", timeout=5)
                except NoRespondersError as error:
                    raise NotYet("the other account does not see it yet") from error

            await eventually("an echo", look)
            seconds: list[float] = []
            for _ in range(WARM_UP + self._arguments.requests):
                started = time.monotonic()
                await connection.client.request(subject, b"x" * 8_000, timeout=5)
                seconds.append(time.monotonic() - started)
        return Spread.of(seconds[WARM_UP:])

    @asynccontextmanager
    async def _echoing(self) -> AsyncGenerator[str]:
        """A subject of memory's queries on which everything comes back."""

        async def answer(message: Msg) -> None:
            await message.respond(message.data)

        subject = subjects.query(subjects.Query.GOALS, "echo")
        async with self._broker.connected(accounts.MEMORY) as memory:
            await memory.client.subscribe(subject, cb=answer)
            await memory.client.flush()
            yield subject

    def _server_milliseconds(self) -> float:
        """What the database server spent on all but traces, since statements were forgotten."""
        with psycopg.connect(self._url, autocommit=True) as connection:
            row = connection.execute(
                "SELECT sum(total_exec_time + total_plan_time) FROM pg_stat_statements"
                " WHERE query !~ '(INTO|FROM) trace |served.trace_id' AND dbid = ("
                "SELECT oid FROM pg_database WHERE datname = current_database())"
            ).fetchone()
        assert row is not None
        return float(row[0])

    def _register_model(self) -> int:
        model = BundledEmbedder()
        with psycopg.connect(self._url, autocommit=True) as connection:
            row = connection.execute(
                "INSERT INTO embedding_model (name, digest, dimensions) VALUES (%s, %s, %s)"
                " RETURNING id",
                (model.name, model.digest, model.dimensions),
            ).fetchone()
        assert row is not None
        return int(row[0])


if __name__ == "__main__":
    main()
