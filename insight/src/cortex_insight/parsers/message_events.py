"""The events of an exported chat: each message with what only its place in the chat tells."""

import json
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import RawEvent
from roxabi_contracts.base import JsonObject
from roxabi_contracts.event import body_of

from cortex_insight.event import FileContext, Skipped
from cortex_insight.parsers.message_tree import Above
from cortex_insight.parsers.records import LONGEST_RECORD, milliseconds

MEDIA_TYPE: Final = "application/json"
PARENT: Final = "parent"
TURN: Final = "turn"
DEPTH: Final = "depth"
NOT_BEFORE: Final = "not_before"
FILE_TIME: Final = "file_modified_at"


class MessageWriter:
    """Makes the events of a file.

    Args:
        context: Of the file.
        source: Whose export it is.
        created: The field of a message that says when it was written.
        named: Under which name the body keeps the id of a message.
    """

    def __init__(self, context: FileContext, source: str, *, created: str, named: str) -> None:
        self._context = context
        self._source = source
        self._created = created
        self._named = named
        modified = context.modified_at
        self.file_time = modified.isoformat() if modified else None

    def message(
        self, conversation: str, name: str, message: JsonObject, above: Above, begun: JsonValue
    ) -> RawEvent | Skipped:
        """A message; one without a time is no earlier than what came before it."""
        times: JsonObject = {}
        if not milliseconds(message.get(self._created)):
            before = above.time or begun
            times = {NOT_BEFORE: before} if before else {FILE_TIME: self.file_time}
        place: JsonObject = {DEPTH: above.depth, PARENT: above.parent, TURN: above.turn}
        body: JsonObject = {
            "conversation_id": conversation,
            self._named: name,
            "message": message,
        }
        return self.event(f"{conversation}/{name}", body, place | times)

    def event(self, ref: str, body: JsonObject, attributes: JsonObject) -> RawEvent | Skipped:
        """An event of this file."""
        content = json.dumps(body, sort_keys=True, ensure_ascii=False).encode("utf-8", "replace")
        if len(content) > LONGEST_RECORD:
            return Skipped(0, "the message is longer than can be kept")
        return RawEvent(
            project=self._context.project,
            source=self._source,
            source_ref=ref.replace("\0", "")[:1024],
            media_type=MEDIA_TYPE,
            body=body_of(content),
            owner=self._context.owner,
            attributes={name: value for name, value in attributes.items() if value is not None},
        )
