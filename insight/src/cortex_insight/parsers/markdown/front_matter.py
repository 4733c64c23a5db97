"""What a note states of itself: front matter in YAML or TOML, or properties at its top."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

Front = Mapping[str, tuple[str, ...]]
"""By the name of each field in lower case, with `_` for spaces and dashes: its values."""

_FENCES: Final = {"---": ("---", "..."), "+++": ("+++",)}
_FIELD: Final = re.compile(r"([^\s:=#\-\[{\"'][^:=]{0,60}?|\"[^\"]{1,60}\")\s*[:=](?:\s+(.*)|)$")
_ITEM: Final = re.compile(r"\s*-\s+(.*)$")
_LOGSEQ: Final = re.compile(r"(?:-\s+)?([A-Za-z][\w -]{0,40})::\s*(.*)$")
_NOTION: Final = re.compile(r"([^\W\d_][\w /-]{0,40}):\s+(.*)$")
_LINES_AT_MOST: Final = 400
_VALUES_AT_MOST: Final = 100
_LONGEST_VALUE: Final = 500


def read_front(lines: Sequence[str]) -> tuple[Front, int]:
    """The fields at the beginning of a file, and how many of its lines they take."""
    end = front_length(lines)
    if end:
        return _fields(lines[1 : end - 1]), end
    found: dict[str, tuple[str, ...]] = {}
    for index, line in enumerate(lines[:_LINES_AT_MOST]):
        stated = _LOGSEQ.fullmatch(line.strip())
        if stated is None:
            return found, index if found else 0
        found[_named(stated[1])] = _values(stated[2])
    return found, len(found)


def front_length(lines: Sequence[str]) -> int:
    """How many lines the front matter takes, with its fences; 0: there is none."""
    closing = _FENCES.get(lines[0].rstrip()) if lines else None
    if closing is None:
        return 0
    for index, line in enumerate(lines[1:_LINES_AT_MOST], 1):
        if line.rstrip() in closing:
            return index + 1 if any(map(_FIELD.fullmatch, lines[1:index])) else 0
    return 0


def read_properties(lines: Iterable[str]) -> Front:
    """The properties that Notion writes below the title, up to the first line that is none."""
    found: dict[str, tuple[str, ...]] = {}
    for line in lines:
        stated = _NOTION.fullmatch(line.strip())
        if stated is None:
            if line.strip():
                break
            continue
        found[_named(stated[1])] = _values(stated[2])
    return found


def first_of(front: Front, *names: str) -> str | None:
    """The first value of the first of these fields that has one."""
    return next((value for name in names for value in front.get(name, ()) if value), None)


def all_of(front: Front, *names: str) -> tuple[str, ...]:
    """All values of these fields."""
    return tuple(value for name in names for value in front.get(name, ()) if value)


def _fields(lines: Sequence[str]) -> Front:
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in lines:
        stated = _FIELD.fullmatch(line.rstrip())
        item = _ITEM.fullmatch(line)
        if stated is not None:
            name = _named(stated[1].strip('"'))
            found[name] = _values(stated[2] or "")
        elif item is not None and name and len(found[name]) < _VALUES_AT_MOST:
            found[name] = (*found[name], *_values(item[1]))
    return found


def _values(text: str) -> tuple[str, ...]:
    """One value, or those of a list on a line."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]") and not text.startswith("[["):
        parts = re.findall(r"\"[^\"]*\"|'[^']*'|\[\[[^\[\]]*\]\]|[^,\s][^,]*", text[1:-1])
    elif text.startswith(("|", ">", "{", "&", "!")):
        return ()
    else:
        parts = [text]
    return tuple(value for part in parts[:_VALUES_AT_MOST] if (value := _plain(part)))


def _plain(text: str) -> str:
    """A value without quotes and comments; null is nothing."""
    text = text.strip()[:_LONGEST_VALUE]
    quoted = re.fullmatch(r"\"(.*)\"|'(.*)'", re.sub(r"(?<=[\"'])\s+#.*$", "", text))
    if quoted is not None:
        return (quoted[1] or quoted[2] or "").strip()
    text = re.sub(r"\s+#\s.*$", "", text)
    return "" if text in ("null", "~", "None") else text


def _named(name: str) -> str:
    return re.sub(r"[\s-]+", "_", name.strip().lower())
