"""Stands in for a service's program: answers what the stack asks of it over the broker."""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from nats.aio.msg import Msg
from roxabi_contracts import codec, subjects
from roxabi_contracts.base import Contract
from roxabi_contracts.client import connect
from roxabi_contracts.names import PredicateRecord, PredicatesReply
from roxabi_contracts.operations import MemoryStats, SourcesReply, SourceStats
from roxabi_contracts.predicates import CatalogueLayer
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query
from roxabi_contracts.upkeep import ForgetReceipt, ForgetRequest

PROJECT = "personal"
CHANGED_PROJECT = "harbour"
"""Its catalogue is not the one by which its facts were computed."""


STATS = MemoryStats(
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


CHANGED = STATS.model_copy(update={"project": CHANGED_PROJECT, "catalogue_changed": True})

PREDICATES = PredicatesReply(
    project=CHANGED_PROJECT,
    predicates=(
        PredicateRecord(
            name="editor",
            names=("chosen_tool", "editor"),
            layers={"chosen_tool": CatalogueLayer.PROJECT, "editor": CatalogueLayer.SHIPPED},
            description="The program.",
            sayings=3,
            memories=2,
        ),
        PredicateRecord(
            name="mooring",
            names=(),
            layers={"mooring": CatalogueLayer.INSTALLATION},
            description="The quay.",
            sayings=0,
            memories=0,
        ),
        PredicateRecord(name="whim", names=("whim",), description=None, sayings=1, memories=1),
    ),
    verdicts=(),
)


SOURCES = (
    SourceStats(
        source="message", events=3, observations=2, rejected=1, record_types={"smell@2": 4}
    ),
    SourceStats(source="gone", events=1, observations=0, rejected=0),
)


def replies_of(service: str) -> dict[str, Callable[[bytes], Contract]]:
    """What the service answers, by subject."""
    if service == "insight":
        sources = SourcesReply(project=PROJECT, sources=SOURCES)
        return {subjects.insight_command(InsightCommand.SOURCES, PROJECT): lambda data: sources}
    forgetting = Forgetting()
    return {
        subjects.query(Query.STATS, PROJECT): lambda data: STATS,
        subjects.query(Query.STATS, CHANGED_PROJECT): lambda data: CHANGED,
        subjects.query(Query.PREDICATES, CHANGED_PROJECT): lambda data: PREDICATES,
        subjects.memory_command(MemoryCommand.FORGET, PROJECT): forgetting.answer,
    }


class Forgetting:
    """Forgets a request when it is asked for the second time."""

    def __init__(self) -> None:
        self._asked: set[bytes] = set()

    def answer(self, data: bytes) -> ForgetReceipt:
        request = codec.decode(data, ForgetRequest)
        known = data in self._asked
        self._asked.add(data)
        return ForgetReceipt(
            forget_id="f",
            project=PROJECT,
            scope=request.scope,
            mode=request.mode,
            requested_at=request.requested_at,
            known=known,
            finished=known,
            removed={"raw_events": 2},
            kept_digests=4,
        )


async def serve(service: str) -> None:
    connection = await connect(
        os.environ["CORTEX_NATS_URL"],
        name=service,
        seed_file=Path(os.environ[f"CORTEX_{service.upper()}_NATS_SEED_FILE"]),
        inbox_prefix=f"_INBOX_{service}",
        wait=True,
    )
    replies = replies_of(service)

    async def answer(message: Msg) -> None:
        reply = replies[message.subject](message.data)
        headers = codec.headers_of(reply)
        await connection.client.publish(
            message.reply, codec.encode(reply, headers), headers=headers
        )

    for subject in replies:
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
    left_out = {
        "reasons": {"truncated line": 1},
        "places": {"truncated line": ["chat.jsonl at byte 7"]},
        "unknown_types": {"message smell@2": 4},
    }
    print(json.dumps({**counts, **left_out, "done": True}), flush=True)


def print_parsed(arguments: list[str]) -> None:
    """Write what files say as the lake's program does; of `nothing` nothing is said."""
    if arguments[0] == "unknown":
        sys.stderr.write("cortex-insight: no parser reads 'unknown'\n")
        sys.exit(2)
    if arguments[0] != "nothing":
        claim = {"predicate": "lives_in"}
        for moment, text in ((0, "I live in Lyon"), (86_400_000, "I  use\npnpm")):
            print(
                json.dumps(
                    {
                        "source": "message",
                        "category": "Statement",
                        "timestamp": moment,
                        "payload_typed": {"text": text, "claims": [claim]},
                    }
                )
            )
        print(json.dumps({"unknown_type": "smell@2", "count": 3}))
    print(json.dumps({"skipped": "truncated line", "place": "a file", "offset": 7}))
    print(json.dumps({"rejected": "empty_text", "reason": "a message has a text"}))


if __name__ == "__main__":
    service, command, *rest = sys.argv[1:]
    if command == "serve":
        asyncio.run(serve(service))
    elif command == "import":
        print_import(rest)
    elif command == "parse":
        print_parsed(rest)
    elif command == "sources":
        print(json.dumps({"source": "message", "title": "Messages as JSON", "version": 1}))
    else:
        print(json.dumps([command, *rest]))
