"""Conversations in the LoCoMo format: turns, dated sessions, questions with their evidence."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

from pydantic import JsonValue
from roxabi_contracts.event import JsonBody, RawEvent
from samples import MESSAGE, owner

PROJECT: Final = "recall"
CATEGORIES: Final = {
    1: "multi-hop",
    2: "temporal",
    3: "open-domain",
    4: "single-hop",
    5: "adversarial",
}
_TURN: Final = re.compile(r"D\d+:\d+")
_SESSION: Final = re.compile(r"session_(\d+)")
_STATED: Final = "%I:%M %p on %d %B, %Y"
_BETWEEN_TURNS: Final = timedelta(seconds=1)


@dataclass(frozen=True)
class Turn:
    """What somebody said at one point of a conversation."""

    id: str
    session: int
    who: str
    text: str
    at: datetime

    @property
    def spoken(self) -> str:
        """The turn with its speaker."""
        return f"{self.who}: {self.text}"


@dataclass(frozen=True)
class Asked:
    """A question, and the turns that answer it."""

    question: str
    category: int
    evidence: frozenset[str]


@dataclass(frozen=True)
class Conversation:
    """Everything that two people said to each other, and what is asked about it."""

    id: str
    turns: tuple[Turn, ...]
    asked: tuple[Asked, ...]

    @property
    def email(self) -> str:
        """Whose memory it goes to."""
        return f"{self.id}@example.org".lower()

    def events(self) -> Iterator[RawEvent]:
        """A message for every turn."""
        for turn in self.turns:
            content: dict[str, JsonValue] = {
                "id": turn.id,
                "text": turn.text,
                "at": turn.at.isoformat(),
                "author": {"name": turn.who},
                "conversation": f"session_{turn.session}",
            }
            yield RawEvent(
                project=PROJECT,
                source=MESSAGE,
                source_ref=self.reference(turn),
                media_type="application/json",
                body=JsonBody(content=content),
                occurred_at=turn.at,
                owner=owner(self.email),
            )

    def reference(self, turn: Turn) -> str:
        """What names a turn among all conversations."""
        return f"{self.id}/{turn.id}"


def read_conversations(file: Path) -> list[Conversation]:
    """The conversations of a file; questions whose evidence is not among the turns are left out."""
    return [_conversation(record) for record in json.loads(file.read_text())]


def corrected(
    conversations: Iterable[Conversation], corrections: Path | None
) -> list[Conversation] | None:
    """The same with corrected evidence; null: none is given.

    A file of corrections is a list of conversations with their `qa`, or a list of
    `{"sample_id", "question", "evidence"}`.
    """
    if corrections is None:
        return None
    evidence: dict[tuple[str, str], frozenset[str]] = {}
    for record in json.loads(corrections.read_text()):
        for each in record.get("qa", [record]):
            evidence[str(record["sample_id"]), each["question"]] = _evidence(each)
    return [
        replace(
            one,
            asked=tuple(
                replace(each, evidence=evidence.get((one.id, each.question), each.evidence))
                for each in one.asked
            ),
        )
        for one in conversations
    ]


def _conversation(record: Mapping[str, Any]) -> Conversation:
    turns = tuple(_turns(record["conversation"]))
    known = {turn.id for turn in turns}
    asked = [
        Asked(each["question"], each["category"], _evidence(each) & known) for each in record["qa"]
    ]
    return Conversation(
        str(record["sample_id"]), turns, tuple(each for each in asked if each.evidence)
    )


def _turns(said: Mapping[str, Any]) -> Iterator[Turn]:
    sessions = sorted(int(found[1]) for key in said if (found := _SESSION.fullmatch(key)))
    for session in sessions:
        begun = datetime.strptime(said[f"session_{session}_date_time"], _STATED).replace(tzinfo=UTC)
        for number, turn in enumerate(said[f"session_{session}"]):
            text = turn["text"]
            if turn.get("blip_caption"):
                text += f" [shares {turn['blip_caption']}]"
            at = begun + number * _BETWEEN_TURNS
            yield Turn(turn["dia_id"], session, turn["speaker"], text, at)


def _evidence(asked: Mapping[str, Any]) -> frozenset[str]:
    stated: Sequence[str] = asked["evidence"]
    return frozenset(_TURN.findall(" ".join(stated)))
