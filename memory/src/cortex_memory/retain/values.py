"""Values in canonical form: what is equal, what is part of what, and the keyed digests."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import TypeAlias

from pydantic import JsonValue
from roxabi_contracts.predicates import ValueType

from cortex_memory.model import Digest, Pairs, Value
from cortex_memory.retain.scalars import canonical_text, normal, plain_number

Hashed: TypeAlias = "str | int | tuple[Hashed, ...] | None"
"""What can be hashed: texts, numbers and tuples of them, to any depth."""

EMPTY = Value(pairs=(), texts=())

_DIGEST_BYTES = 16
_HASHED_TEXT = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_JSON_TEXT = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def keyed_digest(project_key: bytes, *parts: Hashed) -> Digest:
    """128 bits over the parts that nobody without the project's key can recompute.

    `project_key` has at most 64 bytes.
    """
    content = _HASHED_TEXT(parts).encode()
    return Digest(hashlib.blake2b(content, key=project_key, digest_size=_DIGEST_BYTES).hexdigest())


def value_of(raw: Mapping[str, JsonValue], project_key: bytes, value_type: ValueType) -> Value:
    """Bring a value as said into the form in which values are compared.

    The catalogue's type rules the key `value`; every other key is compared by its JSON type.
    """
    said = _unwrapped(raw)
    pairs: list[tuple[str, Digest]] = []
    texts: list[str] = []
    for key in sorted(key for key, part in said.items() if part is not None):
        form = canonical_part(said[key], value_type if key == "value" else ValueType.OBJECT)
        pairs.append((key, keyed_digest(project_key, key, form)))
        texts.append(_JSON_TEXT(said[key]))
    nulls = sorted(key for key, part in said.items() if part is None)
    return Value(pairs=tuple(pairs), texts=tuple(texts), nulls=tuple(nulls))


def _unwrapped(raw: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """`{"value": x}` equals x, however often it is wrapped."""
    said: dict[str, JsonValue] = {normal(key): part for key, part in sorted(raw.items())}
    while said.keys() == {"value"} and isinstance(inner := said["value"], dict):
        said = {normal(key): part for key, part in sorted(inner.items())}
    return said


def canonical_part(part: JsonValue, value_type: ValueType) -> str:
    """The canonical JSON text of one part; a part that is not of the type is compared as it is."""
    return _JSON_TEXT(_canonical(part, value_type))


def _canonical(part: JsonValue, value_type: ValueType) -> JsonValue:
    match part:
        case bool() | None:
            return part
        case int():
            return {"number": plain_number(Decimal(part))}
        case float():
            return {"number": plain_number(Decimal(repr(part)))}
        case str():
            return canonical_text(part, value_type)
        case list():
            return [_canonical(item, ValueType.OBJECT) for item in part]
        case _:
            return {
                normal(key): _canonical(item, ValueType.OBJECT)
                for key, item in sorted(part.items())
            }


def overlay(old: Value, new: Value) -> Value:
    """`new`'s keys over `old`'s; a null removes the key, and none is left."""
    texts = dict(zip(old.pairs, old.texts, strict=True))
    said = {key for key, _ in new.pairs}.union(new.nulls)
    kept = {pair: text for pair, text in texts.items() if pair[0] not in said}
    kept.update(zip(new.pairs, new.texts, strict=True))
    pairs = tuple(sorted(kept))
    return Value(pairs=pairs, texts=tuple(kept[pair] for pair in pairs))


def is_part_of(new: Value, old: Value) -> bool:
    """Whether `overlay(old, new)` changes nothing."""
    if new.pairs == old.pairs:
        return not new.nulls or not _has_key(old, new.nulls)
    return set(new.pairs) <= set(old.pairs) and not _has_key(old, new.nulls)


def meets(retracted: Value, live: Pairs) -> bool:
    """Whether a retract of a value is about a live one; an empty retract is about all."""
    return set(retracted.pairs) <= set(live)


def without_nulls(value: Value) -> Value:
    """The value that a fact holds when nothing was there before."""
    return Value(pairs=value.pairs, texts=value.texts) if value.nulls else value


def blank(value: Value) -> Value:
    """The value with its content gone and its effect kept."""
    return Value(pairs=value.pairs, texts=(None,) * len(value.texts), nulls=value.nulls)


def readable(value: Value) -> dict[str, JsonValue] | None:
    """The JSON object as said, without erased keys; null when all of its content is gone."""
    parts = zip(value.pairs, value.texts, strict=True)
    shown: dict[str, JsonValue] = {key: json.loads(text) for (key, _), text in parts if text}
    return shown if shown or not value.pairs else None


def _has_key(value: Value, keys: Iterable[str]) -> bool:
    present = {key for key, _ in value.pairs}
    return any(key in present for key in keys)
