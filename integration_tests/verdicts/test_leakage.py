"""What somebody said before is never served beside what they say now under another name."""

import asyncio
import random
from pathlib import Path
from typing import Final

import psycopg
import pytest
from polling import NotYet, eventually
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.context import ContextRequest
from roxabi_contracts.names import Decider, PredicatesRequest, VerdictRequest
from roxabi_contracts.predicates import bundled_catalogue
from stack import Stack
from verdicts.changes import PROJECT, SAID_FIRST, Change, Saying, read_changes, report

CHANGES: Final = read_changes()
OF_ONES_OWN: Final = Change(
    len(CHANGES) + 1,
    "none",
    "en",
    "supersede",
    Saying("zinnia_host", "north rack", "The zinnia host is the north rack."),
    Saying("box_upstairs", "south rack", "The box upstairs is the south rack."),
)
"""Two names of one thing that nobody but its owner can know."""
AT_ONCE: Final = 8


@pytest.fixture(scope="module")
def embedder() -> str:
    """The bundled model, which was measured."""
    return "bundled"


@pytest.mark.asyncio(loop_scope="module")
async def test_an_old_value_is_never_served_beside_the_new(
    shared_stack: Stack, capsys: pytest.CaptureFixture[str]
) -> None:
    """All in one project, in any order."""
    events = [event for change in CHANGES for event in change.events()]
    random.Random(5).shuffle(events)
    await shared_stack.publish(events)
    await shared_stack.drained(PROJECT)

    tiers = await carried_by(shared_stack, CHANGES)
    served = await served_to_all(shared_stack, CHANGES)
    leaked = {each.number: each.old.value in served[each.number] for each in CHANGES}
    with capsys.disabled():
        print(f"\n{report(CHANGES, tiers, leaked)}")

    assert len(CHANGES) >= 130
    assert tiers == {each.number: each.tier for each in CHANGES}
    assert [each for each in CHANGES if leaked[each.number]] == []
    assert [each for each in CHANGES if not shows(each, served[each.number])] == []


@pytest.mark.asyncio(loop_scope="module")
async def test_a_rebuild_asks_the_model_again_where_its_verdicts_are_lost(
    shared_stack: Stack,
) -> None:
    """Nobody says the names again: without the model the rebuild would part them for good."""
    before = shared_stack.dump(PROJECT)
    lost = verdicts_of_models(shared_stack)
    assert lost
    with psycopg.connect(shared_stack.endpoints.memory) as connection:
        connection.execute(b"DELETE FROM predicate_verdict WHERE model LIKE '%@%'")

    shared_stack.memory.run("rebuild", "--project", PROJECT)

    assert verdicts_of_models(shared_stack) == lost
    assert shared_stack.dump(PROJECT) == before


def verdicts_of_models(stack: Stack) -> list[tuple[str, ...]]:
    """What models have decided, as the journal of the project holds it."""
    with psycopg.connect(stack.endpoints.memory) as connection:
        return connection.execute(
            b"SELECT id, first, second, same::text, model FROM predicate_verdict "
            b"WHERE model LIKE '%@%' ORDER BY id"
        ).fetchall()


@pytest.mark.asyncio(loop_scope="module")
async def test_what_only_its_owner_can_know_is_one_once_they_say_so(shared_stack: Stack) -> None:
    await shared_stack.publish(OF_ONES_OWN.events())
    await shared_stack.drained(PROJECT)
    before = await served_to_all(shared_stack, [OF_ONES_OWN])
    assert await carried_by(shared_stack, [OF_ONES_OWN]) == {OF_ONES_OWN.number: "none"}
    assert sorted(before[OF_ONES_OWN.number]) == ["north rack", "south rack"]

    await tell(shared_stack, OF_ONES_OWN)

    async def joined() -> None:
        found = await served_to_all(shared_stack, [OF_ONES_OWN])
        if found[OF_ONES_OWN.number] != [OF_ONES_OWN.new.value]:
            raise NotYet(f"served: {found}")

    await eventually("that names which a person joined are one", joined)


