"""Events for tests: notes that the owner of a memory wrote."""

from datetime import UTC, datetime, timedelta
from typing import Final

from roxabi_contracts.actor import ActorKind, ActorRef, ActorRole, Identifier
from roxabi_contracts.event import JsonBody, RawEvent

MESSAGE: Final = "message"
PROJECT: Final = "personal"
OWNER: Final = "ada@example.org"
FIRST_DAY: Final = datetime(2026, 3, 1, 9, tzinfo=UTC)


def owner(email: str = OWNER) -> ActorRef:
    """The person whose memory the events go to."""
    return ActorRef(
        kind=ActorKind.PERSON,
        role=ActorRole.OWNER,
        identifiers=(Identifier(scheme="email", value=email),),
    )


def note(
    text: str,
    *,
    name: str = "1",
    day: int = 0,
    author: str = "owner",
    project: str = PROJECT,
    email: str = OWNER,
) -> RawEvent:
    """A note written that many days after the first."""
    at = FIRST_DAY + timedelta(days=day)
    return RawEvent(
        project=project,
        source=MESSAGE,
        source_ref=name,
        media_type="application/json",
        body=JsonBody(
            content={
                "id": name,
                "text": text,
                "at": at.isoformat(),
                "author": author,
                "conversation": "diary",
            }
        ),
        occurred_at=at,
        owner=owner(email),
    )


def notes(*texts: str, project: str = PROJECT, email: str = OWNER) -> list[RawEvent]:
    """One note a day."""
    return [
        note(text, name=str(day), day=day, project=project, email=email)
        for day, text in enumerate(texts)
    ]
