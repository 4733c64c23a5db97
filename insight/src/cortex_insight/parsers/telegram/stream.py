"""The messages of an export of any size, one at a time, with what stands around them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, cast

import ijson
from ijson.common import JSONError
from pydantic import JsonValue

CHAT_FIELDS: Final = ("id", "type", "name")
_MESSAGE: Final = "messages.item"
_OWN_ID: Final = "personal_information.user_id"
_UPDATES: Final = ("item", "result.item")
_SCALARS: Final = frozenset(("string", "number", "boolean", "null"))


@dataclass
class Around:
    """What was read of the file and of the chat so far."""

    chat: dict[str, JsonValue] = field(default_factory=dict[str, JsonValue])
    own_id: JsonValue = None
    broken: bool = False
    """What follows is no JSON."""


class Builder:
    """Builds one value from its events; of a key that comes twice, the one that says something."""

    def __init__(self) -> None:
        self.value: JsonValue = None
        self._open: list[dict[str, JsonValue] | list[JsonValue]] = []
        self._keys: list[str | None] = []

    def take(self, event: str, value: JsonValue) -> bool:
        """Take an event; whether the value is complete."""
        if event == "map_key":
            self._keys[-1] = str(value)
        elif event in ("start_map", "start_array"):
            made: dict[str, JsonValue] | list[JsonValue] = {} if event == "start_map" else []
            self._put(cast("JsonValue", made))
            self._open.append(made)
            self._keys.append(None)
        elif event in ("end_map", "end_array"):
            self._open.pop()
            self._keys.pop()
        else:
            self._put(value)
        return not self._open

    def _put(self, value: JsonValue) -> None:
        if not self._open:
            self.value = value
            return
        holder, key = self._open[-1], self._keys[-1]
        if isinstance(holder, list):
            holder.append(value)
        elif key is not None and not (value in ("", None, []) and holder.get(key)):
            holder[key] = value


class _File:
    """Bytes that come in pieces, as a file to read from."""

    def __init__(self, content: Iterable[bytes]) -> None:
        self._pieces = iter(content)
        self._rest = b""

    def read(self, size: int = -1) -> bytes:
        while not self._rest:
            piece = next(self._pieces, None)
            if piece is None:
                return b""
            self._rest = piece
        taken = self._rest if size < 0 else self._rest[:size]
        self._rest = self._rest[len(taken) :]
        return taken


def messages(content: Iterable[bytes], around: Around) -> Iterator[dict[str, JsonValue]]:
    """Every message of an export, or every update of a list; `around` changes as it goes."""
    builder: Builder | None = None
    try:
        for prefix, event, value in ijson.parse(_File(content), use_float=True):
            if builder is None:
                _look_around(prefix, event, value, around)
                if event == "start_map" and _is_record(prefix):
                    builder = Builder()
            if builder is not None and builder.take(event, value):
                if isinstance(builder.value, dict):
                    yield builder.value
                builder = None
    except (JSONError, ValueError):
        around.broken = True


def _is_record(prefix: str) -> bool:
    return prefix == _MESSAGE or prefix.endswith("list.item.messages.item") or prefix in _UPDATES


def _look_around(prefix: str, event: str, value: JsonValue, around: Around) -> None:
    if event == "start_map" and prefix.endswith("list.item"):
        around.chat = {}
    if event not in _SCALARS:
        return
    if prefix == _OWN_ID:
        around.own_id = value
    *path, name = prefix.split(".")
    if name in CHAT_FIELDS and path[-2:] in ([], ["list", "item"]):
        around.chat[name] = value