@pytest.mark.asyncio(loop_scope="module")
async def test_a_file_of_ones_own_predicates_is_spoken(shared_stack: Stack, tmp_path: Path) -> None:
    own = tmp_path / "predicates.toml"
    own.write_text(
        '[mooring]\ndescription = "Where the boat lies."\nsynonyms = ["amarrage"]\n'
        'change = "latest"\n'
    )
    assert shared_stack.memory.stop() in (0, None)
    shared_stack.memory.start(CORTEX_PREDICATES=str(own))
    await shared_stack.answering()
    old = Saying("mooring", "north quay", "The mooring is at the north quay.")
    new = Saying("amarrage", "quai sud", "L'amarrage est au quai sud.")
    moved = Change(len(CHANGES), "synonym", "mixed", "create", old, new)
    await shared_stack.publish(moved.events())
    await shared_stack.drained(PROJECT)

    assert await served_to_all(shared_stack, [moved]) == {moved.number: [new.value]}
    async with shared_stack.connected() as connection:
        asked = PredicatesRequest(project=PROJECT, name="amarrage")
        reply = await MemoryClient(connection).predicates(asked)
    described = {each.name: each.description for each in reply.predicates}
    assert described["mooring"] == "Where the boat lies."


def shows(change: Change, served: list[str]) -> bool:
    """Whether the new value is served, or nothing while two values contradict each other."""
    return change.new.value in served or (change.change == "create" and not served)


async def served_to_all(stack: Stack, changes: list[Change]) -> dict[int, list[str]]:
    """What memory serves to each of them who asks about what they said."""
    slots = asyncio.Semaphore(AT_ONCE)
    async with stack.connected() as connection:
        memory = MemoryClient(connection)

        async def ask(change: Change) -> list[str]:
            request = ContextRequest(
                project=PROJECT,
                subjects=(change.who,),
                query=f"{change.old.words} {change.new.words}",
                budget_tokens=2000,
            )
            async with slots:
                packet = await memory.context(request, deadline=30)
            assert packet.trace_id is not None
            return [str(fact.value["value"]) for fact in packet.facts]

        answers = await asyncio.gather(*map(ask, changes))
    return {change.number: found for change, found in zip(changes, answers, strict=True)}


async def carried_by(stack: Stack, changes: list[Change]) -> dict[int, str]:
    """What found out that the two names of each change are one, as memory itself tells it."""
    async with stack.connected() as connection:
        asked = PredicatesRequest(project=PROJECT, limit=5000)
        reply = await MemoryClient(connection).predicates(asked)
    deciders = {
        frozenset((each.first, each.second)): each.decider
        for each in reply.verdicts
        if each.stands and each.same
    }
    return {each.number: _tier(each, deciders) for each in changes}


def _tier(change: Change, deciders: dict[frozenset[str], Decider | None]) -> str:
    entries = [bundled_catalogue().lookup(said.name) for said in (change.old, change.new)]
    names = [
        said.name if entry is None else entry.name
        for said, entry in zip((change.old, change.new), entries, strict=True)
    ]
    if change.old.name == change.new.name:
        return "exact"
    if names[0] == names[1]:
        return "synonym"
    match deciders.get(frozenset(names)):
        case Decider.WORDS:
            return "words"
        case Decider.MODEL:
            return "meaning"
        case _:
            return "none"


async def tell(stack: Stack, change: Change) -> None:
    """A person says that the names are one."""
    verdict = VerdictRequest(
        project=PROJECT,
        first=change.old.name,
        second=change.new.name,
        same=True,
        decided_by="ada",
        decided_at=SAID_FIRST,
    )
    async with stack.connected() as connection:
        reply = await MemoryClient(connection).judge(verdict)
    assert reply.groups == 2
