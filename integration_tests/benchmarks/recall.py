"""How much of the evidence memory serves: conversations go in by the pipeline, questions follow.

Every turn of a conversation in the LoCoMo format becomes a message, by its speaker, at the date of
its session, in a memory of that conversation. Then every question is asked, once for each budget.
Printed is the mean share of a question's evidence turns that the packet holds, and that its first
ten episodes hold, beside plain rankings of all turns by BM25 and by cosine similarity.
"""

import argparse
import asyncio
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psycopg
from cortex_local.backlog import measure_backlog
from cortex_memory.clock import SystemClock, now_ms
from cortex_memory.recall.profiles import DEFAULT
from databases import DatabaseServer
from embedded import EmbeddedBroker, EmbeddedPostgres
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest
from services import Broker, Servers, fresh_streams
from stack import ANSWER_SECONDS, Stack, endpoints_on

from benchmarks.conversations import PROJECT, Conversation, corrected, read_conversations
from benchmarks.kept_vectors import KeptVectors
from benchmarks.not_taken import NOT_TAKEN
from benchmarks.offline import ABLATIONS, OfflineMemory
from benchmarks.plain_rankings import by_meaning, by_words
from benchmarks.recall_figures import (
    BUDGETS,
    FIRST,
    Held,
    Measured,
    held_by_ranking,
    print_heading,
    print_line,
    print_table,
    summary,
)

LOOK_SECONDS: Final = 10.0
AT_ONCE: Final = 2


@dataclass(frozen=True)
class Arguments:
    """What is measured."""

    data: Path
    corrections: Path | None
    cache: Path | None
    offline: bool


def main() -> None:
    """Ingest, ask, print the tables, and end with one line of JSON."""
    arguments = parse_arguments()
    conversations = read_conversations(arguments.data)
    if arguments.offline:
        report_offline(conversations, KeptVectors(arguments.cache), arguments.corrections)
        return
    with tempfile.TemporaryDirectory(prefix="cortex-") as folder, ExitStack() as servers:
        postgres, broker = EmbeddedPostgres(Path(folder, "p")), EmbeddedBroker(Path(folder, "n"))
        servers.callback(postgres.remove)
        servers.callback(broker.remove)
        postgres.start()
        broker.start()
        databases = DatabaseServer(postgres.superuser, dict(os.environ))
        databases.prepare()
        pair = servers.enter_context(databases.fresh_pair())
        found = Servers(postgres.superuser, Broker(broker.url, broker.seeds))
        stack = Stack(endpoints_on(found, pair), os.environ, Path(folder))
        try:
            served = asyncio.run(serve(found, stack, conversations))
        finally:
            stack.end()
    report_plain(conversations, KeptVectors(arguments.cache))
    report(conversations, served, arguments.corrections)


def parse_arguments() -> Arguments:
    """The files, as given."""
    parser = argparse.ArgumentParser(prog="bench-recall", description=__doc__)
    parser.add_argument("data", type=Path, help="conversations in the LoCoMo format")
    parser.add_argument(
        "--corrections",
        type=Path,
        help="corrected evidence, scored beside: a list of {sample_id, question, evidence}",
    )
    parser.add_argument("--cache", type=Path, help="a folder that keeps vectors between runs")
    parser.add_argument(
        "--offline",
        action="store_true",
        help="without servers: the same scoring over vectors at hand, and what each part is worth",
    )
    return Arguments(**vars(parser.parse_args()))


async def serve(
    servers: Servers, stack: Stack, conversations: Sequence[Conversation]
) -> list[list[Held]]:
    """Ingest all conversations and ask all questions; what was served, by conversation."""
    await fresh_streams(servers.broker)
    await stack.start()
    events = [event for conversation in conversations for event in conversation.events()]
    note(f"ingesting {len(events)} turns of {len(conversations)} conversations")
    await stack.publish(events)
    await until_retained(stack)
    names = turn_names(stack.endpoints.memory)
    return [await ask_all(stack, conversation, names) for conversation in conversations]


async def until_retained(stack: Stack) -> None:
    """Wait until every turn is retained and has its vector, telling how many are left."""
    while True:
        backlog = await measure_backlog(stack.endpoints, PROJECT)
        note(f"{backlog.total} turns and {backlog.vectors} vectors to go")
        if not (backlog.total or backlog.vectors):
            return
        await asyncio.sleep(LOOK_SECONDS)


