"""The port of an enricher."""

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from roxabi_contracts import ActorRef, Claim


@dataclass(frozen=True)
class SpeechContext:
    """Around which a text was said."""

    said_at: datetime
    zone: str | None
    """The speaker's time zone, where the source states it."""


class Enricher(Protocol):
    """Reads claims from a text; the same text gives the same claims."""

    @property
    def version(self) -> int:
        """Raised whenever the same text may give other claims."""
        ...

    def claims(self, text: str, author: ActorRef, context: SpeechContext) -> tuple[Claim, ...]:
        """What the author claims, each with evidence that is a verbatim part of the text.

        A claim about null is about the author; one about others names them as the text does.
        """
        ...
