"""The raw event: one record of a source, as a producer found it."""

import base64
from typing import Annotated, Literal

from pydantic import Base64Bytes, Field, JsonValue

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.base import Contract, JsonObject, Part, UtcDatetime
from roxabi_contracts.ids import canonical_json, content_id
from roxabi_contracts.subjects import Project, Token


class JsonBody(Part):
    """A body that is JSON itself; its bytes are its canonical spelling."""

    encoding: Literal["json"] = "json"
    content: JsonValue

    def to_bytes(self) -> bytes:
        """The bytes that a parser reads."""
        return canonical_json(self.content)


class TextBody(Part):
    """A body that is text in UTF-8."""

    encoding: Literal["text"] = "text"
    content: str

    def to_bytes(self) -> bytes:
        """The bytes that a parser reads."""
        return self.content.encode()


class BinaryBody(Part):
    """A body of any bytes, in base64 on the wire."""

    encoding: Literal["base64"] = "base64"
    content: Base64Bytes

    def to_bytes(self) -> bytes:
        """The bytes that a parser reads."""
        return self.content


Body = Annotated[JsonBody | TextBody | BinaryBody, Field(discriminator="encoding")]


def body_of(content: bytes) -> TextBody | BinaryBody:
    """The plainest body that holds these bytes exactly: text where it can, else base64."""
    try:
        text = content.decode()
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        return BinaryBody(content=base64.b64encode(content))
    return TextBody(content=text)


class RawEvent(Contract):
    """One record of a source, on its way into the lake."""

    project: Project
    source: Token
    source_ref: str = Field(min_length=1, max_length=1024)
    media_type: str = Field(max_length=128)
    body: Body
    occurred_at: UtcDatetime | None = None
    owner: ActorRef | None = None
    """Whose mailbox, session or import this is: whose memory it goes to."""
    attributes: JsonObject = Field(default_factory=dict)
    """What the record does not say and its parser needs: bounds of time, file, neighbours."""

    @property
    def event_id(self) -> str:
        """Derived from everything the event says: the same event again is a no-op."""
        fields = self.model_dump(mode="json", exclude={"contract_version"})
        return content_id("event", fields)
