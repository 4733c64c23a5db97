"""Reading records that others wrote: JSON in any state, text that can be stored, times."""

import hashlib
import json
import re
from collections.abc import Container
from datetime import UTC, datetime
from typing import Final, NoReturn

import orjson
from pydantic import JsonValue
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.payloads import TimePrecision, TimeSource

from cortex_insight.event_time import Bound

LONGEST_RECORD: Final = 40 * 1024 * 1024
"""Bytes of a record that becomes an event: in base64, and with its attributes, it is one still."""
LONGEST_TEXT: Final = 64 * 1024
"""Characters of a text that go into an observation."""

_FIRST_MILLISECONDS: Final = 100_000_000_000
"""From here up a count since 1970 is in milliseconds; as seconds it would lie after 5138."""

_UNSTORABLE: Final = re.compile("[\0\ud800-\udfff]")
_ESCAPED_UNSTORABLE: Final = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])|\0")


class MalformedRecord(Exception):
    """The bytes are no record."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
        self.reason = reason


def read_json(content: bytes) -> JsonValue:
    """The JSON value of the bytes, without NUL and lone surrogates in its texts.

    Raises:
        ValueError: the bytes are not one JSON value, or it is nested too deeply.
    """
    suspect = _ESCAPED_UNSTORABLE.search(content) is not None
    try:
        value: JsonValue = orjson.loads(content)
    except orjson.JSONDecodeError:
        value = _read_leniently(content)
        suspect = True  # its bytes may be half a character as they stand
    if not suspect:
        return value
    try:
        return _storable(value)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def read_object(line: bytes) -> dict[str, JsonValue]:
    """The JSON object in a line of a file.

    Raises:
        MalformedRecord: the line is not one JSON object.
    """
    try:
        value = read_json(line)
    except ValueError as error:
        raise MalformedRecord("not_json", "the line is not one JSON value in UTF-8") from error
    if not isinstance(value, dict):
        raise MalformedRecord("not_an_object", "the line is JSON, but no object")
    return value


def _read_leniently(content: bytes) -> JsonValue:
    try:
        value: JsonValue = json.loads(content, parse_constant=_refuse)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON")


def _storable(value: JsonValue) -> JsonValue:
    if isinstance(value, str):
        return _UNSTORABLE.sub("", value)
    if isinstance(value, list):
        return [_storable(item) for item in value]
    if isinstance(value, dict):
        return {_UNSTORABLE.sub("", key): _storable(item) for key, item in value.items()}
    return value


def as_object(value: JsonValue) -> dict[str, JsonValue]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_text(value: JsonValue) -> str | None:
    """The value if it is a text that says something."""
    return value if isinstance(value, str) and value.strip() else None


def capped(text: str) -> tuple[str, dict[str, str]]:
    """The text up to the longest that is kept, and the length and digest of one that was cut."""
    if len(text) <= LONGEST_TEXT:
        return text, {}
    digest = hashlib.sha256(text.encode()).hexdigest()
    return text[:LONGEST_TEXT], {"text_length": str(len(text)), "text_sha256": digest}


def shortened(value: JsonValue, without: Container[str] = ()) -> JsonValue:
    """A value with its long texts cut, each with a mark of what it was, and without these keys."""
    if isinstance(value, str):
        text, cut = capped(value)
        mark = (
            f"\n[cut: {cut['text_length']} characters, sha256 {cut['text_sha256']}]" if cut else ""
        )
        return text + mark
    if isinstance(value, list):
        return [shortened(item, without) for item in value]
    if isinstance(value, dict):
        kept = {key: item for key, item in value.items() if key not in without}
        return {key: shortened(item, without) for key, item in kept.items()}
    return value


def read_time(value: JsonValue, source: TimeSource = TimeSource.RECORD) -> Bound | None:
    """The moment that a record states, in ISO 8601 or as a count since 1970.

    A count is in seconds, or in milliseconds where seconds would lie beyond the year 5138; a time
    without a zone is taken for UTC, and marked as assumed. Null: it can be neither.
    """
    if isinstance(value, str):
        return _read_iso(value.strip(), source)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _read_count(value, source)
    return None


def _read_iso(text: str, source: TimeSource) -> Bound | None:
    try:
        moment = datetime.fromisoformat(text)
        zoned = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        zoned.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    precision = TimePrecision.DAY if len(text) == 10 else TimePrecision.SECOND
    if "." in text:
        precision = TimePrecision.MILLISECOND
    return Bound(zoned, source, precision, zone=moment.tzname(), assumed=moment.tzinfo is None)


def _read_count(count: float, source: TimeSource) -> Bound | None:
    in_milliseconds = abs(count) >= _FIRST_MILLISECONDS
    try:
        moment = datetime.fromtimestamp(count / 1_000 if in_milliseconds else count, tz=UTC)
    except (ValueError, OverflowError, OSError):
        return None
    exact = in_milliseconds or isinstance(count, float)
    precision = TimePrecision.MILLISECOND if exact else TimePrecision.SECOND
    return Bound(moment, source, precision)


def moment_of(value: JsonValue) -> Bound | None:
    """A moment that a record states; 0 stands for none."""
    return read_time(value) if value else None


def milliseconds(value: JsonValue) -> int:
    """A moment in epoch ms; 0 where none is stated."""
    bound = moment_of(value)
    return max(epoch_ms(bound.moment), 0) if bound and bound.moment else 0
