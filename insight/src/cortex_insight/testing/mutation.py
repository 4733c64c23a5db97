"""Real input, broken: what files look like after years of programs and disks."""

import json
from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy
from pydantic import JsonValue

_DEEP: Final = "[" * 3000 + "]" * 3000
_ODD_BYTES: Final = (
    *(b"", b"\0", b"\n", b"\r", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\ud800"),
    *(b'"', b"{", b"}", b"[", b"null", b"NaN", b"9" * 400, b"-1", b"<[x]>", b"=?utf-8?b?", b";"),
)
_ODD_SCALARS: Final[list[JsonValue]] = [
    *(None, True, 0, -1, 10**30, 1e308, -(10**18), "", " ", "\ud800", "\0", "x" * 3000),
    *("1970-01-01", "9999-12-31T23:59:59+23:59"),
]
_NOTHING: Final[list[JsonValue]] = [None]
_ODD_VALUES: Final[list[JsonValue]] = [*_ODD_SCALARS, [], {}, _NOTHING, {"": None}, [*_ODD_SCALARS]]

Mutation = Callable[[DrawFn, bytes], bytes]


@st.composite
def _mutated(draw: DrawFn, content: bytes) -> bytes:
    for _ in range(draw(st.integers(1, 3))):
        content = draw(st.sampled_from(_MUTATIONS))(draw, content)
    return content


def mutated(content: bytes) -> SearchStrategy[bytes]:
    """The content with one to three things broken: bytes, lines, or values of its JSON."""
    return _mutated(content)


def _cut_out(draw: DrawFn, content: bytes) -> bytes:
    start, end = _span(draw, len(content))
    return content[:start] + content[end:]


def _truncate(draw: DrawFn, content: bytes) -> bytes:
    return content[: draw(st.integers(0, len(content)))]


def _repeat(draw: DrawFn, content: bytes) -> bytes:
    start, end = _span(draw, len(content))
    return content[:end] + content[start:end] + content[end:]


def _insert(draw: DrawFn, content: bytes) -> bytes:
    place = draw(st.integers(0, len(content)))
    odd = draw(st.sampled_from(_ODD_BYTES) | st.binary(min_size=1, max_size=8))
    return content[:place] + odd + content[place:]


def _overwrite(draw: DrawFn, content: bytes) -> bytes:
    start, end = _span(draw, len(content))
    odd = draw(st.sampled_from(_ODD_BYTES))
    return content[:start] + odd + content[end:]


def _change_lines(draw: DrawFn, content: bytes) -> bytes:
    lines = content.split(b"\n")
    one, other = (draw(st.integers(0, len(lines) - 1)) for _ in range(2))
    match draw(st.sampled_from(("drop", "swap", "double", "empty the value"))):
        case "drop":
            del lines[one]
        case "swap":
            lines[one], lines[other] = lines[other], lines[one]
        case "double":
            lines.insert(other, lines[one])
        case _:
            name, colon, _ = lines[one].partition(b":")
            lines[one] = name + colon + b" " + draw(st.sampled_from(_ODD_BYTES))
    return b"\n".join(lines)


def _change_json(draw: DrawFn, content: bytes) -> bytes:
    """A value somewhere in the JSON of the file, or of one of its lines, replaced or removed."""
    whole = _json(content)
    if isinstance(whole, dict | list):
        return json.dumps(_changed(draw, whole)).encode()
    lines = content.split(b"\n")
    place = draw(st.integers(0, len(lines) - 1))
    value = _json(lines[place])
    if not isinstance(value, dict | list):
        return _insert(draw, content)
    lines[place] = json.dumps(_changed(draw, value)).encode()
    return b"\n".join(lines)


def _changed(draw: DrawFn, value: JsonValue) -> JsonValue:
    if not isinstance(value, dict | list) or not value or draw(st.integers(0, 5)) == 0:
        return draw(st.sampled_from(_ODD_VALUES))
    if isinstance(value, list):
        place = draw(st.integers(0, len(value) - 1))
        return [*value[:place], _changed(draw, value[place]), *value[place + 1 :]]
    key = draw(st.sampled_from(sorted(value)))
    if draw(st.integers(0, 5)) == 0:
        return {name: item for name, item in value.items() if name != key}
    return {**value, key: _changed(draw, value[key])}


def _json(content: bytes) -> JsonValue:
    try:
        value: JsonValue = json.loads(content)
    except (ValueError, RecursionError):
        return None
    return value


def _span(draw: DrawFn, length: int) -> tuple[int, int]:
    start = draw(st.integers(0, length))
    return start, min(length, start + draw(st.integers(0, 200)))


def _nest(draw: DrawFn, content: bytes) -> bytes:
    place = draw(st.integers(0, len(content)))
    return content[:place] + _DEEP.encode() + content[place:]


_MUTATIONS: Final[tuple[Mutation, ...]] = (
    *(_change_json, _change_json, _change_lines, _overwrite, _insert),
    *(_cut_out, _truncate, _repeat, _nest),
)
