"""What is erased is in no table, stream, log or dump, and does not come back."""

import json

import pytest
from cortex_local import accounts
from forget.operator import Operator
from forget.scanning import nowhere, places_of
from polling import NotYet, eventually
from roxabi_contracts import codec, subjects
from roxabi_contracts.client import LakeClient, MemoryClient
from roxabi_contracts.context import ContextPacket, TraceRequest
from roxabi_contracts.errors import RequestRefused
from roxabi_contracts.event import RawEvent
from roxabi_contracts.operations import EventState, FactStatus, SourcesRequest
from roxabi_contracts.upkeep import ForgetScope
from samples import MESSAGE, PROJECT, note
from stack import Stack

CANARY = "Zzyzxville"
OTHER = "Contoso"
SAID = [
    note("I live in Paris.", name="paris", day=0),
    note(f"I moved to {CANARY}. I work at {OTHER}.", name="canary", day=1),
    note("I use Vim.", name="vim", day=2),
]
REFUSED = "refused"
NO_MESSAGE = {"media_type": "application/octet-stream"}
QUESTION = f"do I still live in {CANARY}?"


async def target_of(operator: Operator, scope: ForgetScope) -> str | None:
    if scope is ForgetScope.SUBJECT:
        return None
    if scope is ForgetScope.SOURCE:
        return MESSAGE
    fact = await operator.fact(CANARY)
    return fact.id if scope is ForgetScope.FACT else fact.sources[0]


async def publish_again(stack: Stack, events: list[RawEvent]) -> None:
    """The same bytes under another id of the message, as after the broker forgot the first."""
    async with stack.connected() as connection:
        stream = connection.client.jetstream()
        for event in events:
            subject = subjects.events(event.source, event.project)
            await stream.publish(subject, codec.encode(event))


async def say_it_everywhere(stack: Stack) -> ContextPacket:
    """Have every place hold the word that can; the answer to a question about it."""
    await stack.keep(subjects.STREAM_EVENTS, subjects.STREAM_OBSERVATIONS)
    await stack.publish(SAID)
    await stack.drained()
    packet = await stack.ask(QUESTION)
    assert packet.trace_id is not None
    expected = {"INSIGHT_EVENTS", "MEMORY_OBSERVATIONS", "MEMORY_CHANGES", "dump"}
    expected |= {"insight: raw_event", "insight: outbox", "memory: trace"}
    tables = ("observation", "candidate", "episode", "assertion", "fact", "posting")
    expected |= {f"memory: {table}" for table in tables}

    async def look() -> None:
        if missing := expected - await places_of(stack, CANARY):
            raise NotYet(f"it is not in {missing}")

    await eventually("the word everywhere", look)
    return packet


@pytest.mark.parametrize("scope", ForgetScope)
async def test_an_erased_word_is_nowhere_and_stays_away(
    stack: Stack, operator: Operator, scope: ForgetScope
) -> None:
    packet = await say_it_everywhere(stack)
    request = operator.request(scope, await target_of(operator, scope))
    receipt = await operator.forget(request)

    assert await places_of(stack, CANARY) == set()
    assert receipt.removed["observations"] >= 1
    assert receipt.removed["lake_raw_events"] >= 1
    assert receipt.removed["messages"] >= 2
    assert receipt.removed["lake_messages"] >= 1
    assert receipt.removed["facts"] >= 1
    assert receipt.removed["traces"] >= 1
    assert receipt.kept_digests >= 1

    after = stack.dump()
    await publish_again(stack, SAID[1:2])
    await stack.drained()
    await eventually("a clean stack", lambda: nowhere(stack, CANARY))
    assert stack.dump() == after
    stack.memory.run("rebuild")
    assert stack.dump() == after
    assert stack.dump(PROJECT, "--now", "2027-01-01T00:00:00Z") == after

    again = await operator.forget(request)
    assert (again.known, again.forget_id) == (True, receipt.forget_id)
    async with stack.connected() as connection:
        asked = SourcesRequest(project=PROJECT, event_ids=(SAID[1].event_id,))
        (status,) = (await LakeClient(connection).sources(asked)).events
        assert status.state is EventState.ERASED
        wanted = TraceRequest(project=PROJECT, trace_id=str(packet.trace_id))
        with pytest.raises(RequestRefused):
            await MemoryClient(connection).trace(wanted)


async def refuse_it_everywhere(stack: Stack) -> None:
    """Have each service keep a message of the owner's that it cannot read, with the word in it."""
    await stack.keep(subjects.STREAM_OBSERVATIONS)
    await stack.publish([SAID[1], note(f"{CANARY}!", name=REFUSED).model_copy(update=NO_MESSAGE)])
    await stack.drained()
    (said,) = await stack.messages(subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)
    await stack.let_go(subjects.STREAM_OBSERVATIONS)
    async with stack.connected(accounts.INSIGHT) as connection:
        for record in (SAID[1].source_ref, REFUSED):
            newer = json.loads(said) | {"contract_version": 99, "source_ref": record}
            await connection.client.jetstream().publish(
                subjects.OBSERVATIONS, json.dumps(newer).encode()
            )
    await stack.drained()
    assert {"insight: raw_event", "memory: dead_letter"} < await places_of(stack, CANARY)
    for letters, count in ((stack.rejected_events, 1), (stack.rejected_observations, 2)):
        assert len(await letters()) == count


@pytest.mark.parametrize(("scope", "left"), [(ForgetScope.FACT, 1), (ForgetScope.SOURCE, 0)])
async def test_what_was_refused_is_erased_with_what_it_is_about(
    stack: Stack, operator: Operator, scope: ForgetScope, left: int
) -> None:
    await refuse_it_everywhere(stack)
    receipt = await operator.forget(operator.request(scope, await target_of(operator, scope)))
    assert receipt.removed["dead_letters"] == 2 - left
    assert [letter.source_ref for letter in await stack.rejected_observations()] == [REFUSED] * left
    if not left:
        assert await places_of(stack, CANARY) == set()
        assert await stack.rejected_events() == []


async def test_an_erased_fact_keeps_its_effect(stack: Stack, operator: Operator) -> None:
    await stack.publish(SAID)
    await stack.drained()
    fact = await operator.fact(CANARY)
    await operator.forget(operator.request(ForgetScope.FACT, fact.id))

    facts = {fact.id: fact for fact in await stack.facts()}
    assert facts[fact.id].status is FactStatus.ERASED
    assert facts[fact.id].value is None
    by_value = {json.dumps(each.value): each.status for each in facts.values()}
    assert by_value['{"value": "Paris"}'] is FactStatus.SUPERSEDED
    assert by_value[f'{{"value": "{OTHER}"}}'] is FactStatus.ACTIVE
    served = await stack.facts(history=False)
    assert {each.predicate for each in served} == {"works_at", "uses"}
