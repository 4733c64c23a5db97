"""One record of a session: its fields by name, whatever shape they are in."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.ids import content_id

from cortex_insight.parsers.records import as_object, as_text, read_object

SYNTHETIC_MODEL: Final = "<synthetic>"


@dataclass(frozen=True)
class Record:
    """A JSON object of a session file."""

    fields: Mapping[str, JsonValue]

    def text(self, name: str) -> str | None:
        """A field that is a text, else null."""
        return as_text(self.fields.get(name))

    def flag(self, name: str) -> bool:
        """Whether a field is true."""
        return self.fields.get(name) is True

    @property
    def type(self) -> str:
        """The record's type; `untyped` where it has none."""
        return self.text("type") or "untyped"

    @property
    def version(self) -> str:
        """Of the program that wrote it."""
        return self.text("version") or "unknown"

    @property
    def message(self) -> dict[str, JsonValue]:
        """The message that a user or assistant record carries."""
        return as_object(self.fields.get("message"))

    @property
    def key(self) -> str:
        """The natural id: its uuid, the message's id and content, or all that it says.

        What a fork repeats under an uuid of its own keeps that of the original.
        """
        uuid = as_text(self.forked_from.get("messageUuid")) or self.text("uuid")
        if uuid:
            return uuid
        message_id = as_text(self.message.get("id"))
        if message_id:
            return f"{message_id}:{content_id(self.message.get('content'))[:16]}"
        return f"content:{content_id(dict(self.fields))}"

    @property
    def forked_from(self) -> dict[str, JsonValue]:
        """The session and the record that it repeats; empty: it is not said to repeat any."""
        return as_object(self.fields.get("forkedFrom"))

    @property
    def is_repeated(self) -> bool:
        """Whether it says itself that a session repeats it."""
        return bool(self.forked_from) or self.text("sessionKind") == "bg"

    @property
    def session(self) -> str | None:
        """The session that said it first, as far as it tells."""
        return as_text(self.forked_from.get("sessionId")) or self.text("sessionId")

    @property
    def above(self) -> str | None:
        """The uuid of the record that it follows."""
        return self.text("parentUuid") or self.text("logicalParentUuid")

    @property
    def by_agent(self) -> bool:
        """Whether it belongs to a sub-agent, whose `user` is the agent that called it."""
        return self.flag("isSidechain") or self.text("agentId") is not None

    @property
    def is_api_error(self) -> bool:
        """Whether the program, not the model, speaks of a failed call."""
        synthetic = self.message.get("model") == SYNTHETIC_MODEL
        return self.flag("isApiErrorMessage") or (synthetic and self.type == "assistant")

    @property
    def blocks(self) -> list[dict[str, JsonValue]]:
        """The content as a list of blocks; a text stands for a block of its own."""
        return blocks_of(self.message.get("content"))

    def with_blocks(self, kept: Mapping[int, Mapping[str, JsonValue]]) -> "Record":
        """The record with these blocks in their places, and empty ones in all others."""
        content: list[JsonValue] = [dict(kept.get(index, {})) for index in range(len(self.blocks))]
        return replace(
            self, fields={**self.fields, "message": {**self.message, "content": content}}
        )

    @property
    def calls(self) -> Iterator[tuple[int, dict[str, JsonValue]]]:
        """The tool calls of an assistant, each with its place among the blocks."""
        for index, block in enumerate(self.blocks):
            if block.get("type") == "tool_use":
                yield index, block

    @property
    def result_ids(self) -> tuple[str, ...]:
        """The ids of the calls whose results it carries."""
        ids = (
            as_text(block.get("tool_use_id"))
            for block in self.blocks
            if block.get("type") == "tool_result"
        )
        return tuple(dict.fromkeys(one for one in ids if one))


def block_ref(record: Record, index: int) -> str:
    """The natural id of a block of a record."""
    return f"{record.key[:1000]}#{index}"


def blocks_of(content: JsonValue) -> list[dict[str, JsonValue]]:
    """Content as blocks, in its order; anything else in it stands as an empty block."""
    items = content if isinstance(content, list) else [content]
    return [
        {"type": "text", "text": item} if isinstance(item, str) else as_object(item)
        for item in items
    ]


def text_of(content: JsonValue) -> str:
    """The text blocks of a content, a line break between them."""
    texts = (
        as_text(block.get("text")) for block in blocks_of(content) if block.get("type") == "text"
    )
    return "\n".join(text for text in texts if text)


def read_record(content: bytes) -> Record:
    """The record in a line.

    Raises:
        MalformedRecord: the line is not one JSON object.
    """
    return Record(read_object(content))
