"""Reads the journal of a project as a whole."""

from dataclasses import dataclass

from psycopg.rows import class_row

from cortex_memory.model import PredicateVerdict
from cortex_memory.retain.journal import CandidateSet, Journal
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import decisions_of_project
from cortex_memory.store.erasures import erasures_of_project, kept_of_project
from cortex_memory.store.evidence import CANDIDATES
from cortex_memory.store.identities import LinkRow
from cortex_memory.store.observations import observation_of
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class _ObservationRow:
    id: str
    made_by: list[int]
    content: str


@dataclass(frozen=True, slots=True)
class _CandidateRow:
    observation_id: str
    extractor: str
    version: int
    candidates: list[object]


async def load_journal(transaction: Connection, project: str) -> Journal:
    """All that was ever recorded of a project, from which everything else is computed."""
    of_project = {"project": project}
    observations = transaction.cursor(row_factory=class_row(_ObservationRow))
    await observations.execute(query("journal.observations"), of_project)
    candidates = transaction.cursor(row_factory=class_row(_CandidateRow))
    await candidates.execute(query("journal.candidates"), of_project)
    links = transaction.cursor(row_factory=class_row(LinkRow))
    await links.execute(query("journal.links"), of_project)
    verdicts = transaction.cursor(row_factory=class_row(PredicateVerdict))
    await verdicts.execute(query("journal.verdicts"), of_project)
    decisions = await decisions_of_project(transaction, project)
    return Journal(
        observations=tuple(
            [observation_of(row.id, row.made_by, row.content) async for row in observations]
        ),
        candidates=tuple([_candidates(row) async for row in candidates]),
        links=tuple([row.link() async for row in links]),
        verdicts=tuple([verdict async for verdict in verdicts]),
        decisions=tuple(each.decision for each in decisions),
        erasures=tuple(await erasures_of_project(transaction, project)),
        kept=tuple(await kept_of_project(transaction, project)),
    )


def _candidates(row: _CandidateRow) -> CandidateSet:
    facts = CANDIDATES.validate_python(row.candidates)
    return CandidateSet(row.observation_id, row.extractor, row.version, facts)
