"""The journal of verdicts on names, and the names that are said."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from psycopg.rows import class_row, tuple_row
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import PredicateVerdict
from cortex_memory.retain.families import NameFamilies, changed_pairs, names_of_places
from cortex_memory.retain.group import Scope
from cortex_memory.retain.identify import StandingVerdicts, standing_verdicts
from cortex_memory.retain.placing import GroupKey
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.queries import query


@dataclass(frozen=True, slots=True)
class JournaledVerdict:
    """A verdict, and of a person's, who decided and why."""

    verdict: PredicateVerdict
    decided_by: str | None = None
    reason: str | None = None

    @property
    def may_change_groups(self) -> bool:
        """Whether it can join names, or part what was joined."""
        return self.verdict.same or self.verdict.model is None


@dataclass(frozen=True, slots=True)
class _Row:
    project: str
    id: str
    first: str
    second: str
    same: bool
    model: str | None
    at: int
    decided_by: str | None
    reason: str | None


@dataclass(frozen=True, slots=True)
class _Pair:
    first: str
    second: str


async def name_families(
    transaction: Connection, projects: Iterable[str], catalogues: Catalogues
) -> dict[str, NameFamilies]:
    """Which names verdicts join, by project."""
    wanted = sorted(set(projects))
    standing = await _standing(transaction, wanted)
    return {
        project: NameFamilies(standing[project], catalogues.for_project(project))
        for project in wanted
    }


async def judged_pairs(
    transaction: Connection, project: str, pairs: Collection[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Those of these sorted pairs on which anybody has decided."""
    if not pairs:
        return set()
    wanted = columns_of([_Pair(*pair) for pair in sorted(pairs)])
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("verdicts.judged"), {**wanted, "project": project})
    return set(await cursor.fetchall())


async def names_said(transaction: Connection, scopes: Collection[Scope]) -> dict[Scope, set[str]]:
    """The names under which anything is said in each of these scopes."""
    found: dict[Scope, set[str]] = {scope: set() for scope in scopes}
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("verdicts.names"), columns_of(list(found)))
    for project, subject, about, name in await cursor.fetchall():
        found[Scope(project, subject, about)].add(name)
    return found


async def add_verdicts(
    transaction: Connection,
    project: str,
    verdicts: Sequence[JournaledVerdict],
    catalogues: Catalogues,
) -> tuple[int, int]:
    """Append to the journal; how many were new, and in how many groups they join or part names.

    Those groups are due at once. The project is owned where a verdict may change any group.
    """
    before = (await _standing(transaction, [project]))[project]
    rows = [_row(each) for each in verdicts]
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("verdicts.add"), columns_of(rows))
    added = len(await cursor.fetchall())
    after = (await _standing(transaction, [project]))[project]
    touched, catalogue = 0, catalogues.for_project(project)
    for pair in sorted(changed_pairs(before, after)):
        row = {"project": project, **_reach(pair, before, after, catalogue)}
        touched += (await transaction.execute(query("verdicts.touch"), row)).rowcount
    return added, touched


async def set_due_now(transaction: Connection, groups: Collection[GroupKey]) -> None:
    """Let groups be folded anew as soon as somebody has the time."""
    if groups:
        await transaction.execute(query("verdicts.due"), columns_of(sorted(groups)))


def _reach(
    pair: tuple[str, str],
    before: StandingVerdicts,
    after: StandingVerdicts,
    catalogue: PredicateCatalogue,
) -> Mapping[str, list[str]]:
    """Where what either name says may be folded, and every name that counts as one of the two."""
    families = NameFamilies(before, catalogue), NameFamilies(after, catalogue)
    places = {place for known in families for name in pair for place in known.places_of(name)}
    one, other = (names_of_places([families[0].place_of(name)], catalogue) for name in pair)
    return {"places": sorted(places), "ones": sorted(one), "others": sorted(other)}


async def _standing(
    transaction: Connection, projects: Sequence[str]
) -> dict[str, StandingVerdicts]:
    cursor = transaction.cursor(row_factory=class_row(PredicateVerdict))
    await cursor.execute(query("verdicts.joining"), {"projects": list(projects)})
    found: dict[str, list[PredicateVerdict]] = {project: [] for project in projects}
    for verdict in await cursor.fetchall():
        found[verdict.project].append(verdict)
    return {project: standing_verdicts(verdicts) for project, verdicts in found.items()}


def _row(journaled: JournaledVerdict) -> _Row:
    verdict = journaled.verdict
    return _Row(
        project=verdict.project,
        id=verdict.id,
        first=verdict.first,
        second=verdict.second,
        same=verdict.same,
        model=verdict.model,
        at=verdict.at,
        decided_by=journaled.decided_by,
        reason=journaled.reason,
    )
