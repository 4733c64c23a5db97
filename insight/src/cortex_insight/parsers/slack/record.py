"""What an event of a Slack export holds: a message, a user, or a conversation."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import as_object, as_text, read_json

Fields = dict[str, JsonValue]

USER_ID: Final = re.compile(r"[UW][A-Z0-9]{2,20}")
_STAMP: Final = re.compile(r"\d{9,11}(?:\.\d{1,9})?")
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Message:
    """A message in its folder."""

    folder: str
    fields: Fields

    @property
    def stamp(self) -> str | None:
        """Its time, which is its number inside its channel; of a deletion that of the deleted."""
        if self.subtype == "message_deleted":
            return stamp_of(self.fields.get("deleted_ts"))
        return stamp_of(self.fields.get("ts"))

    @property
    def subtype(self) -> str | None:
        """What sort of message; null: somebody says something."""
        return as_text(self.fields.get("subtype"))

    @property
    def user(self) -> str | None:
        """The id of who wrote it."""
        stated = as_text(self.fields.get("user"))
        return stated if stated and USER_ID.fullmatch(stated) else None


@dataclass(frozen=True)
class User:
    """A member of the workspace, as its list of users has them."""

    fields: Fields

    @property
    def id(self) -> str | None:
        """Stable for ever."""
        return as_text(self.fields.get("id"))

    @property
    def team(self) -> str | None:
        """The workspace."""
        return as_text(self.fields.get("team_id"))

    @property
    def profile(self) -> Fields:
        """What they show of themself."""
        return as_object(self.fields.get("profile"))

    @property
    def name(self) -> str | None:
        """What others see."""
        stated = (as_text(self.fields.get(name)) for name in ("real_name", "name"))
        return shown_name(self.profile) or next((name for name in stated if name), None)

    @property
    def email(self) -> str | None:
        """Only where the export had the right to it."""
        stated = as_text(self.profile.get("email"))
        return stated.strip() if stated and re.fullmatch(r"\s*[^@\s]+@[^@\s]+\s*", stated) else None

    @property
    def is_bot(self) -> bool:
        """Whether it is a program."""
        return self.fields.get("is_bot") is True or self.id == "USLACKBOT"

    @property
    def updated(self) -> int:
        """When it was changed last, in seconds."""
        value = self.fields.get("updated")
        return value if isinstance(value, int) and 0 <= value < 2**40 else 0


@dataclass(frozen=True)
class Conversation:
    """A channel, group or direct conversation, as the export lists it."""

    fields: Fields

    @property
    def id(self) -> str | None:
        """Stable when it is renamed."""
        return as_text(self.fields.get("id"))

    @property
    def name(self) -> str | None:
        """Of a direct conversation there is none."""
        return as_text(self.fields.get("name"))

    @property
    def members(self) -> tuple[str, ...]:
        """The ids of who belongs to it."""
        stated = self.fields.get("members")
        listed = stated if isinstance(stated, list) else []
        return tuple(one for one in listed if isinstance(one, str))


Record = Message | User | Conversation


def read_record(event: RawEvent) -> Record | None:
    """What an event holds; null: nothing of Slack's."""
    try:
        body = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return None
    if isinstance(body.get("message"), dict):
        return Message(as_text(body.get("folder")) or "unknown", _unwrapped(body))
    if isinstance(body.get("user"), dict):
        return User(as_object(body["user"]))
    if isinstance(body.get("conversation"), dict):
        return Conversation(as_object(body["conversation"]))
    return None


def _unwrapped(body: Fields) -> Fields:
    """The message itself, where it is told by one that changes it."""
    message = as_object(body["message"])
    inner = as_object(message.get("message"))
    return inner if message.get("subtype") == "message_changed" and inner else message


def shown_name(profile: Fields) -> str | None:
    """The name that a profile shows."""
    names = (as_text(profile.get(name)) for name in ("real_name", "display_name", "name"))
    return next((name.strip() for name in names if name), None)


def stamp_of(value: JsonValue) -> str | None:
    """A time as Slack writes it, in decimal text; a float has lost its last digits."""
    text = as_text(value)
    return text if text and text.isascii() and _STAMP.fullmatch(text) else None


def microseconds(stamp: str) -> int:
    """A stamp as a count since 1970."""
    return int(Decimal(stamp) * 1_000_000)


def moment_of(stamp: str | None) -> Bound | None:
    """The moment of a stamp."""
    if stamp is None:
        return None
    try:
        moment = _EPOCH + timedelta(microseconds=microseconds(stamp))
    except (InvalidOperation, OverflowError):
        return None
    return Bound(moment, TimeSource.RECORD, TimePrecision.MILLISECOND)
