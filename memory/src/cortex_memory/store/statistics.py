"""What the database knows of its own tables, from which it plans."""

from psycopg.rows import tuple_row

from cortex_memory.store.db import Pool, connection
from cortex_memory.store.queries import query


async def analyze_new_store(pool: Pool) -> None:
    """Have the tables looked at as soon as they hold something, if nobody ever did.

    The database would do so within a minute or two. Until then it goes on with plans that it made
    of empty tables, where one index is as good as another; once they are full, that is wrong.
    """
    async with connection(pool) as transaction:
        cursor = transaction.cursor(row_factory=tuple_row)
        await cursor.execute(query("statistics.is_new"))
        if await cursor.fetchone() == (True,):
            await transaction.execute(query("statistics.analyze"))
