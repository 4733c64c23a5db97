"""What a rebuild reads and clears, so that everything derived is computed anew."""

from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from psycopg.rows import class_row, tuple_row
from roxabi_contracts.observation import Observation

from cortex_memory.model import EntityId, IdentifierId
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.turnover import Census
from cortex_memory.store.apply import enter, move_memories
from cortex_memory.store.db import Connection
from cortex_memory.store.episode_rows import EpisodeRow
from cortex_memory.store.evidence import id_columns
from cortex_memory.store.identities import Moved
from cortex_memory.store.identity_register import IdentityRegister
from cortex_memory.store.observations import observation_of
from cortex_memory.store.queries import query
from cortex_memory.store.rows import (
    ConflictRow,
    FactRow,
    MemberRow,
    SourceRow,
    is_intact_conflict,
    is_intact_fact,
)

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Memory:
    """The owner of a memory, by entity and one identifier, and all that ever went to it."""

    memory: str
    subject_identifier: str
    observations: list[str]


async def counted_observations(transaction: Connection, project: str) -> AsyncIterator[Observation]:
    """Every observation of a project that counts."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("rebuild.counted"), {"project": project})
    async for identity, made_by, content in cursor:
        yield observation_of(identity, made_by, content)


async def recount_identities(transaction: Connection, project: str, census: Census) -> list[Moved]:
    """Forget who is who, and find it anew; the project is owned. Who turned out to be another."""
    before = await _identities(transaction, project)
    await transaction.execute(query("rebuild.clear_identities"), {"project": project})
    await IdentityRegister(transaction, {project: census}, owned=True).settle()
    moved = [
        Moved(project, identity, before[identity], entity)
        for identity, entity in (await _identities(transaction, project)).items()
        if before.get(identity, entity) != entity
    ]
    await move_memories(transaction, moved)
    return moved


async def memories_of(transaction: Connection, project: str) -> list[Memory]:
    """Every memory of a project."""
    cursor = transaction.cursor(row_factory=class_row(Memory))
    await cursor.execute(query("rebuild.memories"), {"project": project})
    return await cursor.fetchall()


async def up_to_date(transaction: Connection, project: str, memory: Memory) -> Memory:
    """The memory with what has come to count since it was listed; its lock is held."""
    cursor = transaction.cursor(row_factory=tuple_row)
    of_memory = {"project": project, "memory": memory.memory}
    await cursor.execute(query("rebuild.counting"), of_memory)
    counting = {identity for (identity,) in await cursor.fetchall()}
    return replace(memory, observations=sorted(counting.union(memory.observations)))


async def stray_memories(
    transaction: Connection, project: str, memories: Collection[str]
) -> set[str]:
    """Of which something is stored, though they are none of these."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("rebuild.strays"), {"project": project, "memories": list(memories)})
    return {memory for (memory,) in await cursor.fetchall()}


async def clear_memories(transaction: Connection, project: str, memories: Collection[str]) -> None:
    """Remove what these hold of facts."""
    row = {"project": project, "memories": sorted(memories)}
    await transaction.execute(query("rebuild.clear_memories"), row)


async def clear_said(transaction: Connection, project: str, memory: str) -> set[GroupKey]:
    """Remove what was said in a memory; every group of which something is stored there."""
    of_memory = {"project": project, "memory": memory}
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    await cursor.execute(query("rebuild.groups"), of_memory)
    groups = set(await cursor.fetchall())
    await transaction.execute(query("rebuild.clear_said"), of_memory)
    return groups


async def repair_episodes(
    transaction: Connection, project: str, memory: str, episodes: Iterable[EpisodeRow]
) -> None:
    """Write those anew that are stored otherwise; the others keep their vectors."""
    cursor = transaction.cursor(row_factory=class_row(EpisodeRow))
    await cursor.execute(query("rebuild.episodes"), {"project": project, "memory": memory})
    stored = {row.observation_id: row for row in await cursor.fetchall()}
    wrong = [row for row in episodes if stored.get(row.observation_id) != row]
    columns = id_columns((project, row.observation_id) for row in wrong)
    await transaction.execute(query("apply.remove_episodes"), columns)
    await enter(transaction, wrong, [])


async def distrust_damaged(transaction: Connection, project: str, memory: str) -> None:
    """Let facts and conflict sets be written anew that are not what their digest says."""
    of_memory = {"project": project, "memory": memory}
    facts = await _rows(transaction, "rebuild.facts", FactRow, of_memory)
    sources = await _rows(transaction, "rebuild.sources", SourceRow, of_memory)
    behind = _grouped((source.fact_id, source) for source in sources)
    conflicts = await _rows(transaction, "rebuild.conflicts", ConflictRow, of_memory)
    members = await _rows(transaction, "rebuild.members", MemberRow, of_memory)
    joined = _grouped((member.conflict_id, member) for member in members)
    damaged = [row.id for row in facts if not is_intact_fact(row, behind.get(row.id, []))]
    broken = [row.id for row in conflicts if not is_intact_conflict(row, joined.get(row.id, []))]
    for name, ids in (("distrust_facts", damaged), ("distrust_conflicts", broken)):
        await transaction.execute(query(f"rebuild.{name}"), {"project": project, "ids": ids})


async def _identities(transaction: Connection, project: str) -> dict[IdentifierId, EntityId]:
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("rebuild.identities"), {"project": project})
    return {
        IdentifierId(identity): EntityId(entity) for identity, entity in await cursor.fetchall()
    }


async def _rows(
    transaction: Connection, name: str, kind: type[Item], parameters: Mapping[str, str]
) -> Sequence[Item]:
    cursor = transaction.cursor(row_factory=class_row(kind))
    await cursor.execute(query(name), parameters)
    return await cursor.fetchall()


def _grouped(pairs: Iterable[tuple[str, Item]]) -> Mapping[str, list[Item]]:
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for key, item in pairs:
        groups[key].append(item)
    return groups
