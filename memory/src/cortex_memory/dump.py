"""The dump: what is remembered, as sorted lines of canonical JSON without recorded times."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import TypeVar

from roxabi_contracts.base import JsonObject
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.ids import canonical_json

from cortex_memory.retain.assertions import observation_key
from cortex_memory.retain.entities import EntityMap
from cortex_memory.retain.journal import (
    Journal,
    JournalState,
    current_observations,
    fold_journal,
)
from cortex_memory.retain.turnover import Turnover, census_of
from cortex_memory.store.db import Connection
from cortex_memory.store.episode_rows import relation_rows
from cortex_memory.store.everything import Everything, load_everything
from cortex_memory.store.journal import load_journal
from cortex_memory.store.projects import all_projects, project_keys
from cortex_memory.store.rows import (
    conflict_line,
    conflict_row,
    fact_line,
    fact_row,
    member_rows,
    source_rows,
)

Item = TypeVar("Item")


async def dump_store(transaction: Connection, project: str | None) -> list[bytes]:
    """What the store says of a project, or of all."""
    projects = [project] if project is not None else await all_projects(transaction)
    lines: list[bytes] = []
    for each in projects:
        lines += _stored_lines(each, await load_everything(transaction, each))
    return sorted(lines)


async def dump_journal(
    transaction: Connection, project: str | None, catalogues: Catalogues, now: int
) -> list[bytes]:
    """What follows from the journal at `now`, computed anew by the reference."""
    projects = [project] if project is not None else await all_projects(transaction)
    keys = await project_keys(transaction, projects)
    lines: list[bytes] = []
    for each in keys:
        journal = await load_journal(transaction, each)
        lines += journal_lines(each, journal, catalogues, keys[each], now)
    return sorted(lines)


def journal_lines(
    project: str, journal: Journal, catalogues: Catalogues, project_key: bytes, now: int
) -> list[bytes]:
    """The dump of one project's journal, not sorted."""
    catalogue = catalogues.for_project(project)
    state = fold_journal(journal, catalogue=catalogue, project_key=project_key, now=now)
    lines = [fact_line(fact_row(fact), source_rows(fact)) for fact in state.facts]
    lines += [conflict_line(conflict_row(each), member_rows(each)) for each in state.conflicts]
    lines += _lines_of_observations(project, journal, state, project_key)
    members: dict[str, list[str]] = {each.id: [*each.members] for each in state.entities}
    return lines + _entity_lines(project, members)


def _lines_of_observations(
    project: str, journal: Journal, state: JournalState, project_key: bytes
) -> list[bytes]:
    current = current_observations(journal, project_key)
    entity_of = EntityMap(state.entities).entity_of
    namings = census_of((Turnover(seen, None) for seen in current), project_key).namings
    episodes = [
        _episode_line(project, entity_of(observation_key(seen, project_key).subject), seen.id)
        for seen in current
    ]
    relations = [
        _relation_line(project, row.subject, row.origin, row.kind, row.target, row.observation_id)
        for seen in current
        for row in relation_rows(
            seen, entity_of(observation_key(seen, project_key).subject), project_key
        )
    ]
    return [*episodes, *relations] + [
        _mention_line(project, naming.identifier, naming.kind, naming.name, count)
        for naming, count in namings.items()
    ]


def _stored_lines(project: str, stored: Everything) -> list[bytes]:
    sources = _grouped((row.fact_id, row) for row in stored.sources)
    members = _grouped((row.conflict_id, row) for row in stored.members)
    identifiers = _grouped(stored.identifiers)
    lines = [fact_line(row, sources.get(row.id, [])) for row in stored.facts]
    lines += [conflict_line(row, members.get(row.id, [])) for row in stored.conflicts]
    lines += [_episode_line(project, *episode) for episode in stored.episodes]
    lines += [_relation_line(project, *relation) for relation in stored.relations]
    lines += [_mention_line(project, *mention) for mention in stored.mentions]
    return lines + _entity_lines(project, identifiers)


def _entity_lines(project: str, members: Mapping[str, list[str]]) -> list[bytes]:
    return [
        _line("entity", {"project": project, "id": entity, "members": [*sorted(ids)]})
        for entity, ids in members.items()
    ]


def _episode_line(project: str, subject: str, observation_id: str) -> bytes:
    return _line("episode", {"project": project, "subject": subject, "id": observation_id})


def _mention_line(project: str, identifier: str, kind: str, name: str, count: int) -> bytes:
    shown: JsonObject = {"project": project, "identifier": identifier, "kind": kind}
    return _line("mention", shown | {"name": name, "observations": count})


def _relation_line(
    project: str, subject: str, origin: str, kind: str, target: str, observation_id: str
) -> bytes:
    edge: JsonObject = {"origin": origin, "kind": kind, "target": target}
    where: JsonObject = {"project": project, "subject": subject, "observation": observation_id}
    return _line("relation", where | edge)


def _line(what: str, content: JsonObject) -> bytes:
    return canonical_json({what: content})


def _grouped(pairs: Iterable[tuple[str, Item]]) -> Mapping[str, list[Item]]:
    groups: defaultdict[str, list[Item]] = defaultdict(list)
    for key, item in pairs:
        groups[key].append(item)
    return groups
