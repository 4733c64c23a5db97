"""Values in canonical form: what is equal, what is part of what, and the keyed digests."""

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from typing import TypeAlias

from pydantic import JsonValue
from roxabi_contracts.predicates import ValueType

from cortex_memory.model import Digest, Pairs, Value

Hashed: TypeAlias = "str | int | tuple[Hashed, ...] | None"
"""What can be hashed: texts, numbers and tuples of them, to any depth."""

EMPTY = Value(pairs=(), texts=())

_DIGEST_BYTES = 16
_HASHED_TEXT = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_JSON_TEXT = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_SECONDS = {"W": 604_800, "D": 86_400, "H": 3_600, "M": 60, "S": 1}
_DURATION = re.compile(
    r"P(?:(\d{1,9})Y)?(?:(\d{1,9})M)?(?:(\d{1,9})W)?(?:(\d{1,9})D)?"
    r"(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?"
)
_NUMBER = r"[+-]?\d(?:[\d ,.]*\d)?"
_AMOUNT = re.compile(rf"(?P<number>{_NUMBER})\s*(?P<unit>\D+)|(?P<sign>\D+?)\s*(?P<rest>{_NUMBER})")
_SYMBOLS = {"€": "eur", "$": "usd", "£": "gbp", "¥": "jpy"}


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
    said: dict[str, JsonValue] = {_normal(key): part for key, part in raw.items()}
    while said.keys() == {"value"} and isinstance(inner := said["value"], dict):
        said = {_normal(key): part for key, part in inner.items()}
    return said


def canonical_part(part: JsonValue, value_type: ValueType) -> str:
    """The canonical JSON text of one part; a part that is not of the type is compared as it is."""
    return _JSON_TEXT(_canonical(part, value_type))


def _canonical(part: JsonValue, value_type: ValueType) -> JsonValue:
    match part:
        case bool() | None:
            return part
        case int() | float():
            return {"number": _plain_number(Decimal(repr(part)))}
        case str():
            return _canonical_text(part, value_type)
        case list():
            return [_canonical(item, ValueType.OBJECT) for item in part]
        case _:
            return {_normal(key): _canonical(item, ValueType.OBJECT) for key, item in part.items()}


def _canonical_text(text: str, value_type: ValueType) -> JsonValue:
    folded = _normal(" ".join(text.split()).casefold())
    match value_type:
        case ValueType.NUMBER:
            number = _number(folded)
            return folded if number is None else {"number": number}
        case ValueType.DATE:
            return _date(folded)
        case ValueType.DURATION:
            return _duration(folded)
        case ValueType.AMOUNT:
            return _amount(folded)
        case ValueType.BOOLEAN:
            return {"true": True, "false": False}.get(folded, folded)
        case ValueType.TEXT | ValueType.OBJECT:
            return folded


def _normal(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _plain_number(number: Decimal) -> str:
    """The shortest spelling of a number, exact whatever its size."""
    sign, digits, exponent = number.as_tuple()
    if not isinstance(exponent, int):
        return str(number)
    significant = "".join(map(str, digits)).lstrip("0")
    stripped = significant.rstrip("0")
    if not stripped:
        return "0"
    shift = exponent + len(significant) - len(stripped)
    return f"{'-' if sign else ''}{stripped}e{shift}"


def _number(text: str) -> str | None:
    """A number with spaces or commas between thousands, or a single decimal comma."""
    packed = re.sub(r"[ _]|,(?=\d{3}(?:\D|$))", "", text)
    try:
        return _plain_number(Decimal(packed.replace(",", ".")))
    except InvalidOperation:
        return None


def _date(text: str) -> str:
    """A day stays a day; a moment is brought to UTC."""
    spelled = text.upper()
    if len(spelled) <= len("2024-01-31"):
        return text
    try:
        moment = datetime.fromisoformat(spelled)
    except ValueError:
        return text
    if moment.tzinfo is None:
        return moment.isoformat().lower()
    try:
        return moment.astimezone(UTC).isoformat().lower()
    except OverflowError:
        return text


def _duration(text: str) -> str:
    """ISO 8601 durations as months and seconds: a month has no fixed length."""
    found = _DURATION.fullmatch(text.upper())
    if found is None or not any(found.groups()):
        return text
    years, months, weeks, days, hours, minutes = (int(part or 0) for part in found.groups()[:6])
    seconds = (
        weeks * _SECONDS["W"]
        + days * _SECONDS["D"]
        + hours * _SECONDS["H"]
        + minutes * _SECONDS["M"]
    )
    exact = Decimal(found[7] or 0) + seconds
    return f"p{years * 12 + months}m {_plain_number(exact)}s"


def _amount(text: str) -> JsonValue:
    found = _AMOUNT.fullmatch(text)
    number = _number(text if found is None else found["number"] or found["rest"])
    if number is None:
        return text
    if found is None:
        return {"number": number}
    unit = (found["unit"] or found["sign"]).strip()
    return {"number": number, "unit": _SYMBOLS.get(unit, unit)}


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
