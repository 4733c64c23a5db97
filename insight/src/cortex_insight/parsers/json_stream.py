"""Records of a JSON file of any size, one at a time."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final, cast

import ijson
from ijson.common import JSONError
from pydantic import JsonValue

Watch = Callable[[str, str, JsonValue], None]
"""Told of each event outside the records: its prefix, what it is, its value."""

SCALARS: Final = frozenset(("string", "number", "boolean", "null"))


class JsonStream:
    """The objects at the places that are asked for.

    Args:
        content: The bytes of the file.
        is_record: Whether an object at this place (`chats.list.item`) is a record.
        watch: Told of what stands around the records.
    """

    def __init__(
        self,
        content: Iterable[bytes],
        is_record: Callable[[str], bool],
        watch: Watch | None = None,
    ) -> None:
        self.broken = False
        """What follows the records is no JSON."""
        self._content = content
        self._is_record = is_record
        self._watch = watch

    def __iter__(self) -> Iterator[dict[str, JsonValue]]:
        builder: Builder | None = None
        try:
            for prefix, event, value in ijson.parse(_File(self._content), use_float=True):
                if builder is None:
                    if self._watch is not None:
                        self._watch(prefix, event, value)
                    if event == "start_map" and self._is_record(prefix):
                        builder = Builder()
                if builder is not None and builder.take(event, value):
                    if isinstance(builder.value, dict):
                        yield builder.value
                    builder = None
        except (JSONError, ValueError):
            self.broken = True


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
