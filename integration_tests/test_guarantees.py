"""One memory from the same raw events, whatever order, doubling or re-reading came between."""

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

import pytest
import pytest_asyncio
from cortex_local import accounts
from histories import sample_events
from roxabi_contracts import codec, subjects
from roxabi_contracts.event import RawEvent
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import Claim
from stack import Stack

SEEDS: Final = (11, 12)
PIECES: Final = 4
FORMER_HOME: Final = "Atlantis"


@dataclass(frozen=True)
class Calm:
    """What a delivery in the written order left: the dump, and what the lake had said."""

    dump: str
    observations: Sequence[Observation]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def calm(shared_stack: Stack) -> Calm:
    """The histories, delivered once as they were written."""
    await shared_stack.keep(subjects.STREAM_OBSERVATIONS)
    await shared_stack.publish(sample_events())
    await shared_stack.drained()
    found = Calm(shared_stack.dump(), await said_by_the_lake(shared_stack))
    shared_stack.stop()  # the tests take its place on the broker
    return found


async def said_by_the_lake(stack: Stack) -> list[Observation]:
    messages = await stack.messages(subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)
    return [codec.decode(message, Observation) for message in messages]


def results_before_calls(seed: int) -> list[RawEvent]:
    """All events in an order of the seed's, but no result of a tool after any other event."""
    events = sample_events()
    random.Random(seed).shuffle(events)
    return sorted(events, key=lambda event: b"tool_result" not in codec.encode(event))


def of_a_former_parser(observation: Observation) -> Observation:
    """The same record as the version before would have read it: other words, another claim."""
    words = f"I live in {FORMER_HOME}."
    claim = Claim(
        about=observation.subject,
        predicate="lives_in",
        value={"value": FORMER_HOME},
        evidence=words,
    )
    made_by = observation.made_by
    return Observation.of(
        observation.payload.model_copy(update={"text": words, "claims": (claim,)}),
        project_id=observation.project_id,
        source=observation.source,
        source_ref=observation.source_ref,
        timestamp=observation.timestamp,
        actors=observation.actors,
        subject=observation.subject,
        origin=observation.origin,
        made_by=made_by.model_copy(update={"parser": made_by.parser - 1}),
        correlation=observation.correlation,
        sequence=observation.sequence,
        revision=observation.revision,
    )


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


async def deliver_observations(stack: Stack, observations: Sequence[Observation]) -> None:
    """Put the observations on memory's stream as the lake does, and let them settle."""
    async with stack.connected(accounts.INSIGHT) as connection:
        for each in observations:
            await connection.client.jetstream().publish(subjects.OBSERVATIONS, codec.encode(each))
    await stack.drained()


@pytest.mark.parametrize("seed", SEEDS)
async def test_shuffled_split_doubled_and_read_again_gives_the_calm_dump(
    calm: Calm, stack: Stack, seed: int
) -> None:
    await stack.keep(subjects.STREAM_OBSERVATIONS)
    events = results_before_calls(seed)
    size = len(events) // PIECES + 1
    pieces = [events[start : start + size] for start in range(0, len(events), size)]
    for piece in pieces[: PIECES // 2]:
        await deliver_events(stack, piece)

    former = [of_a_former_parser(observation) for observation in calm.observations]
    await deliver_observations(stack, former)
    assert FORMER_HOME in stack.dump(), "what a former parser read counts until it is read anew"

    for piece in pieces[PIECES // 2 :]:
        await deliver_events(stack, piece)
    await deliver_observations(stack, former)

    assert stack.dump() == calm.dump
    former_ids = {observation.id for observation in former}
    lake = [seen for seen in await said_by_the_lake(stack) if seen.id not in former_ids]
    assert read_more_than_once(lake), "no record was read again with more neighbours"
    assert await stack.rejected_observations() == []
