"""Stands in for a service's program: answers what the stack asks of it over the broker."""

import asyncio
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


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1]))
