"""Ids that derive from content: the same thing said again has the same id everywhere."""

import hashlib
import json
from collections.abc import Mapping, Sequence

from pydantic import JsonValue
from ulid import ULID

_LATEST_ULID_MS = 2**48 - 1
_CANONICAL_TEXT = json.JSONEncoder(
    ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False
).encode


def canonical_json(value: JsonValue | Mapping[str, JsonValue] | Sequence[JsonValue]) -> bytes:
    """The one spelling of a JSON value: sorted keys, no white space, UTF-8.

    Raises:
        ValueError: a number is not finite.
    """
    return _CANONICAL_TEXT(value).encode()


def content_digest(*parts: JsonValue) -> bytes:
    """SHA-256 over the canonical JSON of the parts, in order."""
    return hashlib.sha256(canonical_json(list(parts))).digest()


def content_id(*parts: JsonValue) -> str:
    """128 bits of `content_digest` as 32 hexadecimal digits."""
    return content_digest(*parts)[:16].hex()


def content_ulid(timestamp: int, *parts: JsonValue) -> str:
    """A ULID whose time is `timestamp` (epoch ms) and whose random part is the content's hash.

    A time that a ULID cannot hold is put at the nearest end of its range.
    """
    moment = min(max(timestamp, 0), _LATEST_ULID_MS)
    return str(ULID.from_bytes(moment.to_bytes(6, "big") + content_digest(*parts)[:10]))
