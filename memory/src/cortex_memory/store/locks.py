"""Who may decide what at the same time: locks that end with the transaction."""

from collections.abc import Collection

from psycopg.rows import tuple_row

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


async def lock_projects(transaction: Connection, projects: Collection[str], *, owned: bool) -> None:
    """Share these projects with others who change no identities, or own them alone."""
    name = "locks.own_projects" if owned else "locks.share_projects"
    await transaction.execute(query(name), {"projects": sorted(set(projects))})


async def lock_subjects(transaction: Connection, subjects: Collection[tuple[str, str]]) -> None:
    """Let nobody else decide on these memories; in sorted order, so that none wait in a ring."""
    await transaction.execute(query("locks.subjects"), _columns(subjects))


async def try_lock_subjects(transaction: Connection, subjects: Collection[tuple[str, str]]) -> bool:
    """The same for more memories, without waiting; false: somebody else decides on one."""
    if not subjects:
        return True
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("locks.try_subjects"), _columns(subjects))
    return all(locked for (locked,) in await cursor.fetchall())


def _columns(subjects: Collection[tuple[str, str]]) -> dict[str, list[str]]:
    ordered = sorted(set(subjects))
    return {
        "projects": [project for project, _ in ordered],
        "subjects": [subject for _, subject in ordered],
    }
