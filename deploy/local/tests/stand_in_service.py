"""Stands in for a service's program: answers what the stack asks of it over the broker."""

import asyncio
import json
import os
import signal
import sys
from pathlib import Path

from nats.aio.msg import Msg
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import Contract
from roxabi_contracts.client import connect
from roxabi_contracts.operations import MemoryStats, SourcesReply
from roxabi_contracts.subjects import InsightCommand, Query

PROJECT = "personal"


def reply_of(service: str) -> tuple[str, Contract]:
    if service == "insight":
        return subjects.insight_command(InsightCommand.SOURCES, PROJECT), SourcesReply(
            project=PROJECT, sources=()
        )
    return subjects.query(Query.STATS, PROJECT), MemoryStats(
        project=PROJECT,
        observations=0,
        facts={},
        entities=0,
        conflicts_open=0,
        outcomes={},
        requests=0,
        queues=(),
        embedder=None,
        rejected=0,
    )


async def serve(service: str) -> None:
    connection = await connect(
        os.environ["CORTEX_NATS_URL"],
        name=service,
        seed_file=Path(os.environ[f"CORTEX_{service.upper()}_NATS_SEED_FILE"]),
        inbox_prefix=f"_INBOX_{service}",
        wait=True,
    )
    subject, reply = reply_of(service)

    async def answer(message: Msg) -> None:
        headers = codec.headers_of(reply)
        await connection.client.publish(
            message.reply, codec.encode(reply, headers), headers=headers
        )

    await connection.client.subscribe(subject, cb=answer)
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    await stopped.wait()
    await connection.close()


def print_import(arguments: list[str]) -> None:
    """Write progress as the lake's import does.

    The source `broken` fails, `unknown` is none, `endless` waits; of `known` nothing is new, and
    one record of `repeated` is skipped again.
    """
    if arguments[0] == "broken":
        sys.stderr.write("a log line\ncortex-insight: the lake is on fire\n")
        sys.exit(1)
    if arguments[0] == "unknown":
        sys.stderr.write("cortex-insight: no parser reads 'unknown'\n")
        sys.exit(2)
    known = {"known": 3, "repeated": 2}.get(arguments[0], 0)
    counts = {"files": 1, "events": 3, "known": known, "observations": 2, "rejected": 1}
    if known:
        counts |= {"observations": 0, "rejected": 0, "skipped": 3 - known}
    else:
        counts["published"] = 3
    print("not a line of progress", flush=True)
    print(json.dumps({**counts, "events": 2}), flush=True)
    if arguments[0] == "endless":
        Path(arguments[1]).write_text("started")
        signal.pause()
    print(json.dumps({**counts, "reasons": {"truncated line": 1}, "done": True}), flush=True)


if __name__ == "__main__":
    service, command, *rest = sys.argv[1:]
    if command == "serve":
        asyncio.run(serve(service))
    elif command == "import":
        print_import(rest)
    else:
        print(json.dumps([command, *rest]))
