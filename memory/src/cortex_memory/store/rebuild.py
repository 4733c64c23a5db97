"""Forgets what is derived of a project, so that it can be computed anew."""

from typing import Final

from cortex_memory.store.db import Connection
from cortex_memory.store.locks import lock_projects
from cortex_memory.store.queries import query

_CLEARED: Final = (
    "rebuild.subjects",
    "rebuild.conflicts",
    "rebuild.facts",
    "rebuild.assertions",
    "rebuild.episodes",
    "rebuild.relations",
    "rebuild.mentions",
    "rebuild.links",
    "rebuild.identifiers",
    "rebuild.due",
    "rebuild.backlog",
    "rebuild.outcomes",
)


async def clear_derived(transaction: Connection, project: str) -> None:
    """Remove every derived row of a project; nobody retains anything in it meanwhile."""
    await lock_projects(transaction, [project], owned=True)
    for name in _CLEARED:
        await transaction.execute(query(name), {"project": project})
