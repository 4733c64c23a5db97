"""What is needed to tell how a memory was: what was said in it, and how near that is to a query."""

from collections.abc import Sequence
from dataclasses import dataclass

from psycopg.rows import class_row, scalar_row

from cortex_memory.recall.expand import FACTS_PER_NAME
from cortex_memory.recall.search import Search
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.candidates import parameters_of
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query
from cortex_memory.store.rows import FactRow


@dataclass(frozen=True, slots=True)
class PastCloseness:
    """How near a fact is to a query; `word_rank` counts any word, `text_rank` all of them."""

    id: str
    cosine: float | None
    meaning: float | None
    text_rank: float
    word_rank: float


async def groups_of(
    transaction: Connection, project: str, subjects: Sequence[str], about: str | None
) -> set[GroupKey]:
    """The groups in which anything was said in these memories."""
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    parameters = {"project": project, "subjects": list(subjects), "about": about}
    await cursor.execute(query("past.groups"), parameters)
    return set(await cursor.fetchall())


async def closeness_of(
    transaction: Connection, search: Search, facts: Sequence[FactRow]
) -> list[PastCloseness]:
    """How near facts, as they were, are to the query."""
    cursor = transaction.cursor(row_factory=class_row(PastCloseness))
    given = {"ids": [fact.id for fact in facts], "texts": [fact.text for fact in facts]}
    parameters = parameters_of(search, "fact") | given
    await cursor.execute(query("past.closeness"), parameters, prepare=True)
    return await cursor.fetchall()


async def mentioning(
    transaction: Connection, facts: Sequence[FactRow], names: Sequence[str]
) -> set[str]:
    """The facts that mention one of the names, a few for each."""
    cursor = transaction.cursor(row_factory=scalar_row)
    given = {"ids": [fact.id for fact in facts], "texts": [fact.text for fact in facts]}
    asked = {"names": list(names), "per_name": FACTS_PER_NAME}
    await cursor.execute(query("past.named"), given | asked)
    return set(await cursor.fetchall())
