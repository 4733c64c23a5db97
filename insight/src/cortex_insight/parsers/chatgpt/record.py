"""What an event of ChatGPT holds: a conversation, a message in it, or what its user set."""

import re
from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.event_time import Bound
from cortex_insight.parsers.records import as_object, as_text, milliseconds, moment_of, read_json

Fields = dict[str, JsonValue]

UNTITLED: Final = frozenset(("New chat", "New Chat"))
EVERYBODY: Final = "all"
_TOOL_WRITES: Final = "tool:"
_PROJECT: Final = re.compile(r"g-p-[0-9a-z]+")


@dataclass(frozen=True)
class Conversation:
    """A conversation without its messages, as an export tells it."""

    fields: Fields

    @property
    def id(self) -> str | None:
        """Stable when it is renamed."""
        return as_text(self.fields.get("id"))

    @property
    def title(self) -> str | None:
        """What it is about, in the words of the program or the user; null: it has none yet."""
        title = as_text(self.fields.get("title"))
        return None if title in UNTITLED else title

    @property
    def updated(self) -> int:
        """When it was changed last, in epoch ms; 0 where the export does not say."""
        return milliseconds(self.fields.get("update_time"))

    @property
    def gizmo(self) -> str | None:
        """The custom GPT, or the project, that it belongs to."""
        return as_text(self.fields.get("gizmo_id"))

    @property
    def superseded(self) -> frozenset[str]:
        """The messages of branches that the user left."""
        stated = self.fields.get("superseded")
        return frozenset(one for one in (stated if isinstance(stated, list) else [])
                         if isinstance(one, str))  # fmt: skip


@dataclass(frozen=True)
class Message:
    """A message at its place in a conversation."""

    conversation: str
    node: str
    fields: Fields

    @property
    def role(self) -> str:
        """Who speaks: `user`, `assistant`, `tool` or `system`; also what writes in their name."""
        author = as_object(self.fields.get("author"))
        writer = as_text(as_object(author.get("metadata")).get("real_author")) or ""
        stated = as_text(author.get("role")) or "unknown"
        return "tool" if writer.startswith(_TOOL_WRITES) and stated == "user" else stated

    @property
    def tool(self) -> str | None:
        """The name of the tool that speaks."""
        return as_text(as_object(self.fields.get("author")).get("name"))

    @property
    def recipient(self) -> str:
        """`all`, or the tool that an assistant calls."""
        return as_text(self.fields.get("recipient")) or EVERYBODY

    @property
    def content(self) -> Fields:
        """What it says, in one of many shapes."""
        return as_object(self.fields.get("content"))

    @property
    def content_type(self) -> str:
        """Which shape."""
        return as_text(self.content.get("content_type")) or "untyped"

    @property
    def parts(self) -> list[JsonValue]:
        """The texts and objects of its content."""
        parts = self.content.get("parts")
        return parts if isinstance(parts, list) else []

    @property
    def metadata(self) -> Fields:
        """What the program notes beside it."""
        return as_object(self.fields.get("metadata"))

    @property
    def is_hidden(self) -> bool:
        """Whether the program keeps it from the user's eyes."""
        return self.metadata.get("is_visually_hidden_from_conversation") is True

    @property
    def created(self) -> Bound | None:
        """When it was said; null: the export does not tell, as often."""
        return moment_of(self.fields.get("create_time"))

    @property
    def revision(self) -> int:
        """The time of its last change; of an answer that was still being written, 0."""
        changed = milliseconds(self.fields.get("update_time"))
        return changed or int(self.fields.get("status") == "finished_successfully")


@dataclass(frozen=True)
class Instructions:
    """What the user set for all conversations, as one of them met it."""

    conversation: str
    node: str
    fields: Fields

    @property
    def about_user(self) -> str | None:
        """What they say of themself."""
        return as_text(self.fields.get("about_user"))

    @property
    def about_model(self) -> str | None:
        """How they want to be answered."""
        return as_text(self.fields.get("about_model"))


@dataclass(frozen=True)
class Account:
    """The account that was exported."""

    fields: Fields


Record = Conversation | Message | Instructions | Account


def read_record(event: RawEvent) -> Record | None:
    """What an event holds; null: nothing of ChatGPT's."""
    try:
        body = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return None
    conversation, node = as_text(body.get("conversation_id")), as_text(body.get("node"))
    if conversation and node:
        if isinstance(body.get("message"), dict):
            return Message(conversation, node, as_object(body["message"]))
        if isinstance(body.get("instructions"), dict):
            return Instructions(conversation, node, as_object(body["instructions"]))
    if isinstance(body.get("conversation"), dict):
        return Conversation(as_object(body["conversation"]))
    return Account(as_object(body["user"])) if isinstance(body.get("user"), dict) else None


def is_project(gizmo: str) -> bool:
    """Whether it is a project of the user, not a custom GPT."""
    return _PROJECT.match(gizmo) is not None
