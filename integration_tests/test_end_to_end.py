"""A datum all the way: a raw event goes in, and memory answers with what follows from it."""

import pytest
from cortex_local import accounts
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.context import (
    ContextPacket,
    ContextRequest,
    Reason,
    Status,
    TraceDecision,
    TraceRequest,
)
from roxabi_contracts.errors import ErrorCode, RequestRefused
from roxabi_contracts.operations import FactStatus
from roxabi_contracts.render import render_packet
from samples import OWNER, PROJECT, notes
from stack import Stack


@pytest.fixture(scope="module")
def embedder() -> str:
    """The model that Cortex comes with."""
    return "bundled"


def values(packet: ContextPacket, predicate: str) -> list[object]:
    """The values that a packet serves for a predicate."""
    return [fact.value["value"] for fact in packet.facts if fact.predicate == predicate]


async def test_a_message_becomes_a_fact_that_an_agent_is_served(shared_stack: Stack) -> None:
    project = "one-message"
    await shared_stack.publish(notes("I live in Lisbon.", project=project))
    await shared_stack.drained(project)
    packet = await shared_stack.ask("Where do I live? Lisbon", project=project)
    assert values(packet, "lives_in") == ["Lisbon"]
    assert packet.status is Status.OK
    assert "Lisbon" in render_packet(packet)
    assert packet.facts[0].source_event_ids == (packet.episodes[0].event_id,)


async def test_a_superseded_value_is_kept_and_never_served(shared_stack: Stack) -> None:
    project = "supersede"
    said = ("I live in Paris.", "I moved to Berlin.")
    await shared_stack.publish(notes(*said, project=project))
    await shared_stack.drained(project)
    packet = await shared_stack.ask("lives in Paris or Berlin", project=project)
    assert values(packet, "lives_in") == ["Berlin"]
    history = {
        str(fact.value and fact.value["value"]): fact
        for fact in await shared_stack.facts(project=project)
        if fact.predicate == "lives_in"
    }
    assert history["Paris"].status is FactStatus.SUPERSEDED
    assert history["Berlin"].status is FactStatus.ACTIVE
    assert history["Berlin"].supersedes_id == history["Paris"].id
    assert history["Paris"].valid_until == history["Berlin"].valid_from


async def test_an_open_conflict_is_named_and_its_values_are_hidden(shared_stack: Stack) -> None:
    project = "conflict"
    said = ("My name is Ada.", "My name is Grace.", "I live in Oslo.")
    await shared_stack.publish(notes(*said, project=project))
    _, stats = await shared_stack.drained(project)
    assert stats.conflicts_open == 1
    packet = await shared_stack.ask("what is the name? Ada Grace Oslo", project=project)
    assert values(packet, "name") == []
    assert values(packet, "lives_in") == ["Oslo"]
    assert packet.status is Status.DEGRADED
    assert [text for text in packet.warnings if text.startswith("open_conflict: 2 fact(s)")]
    async with shared_stack.connected() as connection:
        asked = TraceRequest(project=project, trace_id=str(packet.trace_id))
        trace = await MemoryClient(connection).trace(asked)
    blocked = [each for each in trace.candidates if each.reason is Reason.CONFLICT_OPEN]
    assert [each.decision for each in blocked] == [TraceDecision.BLOCKED] * 2


async def test_a_retracted_fact_ends(shared_stack: Stack) -> None:
    project = "retract"
    await shared_stack.publish(notes("I use npm.", "I no longer use npm.", project=project))
    await shared_stack.drained(project)
    (fact,) = await shared_stack.facts(project=project)
    assert fact.status is FactStatus.ENDED
    assert (await shared_stack.ask("use npm", project=project)).facts == ()


async def test_what_was_said_in_french_is_found(shared_stack: Stack) -> None:
    project = "french"
    said = ("J'habite à Lyon.", "J'ai déménagé à Nantes.")
    await shared_stack.publish(notes(*said, project=project))
    await shared_stack.drained(project)
    packet = await shared_stack.ask("habite Nantes", project=project)
    assert values(packet, "lives_in") == ["Nantes"]


async def test_subjects_and_projects_do_not_see_each_other(shared_stack: Stack) -> None:
    one, other = "tenant-one", "tenant-other"
    await shared_stack.publish(notes("I live in Porto.", project=one))
    await shared_stack.publish(notes("I live in Malmö.", project=one, email="bob@example.org"))
    await shared_stack.publish(notes("I live in Quito.", project=other))
    await shared_stack.drained(one)
    await shared_stack.drained(other)
    question = "lives in Porto Malmö Quito"
    assert values(await shared_stack.ask(question, project=one), "lives_in") == ["Porto"]
    assert values(await shared_stack.ask(question, project=other), "lives_in") == ["Quito"]
    packet = await shared_stack.ask(question, project=one, subject="bob@example.org")
    assert values(packet, "lives_in") == ["Malmö"]


async def test_an_agent_asks_with_its_own_credentials(shared_stack: Stack) -> None:
    await shared_stack.publish(notes("I live in Turin."))
    await shared_stack.drained()
    request = ContextRequest(project=PROJECT, subjects=(OWNER,), query="lives in Turin")
    async with shared_stack.connected(accounts.AGENT) as connection:
        packet = await MemoryClient(connection).context(request, deadline=30)
    assert values(packet, "lives_in") == ["Turin"]


async def test_a_packet_stays_within_its_budget(shared_stack: Stack) -> None:
    project = "budget"
    await shared_stack.publish(
        notes(*(f"I use {tool}." for tool in ("Rust", "Go", "Zig", "Vim", "Nix")), project=project)
    )
    await shared_stack.drained(project)
    packet = await shared_stack.ask("use Rust Go Zig Vim Nix", project=project, budget=60)
    assert 0 < packet.tokens <= 60
    assert 0 < len(packet.facts) < 5


async def test_nobody_known_is_a_typed_error_and_no_empty_memory(shared_stack: Stack) -> None:
    with pytest.raises(RequestRefused) as refused:
        await shared_stack.ask("favourite colour", project="nothing-said")
    assert refused.value.reply.code is ErrorCode.UNKNOWN_SUBJECT
