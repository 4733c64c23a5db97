"""The order of arrival never shows: shuffled, doubled and split deliveries give one memory."""

import random
from collections.abc import Sequence

import pytest
import pytest_asyncio
from cortex_local import accounts
from cortex_memory.clock import SystemClock
from histories import sample_events
from roxabi_contracts import codec, subjects
from roxabi_contracts.event import RawEvent
from samples import PROJECT
from stack import Stack

SEEDS = (1, 2, 3, 4)
PIECES = 4


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def live(shared_stack: Stack) -> str:
    """The memory after the histories were delivered as they were written."""
    await shared_stack.publish(sample_events())
    await shared_stack.drained()
    dump = shared_stack.dump()
    shared_stack.stop()  # the other tests of the module take its place on the broker
    return dump


async def deliver_twice(stack: Stack, events: Sequence[RawEvent]) -> None:
    """Put each event on the stream twice, past the broker's own memory of what it has seen."""
    async with stack.connected(accounts.SOURCE) as connection:
        jetstream = connection.client.jetstream()
        for event in events:
            for _ in range(2):
                subject = subjects.events(event.source, event.project)
                await jetstream.publish(subject, codec.encode(event))


@pytest.mark.parametrize("seed", SEEDS)
async def test_shuffled_doubled_and_split_deliveries_give_one_dump(
    live: str, stack: Stack, seed: int
) -> None:
    events = sample_events()
    random.Random(seed).shuffle(events)
    size = len(events) // PIECES + 1
    for start in range(0, len(events), size):
        await deliver_twice(stack, events[start : start + size])
        await stack.drained()
    assert stack.dump() == live


async def test_observations_delivered_again_and_again_change_nothing(
    live: str, stack: Stack
) -> None:
    stream = (subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)
    await stack.keep(subjects.STREAM_OBSERVATIONS)
    await stack.publish(sample_events())
    await stack.drained()
    observations = await stack.messages(*stream)
    async with stack.connected(accounts.INSIGHT) as connection:
        for observation in [*observations, *reversed(observations)]:
            await connection.client.jetstream().publish(subjects.OBSERVATIONS, observation)
    assert len(await stack.messages(*stream)) == 3 * len(observations)
    await stack.drained()
    assert stack.dump() == live


def test_the_dump_is_worth_comparing(live: str) -> None:
    for status in ("active", "superseded", "ended"):
        assert f'"{status}"' in live
    assert "conflict" in live
    assert len(live.splitlines()) > 50


def test_a_rebuild_gives_the_dump_of_the_live_memory(live: str, shared_stack: Stack) -> None:
    shared_stack.memory.run("rebuild", "--project", PROJECT)
    assert shared_stack.dump() == live


def test_the_dump_computed_from_the_journal_is_the_stored_one(
    live: str, shared_stack: Stack
) -> None:
    now = SystemClock().now().isoformat()
    assert shared_stack.dump(PROJECT, "--now", now) == live