async def ask_all(stack: Stack, conversation: Conversation, names: Mapping[str, str]) -> list[Held]:
    """What memory serves for each question of a conversation."""
    places = asyncio.Semaphore(AT_ONCE)
    async with stack.connected() as connection:
        client = MemoryClient(connection)

        async def ask(question: str) -> Held:
            packets: list[ContextPacket] = []
            for budget in BUDGETS:
                request = ContextRequest(
                    project=PROJECT,
                    subjects=(conversation.email,),
                    query=question,
                    budget_tokens=budget,
                )
                async with places:
                    packets.append(await client.context(request, deadline=ANSWER_SECONDS))
            return held_by_packets(packets, names)

        asked = await asyncio.gather(*(ask(each.question) for each in conversation.asked))
    note(f"asked {len(asked)} questions of {conversation.id}")
    return asked


def held_by_packets(packets: Sequence[ContextPacket], names: Mapping[str, str]) -> Held:
    """The turns that packets of growing budgets serve as episodes."""
    turns = [[names[one.event_id] for one in packet.episodes] for packet in packets]
    return Held((frozenset(turns[-1][:FIRST]), *map(frozenset, turns)))


def turn_names(memory: str) -> dict[str, str]:
    """The turn that each stored episode is."""
    with psycopg.connect(memory) as connection:
        found = connection.execute(
            "SELECT observation_id, source_ref FROM episode WHERE project = %s", (PROJECT,)
        ).fetchall()
    return {str(id): str(reference).rpartition("/")[2] for id, reference in found}


def report_plain(conversations: Sequence[Conversation], vectors: KeptVectors) -> None:
    """Print what plain rankings hold."""
    note("embedding turns and questions for the plain ranking by cosine")
    turns = vectors.of_turns(turn.spoken for one in conversations for turn in one.turns)
    questions = vectors.of_questions(each.question for one in conversations for each in one.asked)
    worded = [[held_by_ranking(ranked) for ranked in by_words(one)] for one in conversations]
    near = [
        [held_by_ranking(ranked) for ranked in by_meaning(one, turns, questions)]
        for one in conversations
    ]
    print_table("plain BM25", paired(conversations, worded))
    print_table("plain cosine", paired(conversations, near))


def report_offline(
    conversations: Sequence[Conversation], vectors: KeptVectors, corrections: Path | None
) -> None:
    """Print what each part of the default profile is worth, and the last line."""
    turns = vectors.of_turns(turn.spoken for one in conversations for turn in one.turns)
    questions = vectors.of_questions(each.question for one in conversations for each in one.asked)
    now = now_ms(SystemClock())

    def memories(*, centred: bool) -> list[OfflineMemory]:
        return [OfflineMemory(one, turns, questions, now, centred=centred) for one in conversations]

    kept = memories(centred=True)
    print_heading("what it is worth")
    for name, profile in ABLATIONS.items():
        held = [list(memory.held(profile)) for memory in kept]
        print_line(name, paired(conversations, held))
    held = [list(memory.held(DEFAULT)) for memory in memories(centred=False)]
    print_line("without the middle", paired(conversations, held))
    for name, order in NOT_TAKEN.items():
        held = [list(memory.held(DEFAULT, order)) for memory in kept]
        print_line(name, paired(conversations, held))
    print()
    report(conversations, [list(memory.held(DEFAULT)) for memory in kept], corrections)


def report(
    conversations: Sequence[Conversation],
    served: Sequence[Sequence[Held]],
    corrections: Path | None,
) -> None:
    """Print what memory served, with the evidence as given and as corrected, and the last line."""
    measured = paired(conversations, served)
    print_table("memory", measured)
    better = corrected(conversations, corrections)
    if better is not None:
        print_table("memory, corrected", paired(better, served))
    print(json.dumps(summary(measured)))


def paired(conversations: Iterable[Conversation], held: Iterable[Sequence[Held]]) -> list[Measured]:
    """Each question with what was held for it."""
    return [
        Measured(asked, one)
        for conversation, each in zip(conversations, held, strict=True)
        for asked, one in zip(conversation.asked, each, strict=True)
        if asked.evidence
    ]


def note(text: str) -> None:
    """Say how far it is."""
    sys.stderr.write(f"{time.strftime('%H:%M:%S')} {text}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    main()
