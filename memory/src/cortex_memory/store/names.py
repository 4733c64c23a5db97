"""Lists the names that are in use, and what was decided on them."""

from collections.abc import Collection
from dataclasses import dataclass

from psycopg.rows import class_row, tuple_row

from cortex_memory.model import JournalId, PredicateVerdict, ProjectId
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query
from cortex_memory.store.verdicts import JournaledVerdict


@dataclass(frozen=True, slots=True)
class PredicateInUse:
    """The names under which a predicate is said, in how many sayings and memories."""

    predicate: str
    names: list[str]
    sayings: int
    memories: int


@dataclass(frozen=True, slots=True)
class ListedVerdict:
    """A verdict of the journal, and whether it is the one of its pair that holds."""

    journaled: JournaledVerdict
    stands: bool


async def predicates_in_use(
    transaction: Connection, project: str, limit: int
) -> list[PredicateInUse]:
    """The predicates of a project, by name."""
    cursor = transaction.cursor(row_factory=class_row(PredicateInUse))
    await cursor.execute(query("verdicts.in_use"), {"project": project, "limit": limit})
    return await cursor.fetchall()


async def said_names(transaction: Connection, project: str, names: Collection[str]) -> set[str]:
    """Those of these names under which anything was ever said."""
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("verdicts.said"), {"project": project, "names": sorted(names)})
    return {name for (name,) in await cursor.fetchall()}


async def listed_verdicts(
    transaction: Connection, project: str, name: str | None, limit: int
) -> list[ListedVerdict]:
    """What was decided on the names of a project, or on one of them, the latest first."""
    cursor = transaction.cursor(row_factory=class_row(_VerdictRow))
    parameters = {"project": project, "name": name, "limit": limit}
    await cursor.execute(query("verdicts.listing"), parameters)
    return [row.listed() for row in await cursor.fetchall()]


@dataclass(frozen=True, slots=True)
class _VerdictRow:
    id: JournalId
    at: int
    project: ProjectId
    first: str
    second: str
    same: bool
    model: str | None
    decided_by: str | None
    reason: str | None
    stands: bool

    def listed(self) -> ListedVerdict:
        verdict = PredicateVerdict(
            self.id, self.at, self.project, self.first, self.second, self.same, self.model
        )
        return ListedVerdict(JournaledVerdict(verdict, self.decided_by, self.reason), self.stands)
