"""The journal of persons' decisions, and what they speak of today."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

from psycopg.rows import class_row, tuple_row
from pydantic import TypeAdapter
from roxabi_contracts.ids import canonical_json
from roxabi_contracts.operations import DecisionAction

from cortex_memory.model import (
    Assertion,
    AssertionId,
    AssertionReference,
    Decision,
    Disable,
    Dispute,
    Enable,
    EntityId,
    ProjectId,
    Reject,
    Release,
    Resolve,
)
from cortex_memory.retain.group import decisions_by_assertion, decisions_on, facts_of
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.rebind import Rebinder
from cortex_memory.store.columns import columns_of
from cortex_memory.store.db import Connection
from cortex_memory.store.episode_rows import record_digest
from cortex_memory.store.evidence import ASSERTION
from cortex_memory.store.queries import query

_KINDS: Final[dict[DecisionAction, TypeAdapter[Any]]] = {
    DecisionAction.RESOLVE: TypeAdapter(Resolve),
    DecisionAction.RELEASE: TypeAdapter(Release),
    DecisionAction.REJECT: TypeAdapter(Reject),
    DecisionAction.DISPUTE: TypeAdapter(Dispute),
    DecisionAction.DISABLE: TypeAdapter(Disable),
    DecisionAction.ENABLE: TypeAdapter(Enable),
}


@dataclass(frozen=True, slots=True)
class JournaledDecision:
    """A decision with whose memory it was taken in, who took it and why."""

    project: str
    subject_identifier: str
    action: DecisionAction
    decision: Decision
    decided_by: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class NamedFact:
    """A fact that was asked for by `name`: the id of any assertion behind it."""

    name: str
    project: ProjectId
    id: str
    subject: EntityId
    about: EntityId
    predicate: str
    status: str
    conflict_id: str | None

    @property
    def group(self) -> GroupKey:
        """The group in which it is folded."""
        return GroupKey(self.project, self.subject, self.about, self.predicate)


@dataclass(frozen=True, slots=True)
class _DecisionRow:
    project: str
    id: str
    subject_identifier: str
    decided_at: int
    kind: str
    content: Mapping[str, object]
    decided_by: str
    reason: str | None

    def journaled(self) -> JournaledDecision:
        action = DecisionAction(self.kind)
        return JournaledDecision(
            project=self.project,
            subject_identifier=self.subject_identifier,
            action=action,
            decision=_KINDS[action].validate_python(
                {**self.content, "id": self.id, "at": self.decided_at}
            ),
            decided_by=self.decided_by,
            reason=self.reason,
        )


@dataclass(frozen=True, slots=True)
class _Scope:
    project: str
    subject_identifier: str
    about: str


@dataclass(frozen=True, slots=True)
class _ScopeRow:
    project: str
    subject_identifier: str
    about: str
    decision_id: str


@dataclass(frozen=True, slots=True)
class _Name:
    project: str
    subject_identifier: str
    record: str
    id: str


async def add_decision(transaction: Connection, journaled: JournaledDecision) -> bool:
    """Append to the journal; false: it holds the decision already."""
    decision = journaled.decision
    row = {
        "project": journaled.project,
        "id": decision.id,
        "subject_identifier": journaled.subject_identifier,
        "decided_at": decision.at,
        "kind": journaled.action.value,
        "content": _content(journaled),
        "decided_by": journaled.decided_by,
        "reason": journaled.reason,
    }
    cursor = await transaction.execute(query("decisions.add"), row)
    if await cursor.fetchone() is None:
        return False
    scopes = {
        _ScopeRow(name.key.project, name.key.subject, name.about, decision.id)
        for name in _names_of([decision])
    }
    if scopes:
        ordered = sorted(scopes, key=lambda scope: (scope.subject_identifier, scope.about))
        await transaction.execute(query("decisions.add_scopes"), columns_of(ordered))
    return True


async def decisions_of_id(
    transaction: Connection, project: str, ids: Collection[str]
) -> list[JournaledDecision]:
    """Those of these decisions that the journal holds, in the order in which they bite."""
    return await _decisions(transaction, "of_id", {"project": project, "ids": sorted(ids)})


async def decisions_of_project(transaction: Connection, project: str) -> list[JournaledDecision]:
    """All that was ever decided in a project, in the order in which it bites."""
    return await _decisions(transaction, "of_project", {"project": project})


async def decisions_on_groups(
    transaction: Connection, groups: Mapping[GroupKey, Sequence[Assertion]]
) -> dict[GroupKey, list[Decision]]:
    """The decisions that speak of what is said in these groups, by the names it has today."""
    scopes = {
        _Scope(said.key.project, said.key.subject, said.about)
        for said in chain.from_iterable(groups.values())
    }
    if not scopes:
        return {}
    wanted = columns_of(list(scopes))
    decisions = [
        journaled.decision for journaled in await _decisions(transaction, "of_scopes", wanted)
    ]
    if not decisions:
        return {}
    standing = await _standing(transaction, decisions)
    rebinder = Rebinder(chain.from_iterable(groups.values()), standing)
    by_assertion = decisions_by_assertion(map(rebinder.rebound, decisions))
    return {key: list(decisions_on(said, by_assertion)) for key, said in groups.items()}


async def groups_of_decision(transaction: Connection, decision: Decision) -> set[GroupKey]:
    """The groups in which a decision may bite today."""
    names = _name_rows([decision])
    if not names:
        return set()
    cursor = transaction.cursor(row_factory=class_row(GroupKey))
    await cursor.execute(query("decisions.groups"), columns_of(names))
    return set(await cursor.fetchall())


async def named_facts(
    transaction: Connection, project: str, names: Collection[str]
) -> dict[str, NamedFact]:
    """The facts that answer to these ids, by the id; those that nothing answers to are left out."""
    cursor = transaction.cursor(row_factory=class_row(NamedFact))
    parameters = {"project": project, "names": sorted(set(names))}
    await cursor.execute(query("decisions.facts"), parameters)
    return {fact.name: fact for fact in await cursor.fetchall()}


async def members_of_conflict(transaction: Connection, fact: NamedFact) -> list[NamedFact]:
    """The facts of the open conflict that a fact is a member of."""
    cursor = transaction.cursor(row_factory=class_row(NamedFact))
    parameters = {
        "project": fact.project,
        "subject": fact.subject,
        "about": fact.about,
        "predicate": fact.predicate,
        "conflict_id": fact.conflict_id,
    }
    await cursor.execute(query("decisions.members"), parameters)
    return await cursor.fetchall()


async def assertions_behind(
    transaction: Connection, project: str, facts: Collection[str]
) -> dict[str, list[Assertion]]:
    """Every assertion behind each of these facts."""
    cursor = transaction.cursor(row_factory=tuple_row)
    parameters = {"project": project, "ids": sorted(set(facts))}
    await cursor.execute(query("decisions.behind"), parameters)
    found: dict[str, list[Assertion]] = {}
    for fact_id, content in await cursor.fetchall():
        found.setdefault(fact_id, []).append(ASSERTION.validate_json(content))
    return found


def _content(journaled: JournaledDecision) -> str:
    """What is not in columns of its own, in one spelling."""
    adapter = _KINDS[journaled.action]
    content = adapter.dump_python(journaled.decision, mode="json", exclude={"id", "at"})
    facts = [content.get("fact"), content.get("keep"), *content.get("lose", ())]
    for fact in filter(None, facts):
        fact["assertions"].sort(key=lambda name: name["id"])
    return canonical_json(content).decode()


async def counted_sources(transaction: Connection, fact: NamedFact) -> dict[AssertionId, bool]:
    """The assertions behind a fact, and whether each confirms it."""
    cursor = transaction.cursor(row_factory=tuple_row)
    parameters = {"project": fact.project, "fact_id": fact.id}
    await cursor.execute(query("decisions.sources"), parameters)
    return {AssertionId(name): counted for name, counted in await cursor.fetchall()}


async def _decisions(
    transaction: Connection, name: str, parameters: Mapping[str, object]
) -> list[JournaledDecision]:
    cursor = transaction.cursor(row_factory=class_row(_DecisionRow))
    await cursor.execute(query(f"decisions.{name}"), parameters)
    found = [row.journaled() for row in await cursor.fetchall()]
    return sorted(found, key=lambda each: (each.decision.at, each.decision.id))


async def _standing(transaction: Connection, decisions: Iterable[Decision]) -> set[AssertionId]:
    cursor = transaction.cursor(row_factory=tuple_row)
    await cursor.execute(query("decisions.standing"), columns_of(_name_rows(decisions)))
    return {AssertionId(found) for (found,) in await cursor.fetchall()}


def _name_rows(decisions: Iterable[Decision]) -> list[_Name]:
    return [
        _Name(
            name.key.project,
            name.key.subject,
            record_digest(name.key.source, name.key.source_ref),
            name.id,
        )
        for name in _names_of(decisions)
    ]


def _names_of(decisions: Iterable[Decision]) -> set[AssertionReference]:
    return {
        name for decision in decisions for fact in facts_of(decision) for name in fact.assertions
    }
