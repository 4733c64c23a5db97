"""What it costs to retain an observation with one claim, durably, from the inbox to its facts.

Every load is measured beside a baseline that takes turns with it, slice by slice, on one server.
Inbox and workers run in this process; vectors, which follow in the background, are not counted.
"""

import argparse
import asyncio
import cProfile
import json
import pstats
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
import structlog
from cortex_memory.garbage import collect_rarely
from cortex_memory.store.db import open_pool
from cortex_memory.store.migrate import migrate
from embedded import EmbeddedPostgres
from memory.warehouse import FixedClock, Warehouse
from psycopg import sql
from psycopg.conninfo import make_conninfo
from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.observation import Observation

from benchmarks import loads
from benchmarks.filling import multiply
from benchmarks.meters import Cost, Meter, forget_statements, print_statements

INBOX_BATCH: Final = 500
NOW_MS: Final = loads.BEGIN_MS + 10**11
TEMPLATE: Final = "bench_template"
SMALL: Final = 10_000


@dataclass(frozen=True)
class Arguments:
    """How much is measured."""

    observations: int
    people: int
    slice: int
    stored: int
    workers: int


@dataclass(frozen=True)
class Contestant:
    """A load on a database of its own."""

    name: str
    said: Sequence[Observation]
    warehouse: Warehouse


def main() -> None:
    """Measure, print the distributions, and end with one line of JSON."""
    arguments = parse_arguments()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(50))
    with tempfile.TemporaryDirectory(prefix="cortex-") as folder:
        postgres = EmbeddedPostgres(Path(folder, "p"))
        try:
            postgres.start()
            print(json.dumps(asyncio.run(Benchmark(postgres.superuser, arguments).run())))
        finally:
            postgres.remove()


def parse_arguments() -> Arguments:
    """The sizes, as given or by default."""
    parser = argparse.ArgumentParser(prog="bench-retain", description=__doc__)
    parser.add_argument("--observations", type=int, default=10_000, help="of every load")
    parser.add_argument("--people", type=int, default=1_000, help="memories of a spread load")
    parser.add_argument("--slice", type=int, default=1_000, help="observations between two turns")
    parser.add_argument(
        "--stored", type=int, default=100_000, help="in the large store; in full: 1000000"
    )
    parser.add_argument("--workers", type=int, default=2, help="as CORTEX_MEMORY_WORKERS")
    return Arguments(**vars(parser.parse_args()))


