"""What the first bytes of a JSON file hold, for who recognises it."""

import json
from collections.abc import Iterator
from json import JSONDecoder
from typing import Final

from pydantic import JsonValue

from cortex_insight.event import FileHead

OBJECTS_AT_MOST: Final = 20
_BOM: Final = "\ufeff"


def first_objects(head: FileHead) -> list[dict[str, JsonValue]]:
    """The first whole JSON objects: one a line, the items of an array, or the file itself.

    Lines that are broken are passed over. What is longer than the head is none of them.
    """
    text = head.content.decode("utf-8", errors="replace").removeprefix(_BOM).lstrip()
    if text.startswith("["):
        return _items(text)
    lines = text.split("\n")
    found = [value for line in lines[: 3 * OBJECTS_AT_MOST] if (value := _object(line)) is not None]
    whole = None if found or not head.complete else _object(text)
    return found[:OBJECTS_AT_MOST] if whole is None else [whole]


def _object(text: str) -> dict[str, JsonValue] | None:
    if not text.lstrip().startswith("{"):
        return None
    try:
        value: JsonValue = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _items(text: str) -> list[dict[str, JsonValue]]:
    return [value for value in _values(text) if isinstance(value, dict)]


def _values(text: str) -> Iterator[JsonValue]:
    decoder = JSONDecoder()
    position = 1
    for _ in range(OBJECTS_AT_MOST):
        while position < len(text) and text[position] in " \t\r\n,":
            position += 1
        try:
            value, position = decoder.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield value
