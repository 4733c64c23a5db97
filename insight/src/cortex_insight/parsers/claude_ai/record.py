"""What an event of Claude.ai holds: a conversation, a message in it, or an account."""

from dataclasses import dataclass
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent

from cortex_insight.parsers.records import as_object, as_text, milliseconds, read_json

Fields = dict[str, JsonValue]

HUMAN: Final = "human"
AGENT: Final = "assistant"


@dataclass(frozen=True)
class Conversation:
    """A conversation without its messages, as an export tells it."""

    fields: Fields

    @property
    def id(self) -> str | None:
        """Stable when it is renamed."""
        return as_text(self.fields.get("uuid"))

    @property
    def name(self) -> str | None:
        """What it is about; null: it has no name yet."""
        return as_text(self.fields.get("name"))

    @property
    def project(self) -> str | None:
        """The name of the project that it belongs to, where the export tells it."""
        return as_text(as_object(self.fields.get("project")).get("name"))

    @property
    def updated(self) -> int:
        """When it was changed last, in epoch ms; 0 where the export does not say."""
        return milliseconds(self.fields.get("updated_at"))

    @property
    def superseded(self) -> frozenset[str]:
        """The messages of branches that the user left."""
        stated = self.fields.get("superseded")
        listed = stated if isinstance(stated, list) else []
        return frozenset(one for one in listed if isinstance(one, str))


@dataclass(frozen=True)
class Message:
    """A message of a conversation."""

    conversation: str
    id: str
    fields: Fields

    @property
    def sender(self) -> str:
        """Who speaks: `human` or `assistant`."""
        return as_text(self.fields.get("sender")) or "unknown"

    @property
    def blocks(self) -> list[Fields]:
        """What it says, part by part; in the oldest exports it is one text."""
        content = self.fields.get("content")
        blocks = [as_object(one) for one in (content if isinstance(content, list) else [])]
        text = as_text(self.fields.get("text"))
        if any(blocks) or text is None:
            return blocks
        return [{"type": "text", "text": text}]

    @property
    def text(self) -> str:
        """The words; what stands in `text` beside blocks holds placeholders for some of them."""
        said = (as_text(block.get("text")) for block in self.blocks if _is_said(block))
        return "\n".join(one for one in said if one).strip()

    @property
    def files(self) -> list[Fields]:
        """What came along."""
        listed = [self.fields.get(name) for name in ("attachments", "files", "files_v2")]
        found = [as_object(one) for some in listed if isinstance(some, list) for one in some]
        unique = {as_text(one.get("file_uuid")) or str(place): one
                  for place, one in enumerate(found) if one}  # fmt: skip
        return list(unique.values())

    @property
    def revision(self) -> int:
        """When it was changed last, in epoch ms."""
        return milliseconds(self.fields.get("updated_at"))


@dataclass(frozen=True)
class Account:
    """The account that was exported."""

    fields: Fields


Record = Conversation | Message | Account


def read_record(event: RawEvent) -> Record | None:
    """What an event holds; null: nothing of Claude.ai's."""
    try:
        body = as_object(read_json(event.body.to_bytes()))
    except ValueError:
        return None
    conversation, name = as_text(body.get("conversation_id")), as_text(body.get("message_id"))
    if conversation and name and isinstance(body.get("message"), dict):
        return Message(conversation, name, as_object(body["message"]))
    if isinstance(body.get("conversation"), dict):
        return Conversation(as_object(body["conversation"]))
    return Account(as_object(body["user"])) if isinstance(body.get("user"), dict) else None


def _is_said(block: Fields) -> bool:
    return block.get("type") in ("text", "voice_note")
