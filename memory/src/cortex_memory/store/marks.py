"""How often memories have changed, and which transaction did so last."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from psycopg.rows import class_row

from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class SubjectState:
    """How often a memory has changed, and the mark of the transaction that did so last."""

    project: str
    subject: str
    version: int
    mark: str


Subjects: TypeAlias = Mapping[tuple[str, str], SubjectState]


async def touch_subjects(
    transaction: Connection, subjects: Collection[tuple[str, str]]
) -> Subjects:
    """Raise the versions of these memories; what they are now."""
    return await _subject_states(transaction, "apply.touch_subjects", subjects)


async def marked_subjects(
    transaction: Connection, subjects: Collection[tuple[str, str]]
) -> Subjects:
    """What is known of those of these memories that were ever changed."""
    return await _subject_states(transaction, "apply.marks", subjects)


async def _subject_states(
    transaction: Connection, name: str, subjects: Collection[tuple[str, str]]
) -> Subjects:
    if not subjects:
        return {}
    ordered = sorted(subjects)
    columns = {
        "project": [project for project, _ in ordered],
        "subject": [subject for _, subject in ordered],
    }
    cursor = transaction.cursor(row_factory=class_row(SubjectState))
    await cursor.execute(query(name), columns)
    return {(row.project, row.subject): row for row in await cursor.fetchall()}
