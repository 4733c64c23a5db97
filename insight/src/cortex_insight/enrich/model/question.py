"""What a model is asked about one text: all that it sees, as one document of data."""

from typing import Final

from pydantic import BaseModel, ConfigDict
from roxabi_contracts import ActorKind
from roxabi_contracts.actor import ActorRole
from roxabi_contracts.base import UtcDatetime, from_epoch_ms
from roxabi_contracts.ids import canonical_json, content_digest

from cortex_insight.parser import Draft

MAX_CHARACTERS: Final = 24_000
"""Of a longer text a model sees the beginning."""


class AskedActor(BaseModel):
    """Somebody whom the text may be about, without the identifiers."""

    model_config = ConfigDict(frozen=True)

    index: int
    kind: ActorKind
    role: ActorRole
    name: str | None


class Question(BaseModel):
    """A person's own words, and around what they were said."""

    model_config = ConfigDict(frozen=True)

    said_at: UtcDatetime
    zone: str | None
    actors: tuple[AskedActor, ...]
    speaker: int
    """Index of the actor whose words the text is."""
    text: str
    text_is_cut: bool

    @property
    def digest(self) -> bytes:
        """By which it is known again: the same question is asked once."""
        return content_digest(self.model_dump(mode="json"))[:16]

    def document(self) -> str:
        """The question as JSON: no text in it can end the string that it stands in."""
        return canonical_json(self.model_dump(mode="json")).decode()


def question_about(draft: Draft) -> Question | None:
    """What to ask about a sanitised draft; null: no person speaks in it."""
    text = draft.payload.text
    if draft.speaker is None or draft.deleted or not text.strip():
        return None
    if draft.actors[draft.speaker].kind is not ActorKind.PERSON:
        return None
    return Question(
        said_at=from_epoch_ms(draft.timestamp),
        zone=draft.payload.time.zone,
        actors=tuple(
            AskedActor(index=index, kind=actor.kind, role=actor.role, name=actor.name)
            for index, actor in enumerate(draft.actors)
        ),
        speaker=draft.speaker,
        text=text[:MAX_CHARACTERS],
        text_is_cut=len(text) > MAX_CHARACTERS,
    )
