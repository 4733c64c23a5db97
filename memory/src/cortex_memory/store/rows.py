"""Facts, conflict sets and episodes as they are stored and dumped."""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Final

from pydantic import JsonValue
from roxabi_contracts.base import JsonObject
from roxabi_contracts.ids import canonical_json, content_id
from roxabi_contracts.render import render_value

from cortex_memory.lexical.documents import terms_of_fact
from cortex_memory.model import ConflictSet, Fact, Pairs, Slot, Value
from cortex_memory.retain.values import readable


@dataclass(frozen=True, slots=True)
class SourceRow:
    """An assertion behind a fact."""

    project: str
    fact_id: str
    assertion_id: str
    observation_id: str
    source: str
    source_ref: str
    said_at: int
    counted: bool


@dataclass(frozen=True, slots=True)
class FactRow:
    """A fact; `value` and `qualifiers` are canonical JSON, and null where erased."""

    project: str
    subject: str
    about: str
    predicate: str
    slot: str
    id: str
    value: str | None
    value_digest: str
    qualifiers: str
    text: str
    terms: str | None
    status: str
    mark: str | None
    authority: int
    confidence: float
    confirmations: int
    kind: str
    volatility: str
    valid_from: int | None
    valid_until: int | None
    first_said_at: int
    last_confirmed_at: int
    supersedes_id: str | None
    conflict_id: str | None
    row_digest: bytes


@dataclass(frozen=True, slots=True)
class ConflictRow:
    """A conflict set."""

    project: str
    subject: str
    about: str
    predicate: str
    slot: str
    id: str
    opened_at: int
    closed_at: int | None
    row_digest: bytes


@dataclass(frozen=True, slots=True)
class MemberRow:
    """A fact that joined a conflict set, and in which place."""

    project: str
    conflict_id: str
    fact_id: str
    position: int


@lru_cache(maxsize=4096)  # what is said of a group is compared with all that is stored of it
def fact_row(fact: Fact) -> FactRow:
    """A fact as it is stored."""
    value, qualifiers = readable(fact.value), readable(fact.qualifiers) or {}
    text = search_text(fact.slot.predicate, value, qualifiers)
    unsigned = FactRow(
        project=fact.slot.project,
        subject=fact.slot.subject,
        about=fact.slot.about,
        predicate=fact.slot.predicate,
        slot=slot_digest(fact.slot),
        id=fact.id,
        value=None if value is None else canonical_json(value).decode(),
        value_digest=value_digest(fact.value),
        qualifiers=canonical_json(qualifiers).decode(),
        text=text,
        terms=terms_of_fact(text, fact.status, in_conflict=fact.conflict_set_id is not None),
        status=fact.status.value,
        mark=None if fact.mark is None else fact.mark.value,
        authority=int(fact.authority),
        confidence=fact.confidence,
        confirmations=fact.count,
        kind=fact.kind.value,
        volatility=fact.volatility.value,
        valid_from=fact.valid_from,
        valid_until=fact.valid_to,
        first_said_at=fact.first_said,
        last_confirmed_at=fact.last_confirmed,
        supersedes_id=fact.supersedes_id,
        conflict_id=fact.conflict_set_id,
        row_digest=b"",
    )
    return replace(unsigned, row_digest=_digest(fact_line(unsigned, source_rows(fact))))


def source_rows(fact: Fact) -> list[SourceRow]:
    """What stands behind a fact, as it is stored."""
    return [
        SourceRow(
            project=fact.slot.project,
            fact_id=fact.id,
            assertion_id=source.assertion_id,
            observation_id=source.observation_id,
            source=source.key.source,
            source_ref=source.key.source_ref,
            said_at=source.said,
            counted=source.counted,
        )
        for source in fact.sources
    ]


def conflict_row(conflict: ConflictSet) -> ConflictRow:
    """A conflict set as it is stored."""
    unsigned = ConflictRow(
        project=conflict.slot.project,
        subject=conflict.slot.subject,
        about=conflict.slot.about,
        predicate=conflict.slot.predicate,
        slot=slot_digest(conflict.slot),
        id=conflict.id,
        opened_at=conflict.opened_at,
        closed_at=conflict.closed_at,
        row_digest=b"",
    )
    return replace(unsigned, row_digest=_digest(conflict_line(unsigned, member_rows(conflict))))


def member_rows(conflict: ConflictSet) -> list[MemberRow]:
    """The members of a conflict set, as they are stored."""
    return [
        MemberRow(conflict.slot.project, conflict.id, fact_id, position)
        for position, fact_id in enumerate(conflict.members)
    ]


def value_digest(value: Value) -> str:
    """The name of a value in the store: equal values have one."""
    return _pairs_digest(value.pairs)


@lru_cache(maxsize=4096)  # a value is said again and again
def _pairs_digest(pairs: Pairs) -> str:
    return content_id(_pairs(pairs))


@lru_cache(maxsize=4096)  # a slot has many facts, each of which names it
def slot_digest(slot: Slot) -> str:
    """The name of a slot in the store."""
    value = None if slot.value is None else _pairs(slot.value)
    qualifiers = _pairs(slot.qualifiers)
    return content_id(slot.project, slot.subject, slot.about, slot.predicate, qualifiers, value)


def search_text(predicate: str, value: JsonObject | None, qualifiers: JsonObject) -> str:
    """What search reads of a fact; nothing of an erased one."""
    if value is None:
        return ""
    parts = [predicate.replace("_", " "), render_value(value)]
    if qualifiers:
        parts.append(render_value(qualifiers))
    return " ".join(parts)


def fact_line(row: FactRow, sources: Sequence[SourceRow]) -> bytes:
    """A fact in the dump: canonical JSON, without recorded times."""
    shown: JsonObject = {
        name: getattr(row, name) for name in _FACT_COLUMNS if name not in _NOT_DUMPED
    }
    shown["value"] = None if row.value is None else json.loads(row.value)
    shown["qualifiers"] = json.loads(row.qualifiers)
    shown["sources"] = [
        [source.assertion_id, source.observation_id, source.counted]
        for source in sorted(sources, key=lambda source: source.assertion_id)
    ]
    return canonical_json({"fact": shown})


def conflict_line(row: ConflictRow, members: Sequence[MemberRow]) -> bytes:
    """A conflict set in the dump."""
    shown: JsonObject = {
        name: getattr(row, name) for name in _CONFLICT_COLUMNS if name not in _NOT_DUMPED
    }
    shown["members"] = [
        member.fact_id for member in sorted(members, key=lambda member: member.position)
    ]
    return canonical_json({"conflict": shown})


def is_intact_fact(row: FactRow, sources: Sequence[SourceRow]) -> bool:
    """Whether a stored fact and what stands behind it are what was written."""
    return _digest(fact_line(row, sources)) == row.row_digest


def is_intact_conflict(row: ConflictRow, members: Sequence[MemberRow]) -> bool:
    """Whether a stored conflict set and its members are what was written."""
    return _digest(conflict_line(row, members)) == row.row_digest


def _pairs(pairs: Pairs) -> list[JsonValue]:
    return [list(pair) for pair in pairs]


def _digest(line: bytes) -> bytes:
    return hashlib.sha256(line).digest()[:16]


_NOT_DUMPED: Final = {"row_digest", "text", "terms"}
_FACT_COLUMNS: Final = tuple(field.name for field in fields(FactRow))
_CONFLICT_COLUMNS: Final = tuple(field.name for field in fields(ConflictRow))
