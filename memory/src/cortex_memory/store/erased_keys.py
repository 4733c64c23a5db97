"""Observations that are never stored again: kept out by digests, and told to the lake."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from roxabi_contracts.base import epoch_ms
from roxabi_contracts.observation import Observation

from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.withdrawal import key_digest
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.erasures import erased_keys, withdrawals_on
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class _ErasedKey:
    project: str
    digest: str
    forget_id: str


@dataclass(frozen=True, slots=True, order=True)
class _LakeRow:
    project: str
    forget_id: str
    owner: str
    source: str
    source_ref: str


async def refuse_erased(
    transaction: Connection, observations: Sequence[Observation], keys: Mapping[str, bytes]
) -> list[Observation]:
    """Those of the observations that may be stored; the lake is told of the others once more."""
    await hold_off_erasures(transaction, {seen.project_id for seen in observations})
    gone = await erased_among(transaction, observations, keys)
    refused: defaultdict[str, list[Observation]] = defaultdict(list)
    for place, forget_id in gone.items():
        refused[forget_id].append(observations[place])
    for forget_id, seen in sorted(refused.items()):
        await keep_keys(transaction, seen, forget_id, keys)
        await tell_lake(transaction, seen, forget_id)
    return [seen for place, seen in enumerate(observations) if place not in gone]


async def erased_among(
    transaction: Connection, observations: Sequence[Observation], keys: Mapping[str, bytes]
) -> dict[int, str]:
    """The places of those that were erased, each with the request that did."""
    digests = await erased_keys(transaction, observations, keys)
    withdrawals = await withdrawals_on(transaction, observations, keys)
    gone: dict[int, str] = {}
    for place, seen in enumerate(observations):
        key = keys[seen.project_id]
        row = withdrawals.covering(seen, key)
        if row is not None and row.final:
            gone[place] = row.id
        elif forget_id := digests.get(key_digest(observation_key(seen, key), key)):
            gone[place] = forget_id
    return gone


async def keep_keys(
    transaction: Connection,
    observations: Iterable[Observation],
    forget_id: str,
    keys: Mapping[str, bytes],
) -> int:
    """Let no revision of these records be stored again; how many digests are new."""
    rows = {
        _ErasedKey(seen.project_id, key_digest(observation_key(seen, key), key), forget_id)
        for seen in observations
        for key in (keys[seen.project_id],)
    }
    if not rows:
        return 0
    return (await transaction.execute(query("erasing.keep_keys"), columns_of([*rows]))).rowcount


async def tell_lake(
    transaction: Connection, observations: Iterable[Observation], forget_id: str
) -> None:
    """Have the lake forget the records of these observations, and the streams what they hold."""
    rows = {
        _LakeRow(seen.project_id, forget_id, _owner_of(seen), seen.source, seen.source_ref)
        for seen in observations
    }
    if rows:
        columns = columns_of(sorted(rows))
        await transaction.execute(query("erasing.tell_lake"), columns)
        await transaction.execute(query("erasing.reopen"), columns)


async def tell_lake_of_owner(
    transaction: Connection,
    project: str,
    forget_id: str,
    owner: Collection[str],
    source: str | None,
    until: datetime,
) -> None:
    """Have the lake forget all that it holds of an owner, or one source of it, up to a time."""
    row = {
        "project": project,
        "forget_id": forget_id,
        "owner": sorted(owner),
        "source": source,
        "until": epoch_ms(until),
    }
    await transaction.execute(query("erasing.tell_lake_of_owner"), row)


async def hold_off_erasures(transaction: Connection, projects: Collection[str]) -> None:
    """Let nobody erase in these projects until the transaction ends."""
    await transaction.execute(query("erasing.hold_off"), {"projects": sorted(set(projects))})


def _owner_of(seen: Observation) -> str:
    actor = seen.actors[seen.subject]
    return "\n".join(f"{key.scheme}:{key.value}" for key in actor.identifiers)
