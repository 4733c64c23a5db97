"""Explains a fact: every saying and every decision behind it, now or at a moment."""

from collections.abc import Mapping
from dataclasses import dataclass

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.operations import (
    AssertionRecord,
    DecisionRecord,
    FactExplanation,
    FactRecord,
)

from cortex_memory.model import Assertion, AssertionId, Decision
from cortex_memory.recall_past import past_facts, weighed_assertions
from cortex_memory.retain.group import facts_of
from cortex_memory.store import facts
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import (
    JournaledDecision,
    NamedFact,
    counted_sources,
    decisions_of_id,
    decisions_on_groups,
)


@dataclass(frozen=True, slots=True)
class Explained:
    """A fact with what is behind it."""

    fact: FactRecord
    explanation: FactExplanation


async def explain_now(transaction: Connection, fact: NamedFact) -> Explained | None:
    """A fact as it is now; null: it has gone meanwhile."""
    shown = await facts.records(transaction, fact.project, [fact.id])
    if not shown:
        return None
    counted = await counted_sources(transaction, fact)
    return Explained(shown[0], await _explanation(transaction, fact, counted, None))


async def explain_past(
    transaction: Connection, fact: NamedFact, catalogues: Catalogues, moment: int
) -> Explained | None:
    """The fact that answered to the name at `moment` (epoch ms); null: none did."""
    known = await past_facts(
        transaction, fact.project, [fact.subject], fact.about, catalogues, moment
    )
    for past in known:
        counted = {source.assertion_id: source.counted for source in past.behind}
        if fact.name in counted:
            explanation = await _explanation(transaction, fact, counted, moment)
            return Explained(past.record(), explanation)
    return None


async def _explanation(
    transaction: Connection,
    fact: NamedFact,
    counted: Mapping[AssertionId, bool],
    until: int | None,
) -> FactExplanation:
    group = fact.group
    said = await weighed_assertions(transaction, fact.project, [group])
    decisions = (await decisions_on_groups(transaction, said)).get(group, [])
    speaking = {
        decision.id
        for decision in decisions
        if _names_any(decision, counted) and (until is None or decision.at <= until)
    }
    journaled = await decisions_of_id(transaction, fact.project, speaking)
    behind = [one for one in said.get(group, ()) if one.id in counted]
    return FactExplanation(
        assertions=tuple(
            _assertion_record(one, counted=counted[one.id])
            for one in sorted(behind, key=lambda one: one.order)
        ),
        decisions=tuple(map(_decision_record, journaled)),
    )


def _names_any(decision: Decision, assertions: Mapping[AssertionId, bool]) -> bool:
    return any(name.id in assertions for fact in facts_of(decision) for name in fact.assertions)


def _assertion_record(said: Assertion, *, counted: bool) -> AssertionRecord:
    return AssertionRecord(
        id=said.id,
        observation_id=said.observation_id,
        source=said.key.source,
        source_ref=said.key.source_ref,
        said_at=from_epoch_ms(said.said),
        predicate=said.predicate,
        action=said.action,
        authority=int(said.authority),
        counted=counted,
        evidence=said.evidence,
    )


def _decision_record(journaled: JournaledDecision) -> DecisionRecord:
    return DecisionRecord(
        id=journaled.decision.id,
        action=journaled.action,
        decided_by=journaled.decided_by,
        decided_at=from_epoch_ms(journaled.decision.at),
        reason=journaled.reason,
    )
