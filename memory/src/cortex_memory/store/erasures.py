"""The journal of erasures, and what they left of observations."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from psycopg.rows import tuple_row
from pydantic import TypeAdapter
from roxabi_contracts.observation import Observation

from cortex_memory.model import Assertion, Digest, Erasure, ScopeWithdrawal, Withdrawal
from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.withdrawal import AnyWithdrawal, Withdrawals, key_digest
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.evidence import ASSERTION, ObservationId, id_columns
from cortex_memory.store.queries import query

AnyErasure: TypeAlias = Erasure | AnyWithdrawal

SCOPE_WITHDRAWAL: Final = TypeAdapter(ScopeWithdrawal)

_FACT: Final = "fact"
_RECORD: Final = "record"
_SCOPE: Final = "scope"
_KINDS: Final[dict[str, TypeAdapter[Any]]] = {
    _FACT: TypeAdapter(Erasure),
    _RECORD: TypeAdapter(Withdrawal),
    _SCOPE: SCOPE_WITHDRAWAL,
}


@dataclass(frozen=True, slots=True)
class _Scope:
    project: str
    subject: str
    about: str


@dataclass(frozen=True, slots=True)
class _Key:
    project: str
    digest: Digest


async def add_erasure(transaction: Connection, project: str, subject: str, row: AnyErasure) -> None:
    """Append to the journal what is forgotten in the memory of this identifier."""
    kind = _kind_of(row)
    columns = {
        "project": project,
        "id": row.id,
        "subject_identifier": subject,
        "erased_at": row.at,
        "kind": kind,
        "content": _KINDS[kind].dump_json(row).decode(),
        "key_digest": row.key_digest if isinstance(row, Withdrawal) else None,
    }
    await transaction.execute(query("erasures.add"), columns)


async def erasures_of_project(transaction: Connection, project: str) -> list[AnyErasure]:
    """All that was ever forgotten in a project."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.of_project"), {"project": project})
    return [_KINDS[kind].validate_python(content) for kind, content in await cursor.fetchall()]


async def withdrawals_on(
    transaction: Connection, observations: Iterable[Observation], keys: Mapping[str, bytes]
) -> Withdrawals:
    """What may cover these observations."""
    wanted = _keys_of(observations, keys)
    if not wanted:
        return Withdrawals(())
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.withdrawals"), columns_of(wanted))
    rows = await cursor.fetchall()
    return Withdrawals(_KINDS[kind].validate_python(content) for kind, content in rows)


async def erased_keys(
    transaction: Connection, observations: Iterable[Observation], keys: Mapping[str, bytes]
) -> dict[Digest, str]:
    """Those of the observations' keys that are never stored again, and the request that said so."""
    wanted = _keys_of(observations, keys)
    if not wanted:
        return {}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.erased_keys"), columns_of(wanted))
    return {Digest(digest): forget_id for _, digest, forget_id in await cursor.fetchall()}


async def erasures_on_groups(
    transaction: Connection, groups: Collection[GroupKey]
) -> dict[GroupKey, list[Erasure]]:
    """The erased facts that may cover what is said in these groups."""
    scopes = {_Scope(key.project, key.subject, key.about) for key in groups}
    if not scopes:
        return {}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.of_scopes"), columns_of(list(scopes)))
    found: dict[_Scope, list[Erasure]] = {}
    for project, subject, about, content in await cursor.fetchall():
        erasure = _KINDS[_FACT].validate_python(content)
        found.setdefault(_Scope(project, subject, about), []).append(erasure)
    return {
        key: erasures
        for key in groups
        if (erasures := found.get(_Scope(key.project, key.subject, key.about)))
    }


async def kept_assertions(
    transaction: Connection, observations: Collection[ObservationId]
) -> list[Assertion]:
    """What is left of those of the observations whose content was erased."""
    if not observations:
        return []
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.kept"), id_columns(observations))
    return [ASSERTION.validate_json(content) for _, _, content in await cursor.fetchall()]


async def kept_of_project(transaction: Connection, project: str) -> list[Assertion]:
    """What is left of all observations of a project whose content was erased."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("erasures.kept_of_project"), {"project": project})
    return [ASSERTION.validate_json(content) for (content,) in await cursor.fetchall()]


def _kind_of(row: AnyErasure) -> str:
    match row:
        case Erasure():
            return _FACT
        case Withdrawal():
            return _RECORD
        case ScopeWithdrawal():
            return _SCOPE


def _keys_of(observations: Iterable[Observation], keys: Mapping[str, bytes]) -> list[_Key]:
    return sorted(
        {
            _Key(seen.project_id, key_digest(observation_key(seen, key), key))
            for seen in observations
            for key in (keys[seen.project_id],)
        },
        key=lambda one: (one.project, one.digest),
    )
