"""The histories that Cortex comes with: what is remembered of them, and what is not."""

import pytest
import pytest_asyncio
from histories import FOLDERS, MIRA, sample_folder
from imports import Import
from roxabi_contracts import codec, subjects
from roxabi_contracts.context import ContextPacket, Status
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import FactRecord, FactStatus
from roxabi_contracts.payloads import Category
from stack import Stack

Facts = tuple[FactRecord, ...]


@pytest.fixture(scope="module")
def embedder() -> str:
    """The model that Cortex comes with."""
    return "bundled"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def filled(shared_stack: Stack, environment: dict[str, str]) -> Stack:
    """The stack after both histories were imported by command."""
    await shared_stack.keep(subjects.STREAM_OBSERVATIONS)
    for source in FOLDERS:
        report = Import(
            shared_stack.endpoints, environment, sample_folder(source), owner=MIRA, source=source
        ).finished()
        assert (report["rejected"], report["skipped"]) == (0, 0), report
    await shared_stack.drained()
    return shared_stack


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def facts(filled: Stack) -> Facts:
    """Everything that is or was held of their owner, and nothing about her friends."""
    held = await filled.facts(subject=MIRA)
    (owner,) = {fact.about for fact in held if fact.predicate == "name"}
    return tuple(fact for fact in held if fact.about == owner)


def values(facts: Facts, predicate: str, status: FactStatus) -> set[str]:
    """The values of the predicate that stand so."""
    return {
        str(fact.value["value"])
        for fact in facts
        if fact.predicate == predicate and fact.status is status and fact.value
    }


async def ask(stack: Stack, question: str) -> ContextPacket:
    return await stack.ask(question, subject=MIRA)


def test_what_was_said_once_holds(facts: Facts) -> None:
    assert values(facts, "name", FactStatus.ACTIVE) == {"Mira Delcourt"}


def test_what_was_given_up_has_ended(facts: Facts) -> None:
    assert values(facts, "uses", FactStatus.ENDED) >= {"npm", "SQLite"}
    assert values(facts, "uses", FactStatus.ACTIVE) >= {"pnpm", "Postgres"}


def test_the_last_of_several_homes_holds(facts: Facts) -> None:
    assert values(facts, "lives_in", FactStatus.ACTIVE) == {"Nantes"}
    assert values(facts, "lives_in", FactStatus.SUPERSEDED) == {"Lyon"}


async def test_an_agent_is_served_the_present_home_alone(filled: Stack) -> None:
    packet = await ask(filled, "Where does Mira live?")
    homes = {
        str(fact.value["value"]): fact.about
        for fact in packet.facts
        if fact.predicate == "lives_in"
    }
    assert homes["Nantes"] == packet.facts[0].subject
    assert "Lyon" not in homes


async def test_contradictions_are_named_and_hidden(filled: Stack, facts: Facts) -> None:
    contested = {fact.id for fact in facts if fact.conflict_id is not None}
    assert contested
    packet = await ask(filled, "When and where was Mira born?")
    assert packet.status is Status.DEGRADED
    assert any(warning.startswith("open_conflict") for warning in packet.warnings)
    assert contested.isdisjoint(fact.id for fact in packet.facts)


def test_what_others_said_or_nobody_meant_is_no_fact_of_the_owner(facts: Facts) -> None:
    """Quoted, hypothetical, in code, in a summary, asked, or told by a friend."""
    said = {str(fact.value) for fact in facts}
    for foreign in ("Berlin", "yarn", "Mercurial", "Paris", "Prague", "Rennes", "Vienna"):
        assert not any(foreign in value for value in said), foreign


async def test_all_five_categories_occur(filled: Stack) -> None:
    messages = await filled.messages(subjects.ACCOUNT_MEMORY, subjects.STREAM_OBSERVATIONS)
    found = {codec.decode(message, Observation).category for message in messages}
    assert found == set(Category)
