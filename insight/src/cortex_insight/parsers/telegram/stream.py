"""The messages of an export of any size, one at a time, with what stands around them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from pydantic import JsonValue

from cortex_insight.parsers.json_stream import SCALARS, JsonStream

CHAT_FIELDS: Final = ("id", "type", "name")
_MESSAGE: Final = "messages.item"
_OWN_ID: Final = "personal_information.user_id"
_UPDATES: Final = ("item", "result.item")


@dataclass
class Around:
    """What was read of the file and of the chat so far."""

    chat: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    own_id: JsonValue = None
    broken: bool = False
    """What follows is no JSON."""

    def look(self, prefix: str, event: str, value: JsonValue) -> None:
        """Take note of what stands outside the messages."""
        if event == "start_map" and prefix.endswith("list.item"):
            self.chat = {}
        if event not in SCALARS:
            return
        if prefix == _OWN_ID:
            self.own_id = value
        *path, name = prefix.split(".")
        if name in CHAT_FIELDS and path[-2:] in ([], ["list", "item"]):
            self.chat[name] = value


def messages(content: Iterable[bytes], around: Around) -> Iterator[dict[str, JsonValue]]:
    """Every message of an export, or every update of a list; `around` changes as it goes."""
    stream = JsonStream(content, _is_record, around.look)
    yield from stream
    around.broken = stream.broken


def _is_record(prefix: str) -> bool:
    return prefix == _MESSAGE or prefix.endswith("list.item.messages.item") or prefix in _UPDATES
