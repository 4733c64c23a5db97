"""A message as both shapes of Telegram's data have it: what is said, by whom, in which chat."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.payloads import Attachment

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import as_text, read_time

SUPERGROUP_OFFSET: Final = 1_000_000_000_000
"""What the Bot API takes off the negated id of a channel or supergroup."""


class ChatKind(StrEnum):
    """What a chat is."""

    PERSON = "person"
    BOT = "bot"
    GROUP = "group"
    CHANNEL = "channel"
    SAVED = "saved"
    """Notes that the owner keeps for themself."""


@dataclass(frozen=True)
class Who:
    """A person, bot, group or channel; what is not known is null."""

    peer: str | None
    """`user1`, `chat1` or `channel1`: the one spelling of an id in both shapes."""
    name: str | None = None
    is_bot: bool = False

    @property
    def is_user(self) -> bool:
        """Whether it is a person or a bot, not a group or channel."""
        return self.peer is None or self.peer.startswith("user")


@dataclass(frozen=True)
class Chat:
    """Where it was said."""

    peer: str
    kind: ChatKind
    name: str | None = None
    thread: str | None = None
    """A topic inside a group."""


@dataclass(frozen=True)
class Poll:
    """A question to a chat, and what was answered so far."""

    question: str
    answers: tuple[tuple[str, int], ...]
    is_closed: bool


@dataclass(frozen=True)
class Entry:
    """A message or a note of the service."""

    chat: Chat
    id: int | None
    author: Who
    sent: Bound | None
    edited: int = 0
    """Epoch ms; nothing: it was not."""
    said: str = ""
    quoted: str = ""
    """What the author repeats of somebody else."""
    forwarded: Who | None = None
    """Whose words it passes on; null: it is the author's own."""
    reply_to: str | None = None
    attachments: tuple[Attachment, ...] = ()
    poll: Poll | None = None
    joined: tuple[Who, ...] = ()
    left: tuple[Who, ...] = ()
    deleted: bool = False
    unknown_types: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def ref(self) -> str | None:
        """Its natural id; null: it has none."""
        return None if self.id is None else f"{self.chat.peer}/{self.id}"


def bot_peer(value: JsonValue) -> str | None:
    """An id of the Bot API in the spelling of the export."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    if value >= 0:
        return f"user{value}"
    if value <= -SUPERGROUP_OFFSET:
        return f"channel{-value - SUPERGROUP_OFFSET}"
    return f"chat{-value}"


def export_peer(value: JsonValue) -> str | None:
    """An id of the export; before 2021 it was the bare number of a user."""
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return f"user{value}"
    text = as_text(value)
    known = text is not None and text.startswith(("user", "chat", "channel"))
    return text[:100] if text and known and text.lstrip("userchatnl").isdigit() else None


def whole_number(value: JsonValue) -> int | None:
    """A number that is written as one or as text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 2**53 else None
    text = as_text(value)
    if text is None or not text.lstrip("-").isdecimal() or len(text) > 15:
        return None
    return int(text) if text.lstrip("-").isascii() and text.count("-") <= 1 else None


def unix_time(value: JsonValue) -> Bound | None:
    """A moment in seconds since 1970, as a number or as text."""
    number = whole_number(value)
    return None if number is None else read_time(number)
