"""Who is spoken of: an unresolved reference, exactly as strong as the source makes it."""

import re
from enum import StrEnum
from typing import Annotated

from pydantic import AfterValidator, Field

from roxabi_contracts.base import Part

_SCHEME = re.compile(r"email|phone|slug|uri|account:[a-z0-9][a-z0-9_-]{0,62}")


def _known_scheme(scheme: str) -> str:
    if not _SCHEME.fullmatch(scheme):
        raise ValueError("a scheme is email, phone, slug, uri or account:<platform>")
    return scheme


Scheme = Annotated[str, AfterValidator(_known_scheme)]


class ActorKind(StrEnum):
    """What an actor is; only persons are ever linked to persons."""

    PERSON = "person"
    AGENT = "agent"
    BOT = "bot"
    TOOL = "tool"
    ORGANISATION = "organisation"
    GROUP = "group"
    PROJECT = "project"
    ARTIFACT = "artifact"


class ActorRole(StrEnum):
    """What an actor did in the observation."""

    AUTHOR = "author"
    RECIPIENT = "recipient"
    PARTICIPANT = "participant"
    MENTIONED = "mentioned"
    OWNER = "owner"


class Identifier(Part):
    """A key of an actor as the source states it: `email`, `account:github`, ..."""

    scheme: Scheme
    value: str = Field(min_length=1, max_length=512)

    def __str__(self) -> str:
        return f"{self.scheme}:{self.value}"

    @classmethod
    def parse(cls, text: str) -> "Identifier":
        """Read `scheme:value`; a bare text with `@` is an e-mail address.

        Raises:
            ValueError: the text names no scheme and is no e-mail address.
        """
        platform = re.fullmatch(r"(account:[a-z0-9][a-z0-9_-]*):(.+)", text)
        if platform:
            return cls(scheme=platform[1], value=platform[2])
        scheme, colon, value = text.partition(":")
        if colon and _SCHEME.fullmatch(scheme):
            return cls(scheme=scheme, value=value)
        if re.fullmatch(r"[^@\s]+@[^@\s]+", text):
            return cls(scheme="email", value=text)
        raise ValueError(f"{text!r} is neither an e-mail address nor scheme:value")


class ActorRef(Part):
    """An actor as a source names them; a mention may be a bare name."""

    kind: ActorKind
    role: ActorRole
    name: str | None = Field(default=None, max_length=512)
    identifiers: tuple[Identifier, ...] = Field(default=(), max_length=32)
