"""Measures requests for context on a synthetic memory: `python -m recall.measure_context`.

Needs `CORTEX_POSTGRES_URL`; makes a database of its own and drops it. The query's vector is
ready-made: embedding it is not measured.
"""

import argparse
import asyncio
import json
import os
from collections.abc import Sequence

import numpy as np
import psycopg
from cortex_memory.answer_context import ContextAnswerer
from cortex_memory.clock import SystemClock
from cortex_memory.embed.port import Vector
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.store.db import connection, open_pool
from cortex_memory.store.embeddings import register_model
from cortex_memory.store.migrate import migrate
from cortex_memory.trace_log import TraceLog
from psycopg import sql
from psycopg.conninfo import make_conninfo
from recall.synthetic import DIMENSIONS, PROJECT, Person, fill, sentence
from roxabi_contracts.context import ContextRequest
from roxabi_contracts.predicates import bundled_catalogue


class ReadyVectors:
    """An embedder that costs nothing: a vector per text, of the text's own seed."""

    name = "ready"
    digest = "ready"
    dimensions = DIMENSIONS

    def embed_query(self, text: str) -> Vector:
        return np.random.default_rng(len(text)).standard_normal(DIMENSIONS).astype(np.float32)

    def embed_passages(self, texts: Sequence[str]) -> list[Vector]:
        return [self.embed_query(text) for text in texts]


async def measure(url: str, person: Person, requests: int, callers: int) -> dict[str, float]:
    """The latency of requests over the answerer itself, in milliseconds."""
    generator = np.random.default_rng(11)
    ready = ReadyVectors()
    times: list[float] = []
    loop = asyncio.get_running_loop()
    async with open_pool(url, size=max(4, callers)) as pool:
        with EmbeddingService(lambda: ready) as service:
            service.embedder = ready
            traces, stopping = TraceLog(pool), asyncio.Event()
            writing = asyncio.create_task(traces.run(stopping))
            answerer = ContextAnswerer(pool, SystemClock(), bundled_catalogue(), service, traces)

            async def call() -> None:
                for _ in range(requests):
                    query = f"what about {sentence(generator, 2)} then"
                    started = loop.time()
                    packet = await answerer.answer(
                        ContextRequest(project=PROJECT, subjects=(person.email,), query=query)
                    )
                    times.append((loop.time() - started) * 1000)
                    assert packet.facts

            async with connection(pool) as transaction:
                await register_model(transaction, ready.name, ready.digest, ready.dimensions)
            for _ in range(10):
                await answerer.answer(
                    ContextRequest(project=PROJECT, subjects=(person.email,), query="warm up")
                )
            await asyncio.gather(*(call() for _ in range(callers)))
            stopping.set()
            await writing
    p50, p95, p99 = np.percentile(times, [50, 95, 99])
    return {"p50_ms": round(p50, 2), "p95_ms": round(p95, 2), "p99_ms": round(p99, 2)}


def main() -> None:
    """Fill, measure, print one line of JSON for each number of callers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--facts", type=int, default=10_000)
    parser.add_argument("--episodes", type=int, default=10_000)
    parser.add_argument("--scopes", type=int, default=1)
    parser.add_argument("--requests", type=int, default=200)
    parser.add_argument("--callers", type=int, nargs="+", default=[1])
    arguments = parser.parse_args()
    server = os.environ["CORTEX_POSTGRES_URL"]
    name = sql.Identifier(f"measure_context_{os.getpid()}")
    with psycopg.connect(server, autocommit=True) as connected:
        connected.execute(sql.SQL("CREATE DATABASE {}").format(name))
        try:
            url = make_conninfo(server, dbname=name.as_string().strip('"'))
            asyncio.run(migrate(url))
            people = fill(url, arguments.scopes, arguments.facts, arguments.episodes)
            for callers in arguments.callers:
                figures = asyncio.run(measure(url, people[0], arguments.requests, callers))
                shape = {
                    "facts_in_scope": arguments.facts,
                    "facts_in_store": arguments.facts * arguments.scopes,
                    "callers": callers,
                }
                print(json.dumps(shape | figures))
        finally:
            connected.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


if __name__ == "__main__":
    main()
