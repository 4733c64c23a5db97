"""One memory from the same raw events, whatever order, doubling or re-reading came between."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Final

import pytest
import pytest_asyncio
from cortex_local import accounts
from diary_source import FORMER_HOME, SOURCE, DiaryParser, FormerDiaryParser, install
from histories import MIRA, sample_events
from pydantic import JsonValue
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import UpkeepClient
from roxabi_contracts.event import JsonBody, RawEvent
from roxabi_contracts.observation import Observation
from roxabi_contracts.upkeep import ReplayPage, ReplayRequest
from samples import FIRST_DAY, PROJECT, owner
from stack import Stack

SEEDS: Final = (11, 12)
PIECES: Final = 4
HOMES: Final = ("Oslo", "Bergen", "Tromso", "Bodo", "Narva", "Turku")


def diary() -> list[RawEvent]:
    """Entries of a diary; every second answers the one before."""
    return [_entry(day, home) for day, home in enumerate(HOMES)]


def _entry(day: int, home: str) -> RawEvent:
    content: dict[str, JsonValue] = {"text": f"Day {day}.", "home": home}
    if day % 2:
        content["answers"] = f"entry {day - 1}"
    return RawEvent(
        project=PROJECT,
        source=SOURCE,
        source_ref=f"entry {day}",
        media_type="application/json",
        body=JsonBody(content=content),
        occurred_at=FIRST_DAY + timedelta(days=day),
        owner=owner(MIRA),
    )


def history() -> list[RawEvent]:
    return [*sample_events(), *diary()]


@pytest.fixture(scope="module")
def plugins(tmp_path_factory: pytest.TempPathFactory) -> dict[type[DiaryParser], Path]:
    """Where each version of the package is installed."""
    folders = {
        parser: tmp_path_factory.mktemp("site") for parser in (FormerDiaryParser, DiaryParser)
    }
    for parser, folder in folders.items():
        install(folder, parser)
    return folders


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack, plugins: dict[type[DiaryParser], Path]) -> str:
    """What is left when all is delivered once, as it was written, to the newer parser alone."""
    await restart(shared_stack, plugins[DiaryParser])
    await shared_stack.publish(history())
    await shared_stack.drained()
    found = shared_stack.dump()
    shared_stack.stop()  # the tests take its place on the broker
    return found


async def restart(stack: Stack, plugin: Path) -> None:
    """Have the lake go on with the package that is installed there."""
    assert stack.insight.stop() in (0, None)
    stack.insight.start(PYTHONPATH=str(plugin))
    await stack.answering()


async def said_by_the_lake(stack: Stack) -> list[Observation]:
    messages = await stack.messages(subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)
    return [codec.decode(message, Observation) for message in messages]


def results_before_calls(seed: int) -> list[RawEvent]:
    """All events in an order of the seed's, but no result of a tool after any other event."""
    events = history()
    random.Random(seed).shuffle(events)
    return sorted(events, key=lambda event: b"tool_result" not in codec.encode(event))


def read_more_than_once(observations: Iterable[Observation]) -> list[str]:
    """The records that one parser read with different sets of neighbours."""
    seen: defaultdict[str, set[int]] = defaultdict(set)
    for observation in observations:
        seen[observation.source_ref].add(observation.made_by.neighbours)
    return [record for record, neighbours in seen.items() if len(neighbours) > 1]


async def deliver_events(stack: Stack, events: Sequence[RawEvent]) -> None:
    """Put the events on their stream twice, past the broker's own memory, and let them settle."""
    async with stack.connected(accounts.SOURCE) as connection:
        for event in [*events, *events]:
            subject = subjects.events(event.source, event.project)
            await connection.client.jetstream().publish(subject, codec.encode(event))
    await stack.drained()


async def deliver_again(stack: Stack, observations: Sequence[Observation]) -> None:
    """Put observations on memory's stream once more, and let them settle."""
    async with stack.connected(accounts.INSIGHT) as connection:
        for each in observations:
            await connection.client.jetstream().publish(subjects.OBSERVATIONS, codec.encode(each))
    await stack.drained()


async def replay(stack: Stack, source: str) -> list[ReplayPage]:
    """Have the lake read the source again, and let what comes of it settle."""
    async with stack.connected() as connection:
        asked = ReplayRequest(project=PROJECT, source=source)
        pages = [page async for page in UpkeepClient(connection).replay(asked)]
    await stack.drained()
    return pages


@pytest.mark.parametrize("seed", SEEDS)
async def test_shuffled_split_doubled_and_read_again_gives_the_calm_dump(
    calm: str, stack: Stack, plugins: dict[type[DiaryParser], Path], seed: int
) -> None:
    await stack.keep(subjects.STREAM_OBSERVATIONS)
    events = results_before_calls(seed)
    size = len(events) // PIECES + 1
    pieces = [events[start : start + size] for start in range(0, len(events), size)]
    await restart(stack, plugins[FormerDiaryParser])
    for piece in pieces[: PIECES // 2]:
        await deliver_events(stack, piece)
    await deliver_events(stack, diary()[::2])
    assert FORMER_HOME in stack.dump(), "what a former parser read counts until it is read anew"
    former = [seen for seen in await said_by_the_lake(stack) if FORMER_HOME in seen.payload.text]

    await restart(stack, plugins[DiaryParser])
    for piece in pieces[PIECES // 2 :]:
        await deliver_events(stack, piece)
    assert sum(page.counts.changed for page in await replay(stack, SOURCE)) > 0
    assert stack.dump() == calm

    await restart(stack, plugins[FormerDiaryParser])
    assert {page.counts.kept for page in await replay(stack, SOURCE)} == {0, len(HOMES)}
    await deliver_events(stack, events)
    await deliver_again(stack, former)

    assert stack.dump() == calm
    assert read_more_than_once(await said_by_the_lake(stack)), "nothing was read with more"
    assert await stack.rejected_observations() == []
