"""How the store goes about a query, whatever it is given."""

from cortex_memory.store.db import Pool, connection
from cortex_memory.store.queries import numbered


async def plan_for_any(pool: Pool, name: str) -> str:
    """The plan of a query for whatever it may be given."""
    statement, _ = numbered(name)
    async with connection(pool) as transaction:
        cursor = await transaction.execute(b"EXPLAIN (GENERIC_PLAN) " + statement)
        return "\n".join(str(row[0]) for row in await cursor.fetchall())
