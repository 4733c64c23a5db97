"""What a model is asked about an observation: all that it sees, as one document of data."""

import json
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.base import JsonObject, from_epoch_ms
from roxabi_contracts.observation import Observation

from cortex_memory.retain.episode_text import episode_text, is_spoken

MAX_KNOWN: Final = 40
"""The most facts that a model is shown beside an observation."""
MAX_CHARACTERS: Final = 24_000
"""Of a longer text a model sees the beginning."""


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A fact that holds; `about` is an index into the observation's actors, or a name."""

    about: int | str | None
    predicate: str
    value: JsonValue
    qualifiers: JsonObject


@dataclass(frozen=True, slots=True)
class Question:
    """An observation, and what its subject's memory holds so far."""

    observation: Observation
    known: tuple[KnownFact, ...]


def is_worth_asking(observation: Observation) -> bool:
    """Whether a model may see what the payload's own claims do not say.

    Somebody spoke, and no model of the lake reads the source: a source has one model at most.
    """
    has_model = observation.made_by.has_model
    return is_spoken(observation) and not observation.deleted and not has_model


def asks_the_same(first: Observation, second: Observation) -> bool:
    """Whether a model would see the same in both, beside what is known."""
    return _shown(first) == _shown(second)


def document_of(question: Question) -> str:
    """The question as JSON: no text in it can end the string that it stands in."""
    document: JsonObject = {
        "observation": _shown(question.observation),
        "known_facts": [
            {
                "about": fact.about,
                "predicate": fact.predicate,
                "value": fact.value,
                "qualifiers": fact.qualifiers,
            }
            for fact in question.known
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def _shown(observation: Observation) -> JsonObject:
    text = episode_text(observation.payload)
    return {
        "said_at": from_epoch_ms(observation.timestamp).isoformat(),
        "category": observation.category,
        "actors": [
            {"index": index, "kind": actor.kind, "role": actor.role, "name": actor.name}
            for index, actor in enumerate(observation.actors)
        ],
        "text": text[:MAX_CHARACTERS],
        "text_is_cut": len(text) > MAX_CHARACTERS,
    }