class Benchmark:
    """All measurements on one database server."""

    def __init__(self, superuser: str, arguments: Arguments) -> None:
        self._superuser = superuser
        self._arguments = arguments
        with self._connect("postgres") as connection:
            (data_folder,) = connection.execute("SHOW data_directory").fetchone() or ("",)
        self._meter = Meter(Path(str(data_folder)))

    async def run(self) -> dict[str, float]:
        """Every measurement; the figures of the last line."""
        self._create(TEMPLATE, "template0")
        with self._connect(TEMPLATE) as connection:
            connection.execute("CREATE EXTENSION vector")
        await migrate(self._url(TEMPLATE))
        shapes = await self.measure_shapes()
        sizes = await self.measure_sizes()
        spread = shapes["spread"]
        hot = [shapes[name] for name in ("one subject", "one slot", "one value", "many values")]
        return {
            "observations_per_second": round(1 / spread.each, 1),
            "ratio_1m_to_10k": _ratio(sizes["large store"], sizes["small store"]),
            "hot_subject_ratio": max(_ratio(cost, spread) for cost in hot),
            "late_ratio": _ratio(shapes["late"], spread),
            "stored": self._arguments.stored,
            "processor_ms_per_observation": round(spread.processor * 1000, 3),
        }

    async def measure_shapes(self) -> Mapping[str, Cost]:
        """Loads of different shapes, each into an empty store."""
        count, people = self._arguments.observations, self._arguments.people
        said = loads.spread(count, people)
        shapes = {
            "spread": said,
            "one subject": loads.one_subject(count),
            "one slot": loads.one_slot(count),
            "one value": loads.one_value(count),
            "many values": loads.many_values(count),
            "late": loads.late(said),
        }
        async with AsyncExitStack() as stack:
            contestants = [
                await self._contestant(stack, name, TEMPLATE, load) for name, load in shapes.items()
            ]
            costs = await self._take_turns(contestants)
            print(f"retaining {count} observations into an empty store:")
            show(costs.values())
            await self._explain(contestants[0], people)
        return costs

    async def measure_sizes(self) -> Mapping[str, Cost]:
        """One load into a small store and into a large one."""
        people = self._arguments.people
        self._create("prefilled", TEMPLATE)
        async with AsyncExitStack() as stack:
            first = await self._contestant(stack, "prefill", "prefilled", [], fresh=False)
            await self._retain(first.warehouse, loads.spread(SMALL, people))
        multiply(self._url("prefilled"), 1)
        self._create("multiplied", "prefilled")
        multiply(self._url("multiplied"), max(1, self._arguments.stored // SMALL))
        said = loads.spread(self._arguments.observations, people, start=SMALL)
        async with AsyncExitStack() as stack:
            contestants = [
                await self._contestant(stack, "small store", "prefilled", said, fresh=False),
                await self._contestant(stack, "large store", "multiplied", said, fresh=False),
            ]
            costs = await self._take_turns(contestants)
        print(f"retaining as many with {SMALL} stored, and with {self._arguments.stored}:")
        show(costs.values())
        return costs

    async def _take_turns(self, contestants: Sequence[Contestant]) -> dict[str, Cost]:
        costs = {each.name: Cost(each.name) for each in contestants}
        collect_rarely()  # as the service does; the loads, which only we hold, are left out too
        size = self._arguments.slice
        for start in range(0, self._arguments.observations, size):
            for each in contestants:
                said = each.said[start : start + size]
                with self._meter.measure(costs[each.name], len(said)):
                    await self._retain(each.warehouse, said)
        return costs

    async def _retain(self, warehouse: Warehouse, said: Sequence[Observation]) -> None:
        for start in range(0, len(said), INBOX_BATCH):
            await warehouse.inbox.store(said[start : start + INBOX_BATCH])
        await warehouse.drain(self._arguments.workers)

    async def _explain(self, contestant: Contestant, people: int) -> None:
        """Where the time of one more, uncounted slice goes."""
        forget_statements(self._superuser)
        said = loads.spread(self._arguments.slice, people, start=len(contestant.said))
        profile = cProfile.Profile()
        with profile:
            await self._retain(contestant.warehouse, said)
        print_statements(self._superuser, f"{len(said)} more")
        print(f"{len(said)} more, functions by their own time, under a profiler:")
        pstats.Stats(profile).strip_dirs().sort_stats("tottime").print_stats(25)

    async def _contestant(
        self,
        stack: AsyncExitStack,
        name: str,
        database: str,
        said: Sequence[Observation],
        *,
        fresh: bool = True,
    ) -> Contestant:
        if fresh:
            database = self._create(name, database)
        pool = await stack.enter_async_context(open_pool(self._url(database), size=6))
        clock = FixedClock(from_epoch_ms(NOW_MS))
        return Contestant(name, said, Warehouse(pool, clock=clock))

    def _create(self, name: str, template: str) -> str:
        create = sql.SQL("CREATE DATABASE {} TEMPLATE {}")
        with self._connect("postgres") as connection:
            connection.execute(create.format(sql.Identifier(name), sql.Identifier(template)))
        return name

    def _connect(self, database: str) -> psycopg.Connection:
        return psycopg.connect(self._url(database), autocommit=True)

    def _url(self, database: str) -> str:
        return make_conninfo(self._superuser, dbname=database)


def show(costs: Iterable[Cost]) -> None:
    """Print what each cost, beside the first."""
    listed = list(costs)
    for cost in listed:
        cost.show(listed[0])


def _ratio(cost: Cost, base: Cost) -> float:
    return round(cost.each / base.each, 2)


if __name__ == "__main__":
    main()
