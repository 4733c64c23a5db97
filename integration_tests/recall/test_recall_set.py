"""The recall set: two memories taken in by the whole pipeline, and what is asked of them."""

import asyncio
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

import psycopg
import pytest
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest
from samples import FIRST_DAY, note
from stack import ANSWER_SECONDS, Stack

PROJECT: Final = "recall"
SET: Final = Path(__file__).with_name("recall_set.toml")
BUDGET: Final = 300
FIRST: Final = 5
FOUND: Final = {"facts": 0.97, "episodes": 0.98}
"""Which share of the questions is answered in so small a packet, at least."""
FOUND_FIRST: Final = {"facts": 0.95, "episodes": 0.97}
"""And by the first few of its facts or episodes."""


@dataclass(frozen=True)
class Asked:
    """A question, who is asked, and which note answers it, as a fact or as an episode."""

    memory: str
    kind: str
    question: str
    answer: str


@dataclass(frozen=True)
class Served:
    """The notes behind what was served for a question, in its order."""

    asked: Asked
    notes: Sequence[frozenset[str]]

    def holds(self, first: int | None = None) -> bool:
        """Whether the answer is among the first of them, or among all."""
        return any(self.asked.answer in names for names in self.notes[:first])


@pytest.fixture(scope="module")
def embedder() -> str:
    return "bundled"


@pytest.fixture(scope="module")
def memories() -> dict[str, dict[str, list[list[str]]]]:
    return tomllib.loads(SET.read_text("utf-8"))


def questions(memories: dict[str, dict[str, list[list[str]]]]) -> list[Asked]:
    return [
        Asked(memory, kind, question, answer)
        for memory, held in memories.items()
        for kind in FOUND
        for question, answer in held[kind]
    ]


async def test_the_answers_are_served(
    shared_stack: Stack, memories: dict[str, dict[str, list[list[str]]]]
) -> None:
    await shared_stack.publish(
        note(text, name=name, day=_day(day), project=PROJECT, email=_email(memory))
        for memory, held in memories.items()
        for name, day, text in held["notes"]
    )
    await shared_stack.drained(PROJECT)
    asked = questions(memories)
    assert len(asked) >= 120
    served = await _ask_all(shared_stack, asked)
    for kind, least in FOUND.items():
        of_kind = [one for one in served if one.asked.kind == kind]
        missed = [one.asked for one in of_kind if not one.holds()]
        assert 1 - len(missed) / len(of_kind) >= least, missed
        late = [one.asked for one in of_kind if not one.holds(FIRST)]
        assert 1 - len(late) / len(of_kind) >= FOUND_FIRST[kind], late


async def _ask_all(stack: Stack, asked: Sequence[Asked]) -> list[Served]:
    names = _note_names(stack.endpoints.memory)
    places = asyncio.Semaphore(2)
    async with stack.connected() as connection:
        client = MemoryClient(connection)

        async def ask(one: Asked) -> Served:
            request = ContextRequest(
                project=PROJECT,
                subjects=(_email(one.memory),),
                query=one.question,
                budget_tokens=BUDGET,
            )
            async with places:
                packet = await client.context(request, deadline=ANSWER_SECONDS)
            return Served(one, _notes_behind(packet, one.kind, names))

        return await asyncio.gather(*(ask(one) for one in asked))


def _notes_behind(
    packet: ContextPacket, kind: str, names: dict[str, str]
) -> Sequence[frozenset[str]]:
    if kind == "episodes":
        return [frozenset({names[one.event_id]}) for one in packet.episodes]
    return [frozenset(names[id] for id in one.source_event_ids) for one in packet.facts]


def _note_names(memory: str) -> dict[str, str]:
    with psycopg.connect(memory) as connection:
        found = connection.execute(
            "SELECT observation_id, source_ref FROM episode WHERE project = %s", (PROJECT,)
        ).fetchall()
    return {str(id): str(reference).rpartition("/")[2] for id, reference in found}


def _email(memory: str) -> str:
    return f"{memory}@example.org"


def _day(day: str) -> int:
    return (date.fromisoformat(day) - FIRST_DAY.date()).days
