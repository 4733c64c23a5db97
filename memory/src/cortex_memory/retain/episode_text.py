"""What search and excerpts read of an observation."""

from typing import Final

from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole
from roxabi_contracts.observation import Observation
from roxabi_contracts.payloads import Artifact, Category, Decision, Finding, Payload

_SPOKEN: Final = {Category.INTERACTION, Category.STATEMENT, Category.DECISION}
_SPEAKERS: Final = {ActorKind.PERSON, ActorKind.AGENT, ActorKind.BOT}


def author_of(observation: Observation) -> ActorRef | None:
    """Who said it; null: a source by itself."""
    return next((a for a in observation.actors if a.role is ActorRole.AUTHOR), None)


def episode_text(payload: Payload) -> str:
    """The text, and what the payload says beside it."""
    parts = [payload.text]
    parts += [extra for extra in _extras(payload) if extra and extra not in payload.text]
    return "\n".join(part for part in parts if part)


def is_spoken(observation: Observation) -> bool:
    """Whether a person or an agent said it; raw output of tools is not worth a vector."""
    author = author_of(observation)
    by_speaker = author is not None and author.kind in _SPEAKERS
    return by_speaker and observation.category in _SPOKEN and bool(observation.payload.text)


def _extras(payload: Payload) -> list[str | None]:
    match payload:
        case Decision():
            return [payload.decision, payload.rationale]
        case Artifact():
            return [payload.title, payload.uri]
        case Finding():
            return [payload.evidence, payload.remediation]
        case _:
            return []
