"""The terms of texts that were stored before terms were."""

from psycopg.rows import tuple_row
from roxabi_contracts.operations import FactStatus

from cortex_memory.lexical.documents import terms_of_episode, terms_of_fact
from cortex_memory.store.db import Connection
from cortex_memory.store.locks import lock_subjects
from cortex_memory.store.queries import query


async def read_some(transaction: Connection, limit: int) -> int:
    """Read up to so many episodes and facts of one memory, under its lock; how many were read."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("terms.unread_memory"))
    memory = await cursor.fetchone()
    if memory is None:
        return 0
    project, subject = memory
    await lock_subjects(transaction, {(project, subject)})
    of_memory = {"project": project, "subject": subject, "limit": limit}
    await cursor.execute(query("terms.unread_episodes"), of_memory)
    episodes = {
        id: terms_of_episode(author_name, text) for id, author_name, text in await cursor.fetchall()
    }
    await cursor.execute(query("terms.unread_facts"), of_memory)
    facts = {
        id: terms_of_fact(text, FactStatus(status), in_conflict=conflict_id is not None)
        for id, text, status, conflict_id in await cursor.fetchall()
    }
    for name, terms in (("terms.read_episodes", episodes), ("terms.read_facts", facts)):
        read = {"project": project, "ids": list(terms), "terms": list(terms.values())}
        await cursor.execute(query(name), read)
    # Another may have been faster: then there is more to look for.
    return max(1, len(episodes) + len(facts))
