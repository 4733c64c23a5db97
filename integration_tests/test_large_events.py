"""A large event goes through both services, whatever dies on its way."""

import pytest
from cortex_insight.faults import Step
from cortex_local import accounts
from polling import NotYet, eventually
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import LakeClient, ProducerClient
from roxabi_contracts.codec import MAXIMUM_EVENT, MAXIMUM_PAYLOAD
from roxabi_contracts.operations import EventState, SourcesRequest
from samples import PROJECT, note
from stack import Stack

KILLED = 137
LARGE = note("I moved to Berlin.\n" + "x" * (MAXIMUM_PAYLOAD + 1), name="large")
SWEPT_SOON = {"CORTEX_INSIGHT_ORPHAN_SECONDS": "1"}


async def no_body_left(stack: Stack) -> None:
    """Wait until nothing is left beside the events."""

    async def look() -> None:
        if await stack.messages(subjects.ACCOUNT_INSIGHT, subjects.STREAM_BODIES):
            raise NotYet("a body is still there")

    await eventually("no body left", look)


async def lives_in(stack: Stack) -> list[object]:
    facts = await stack.facts(history=False)
    return [fact.value for fact in facts if fact.predicate == "lives_in"]


@pytest.mark.parametrize("step", [Step.AFTER_FETCH, Step.AFTER_STORE, Step.AFTER_ACK])
async def test_a_large_event_is_taken_in_once_whatever_dies(idle_stack: Stack, step: Step) -> None:
    idle_stack.memory.start()
    idle_stack.insight.start(CORTEX_FAULT=step, **SWEPT_SOON)
    await idle_stack.publish([LARGE])
    assert await idle_stack.insight.ended() == KILLED, idle_stack.insight.log()
    idle_stack.insight.start(**SWEPT_SOON)
    sources, _ = await idle_stack.drained()
    assert await lives_in(idle_stack) == [{"value": "Berlin"}]
    assert [(one.events, one.rejected) for one in sources.sources] == [(1, 0)]
    await no_body_left(idle_stack)


async def test_a_producer_that_dies_between_the_two_leaves_nothing(idle_stack: Stack) -> None:
    async with idle_stack.connected(accounts.SOURCE) as connection:
        await ProducerClient(connection).put(LARGE, codec.encode(LARGE, largest=MAXIMUM_EVENT))
    idle_stack.memory.start()
    idle_stack.insight.start(**SWEPT_SOON)
    await no_body_left(idle_stack)
    await idle_stack.publish([LARGE])
    await idle_stack.drained()
    assert await lives_in(idle_stack) == [{"value": "Berlin"}]


async def test_what_is_too_large_is_a_dead_letter_that_says_so(idle_stack: Stack) -> None:
    idle_stack.memory.start()
    idle_stack.insight.start(CORTEX_INSIGHT_MAXIMUM_EVENT_BYTES=str(MAXIMUM_PAYLOAD))
    await idle_stack.publish([LARGE])
    await idle_stack.drained()
    (letter,) = await idle_stack.rejected_events()
    assert letter.code == "too_large"
    assert str(MAXIMUM_PAYLOAD) in letter.reason
    async with idle_stack.connected() as connection:
        asked = SourcesRequest(project=PROJECT, event_ids=(LARGE.event_id,))
        (status,) = (await LakeClient(connection).sources(asked)).events
    assert status.state is EventState.REJECTED
