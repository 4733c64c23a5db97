"""The figures of a project; what was not measured is null."""

from psycopg.rows import class_row, dict_row
from roxabi_contracts.operations import MemoryStats, QueueStats

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


async def measure(
    transaction: Connection, project: str, embedder: str | None, catalogue: str
) -> MemoryStats:
    """What memory holds of a project and how it fares.

    Args:
        transaction: Of the caller's.
        project: Whose figures.
        embedder: The name of the embedding model in use; null: there is none.
        catalogue: The digest of the catalogue that holds in the project now.
    """
    of_project = {"project": project}
    figures: dict[str, object] = {}
    for name in ("stats.counts", "traces.figures"):
        cursor = transaction.cursor(row_factory=dict_row)
        await cursor.execute(query(name), of_project | {"catalogue": catalogue})
        figures |= await cursor.fetchone() or {}
    facts = await transaction.execute(query("stats.facts"), of_project)
    outcomes = await transaction.execute(query("stats.outcomes"), of_project)
    queues = transaction.cursor(row_factory=class_row(QueueStats))
    await queues.execute(query("stats.queues"), of_project)
    return MemoryStats.model_validate(
        figures
        | {
            "project": project,
            "facts": {status: count for status, count in await facts.fetchall()},
            "outcomes": {outcome: count for outcome, count in await outcomes.fetchall()},
            "queues": await queues.fetchall(),
            "embedder": embedder,
        }
    )
