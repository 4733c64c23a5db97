"""Folds groups anew: load all that was said in them, fold, write the rows that differ."""

import asyncio
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

from roxabi_contracts.changes import Change
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import Assertion, Erasure, JournalId
from cortex_memory.retain.announce import conflict_change, fact_change, gone_change
from cortex_memory.retain.assertions import weighed
from cortex_memory.retain.erasure import covers, has_content
from cortex_memory.retain.placing import GroupKey, fold_groups, group_key
from cortex_memory.retain.tally import tally
from cortex_memory.store import apply
from cortex_memory.store.apply import Difference
from cortex_memory.store.changes import append_changes
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import decisions_on_groups
from cortex_memory.store.erasures import erasures_on_groups
from cortex_memory.store.evidence import (
    ObservationId,
    StoredConflict,
    StoredFact,
    stored_assertions,
    stored_rows,
)
from cortex_memory.store.identities import EntityLookup, entities_by_identifier


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides, beside the evidence: the projects' keys, the catalogue, and the moment.

    `now` is in milliseconds since 1970.
    """

    keys: Mapping[str, bytes]
    catalogue: PredicateCatalogue
    now: int


class RefoldJob:
    """Folds groups inside a transaction that holds the locks of their memories."""

    def __init__(self, transaction: Connection, rules: Rules) -> None:
        self._transaction = transaction
        self._rules = rules
        self.covered: dict[ObservationId, JournalId] = {}
        """Observations that still hold content of what an erasure covers."""

    async def refold(
        self,
        touched: Collection[GroupKey],
        said: Sequence[Assertion] = (),
        *,
        replace: bool = False,
    ) -> Counter[tuple[str, str]]:
        """Fold these groups, and those of what is newly said, and write what differs.

        Returns how many of the newly said had which outcome, by project.

        Args:
            touched: Groups in which something is said no longer, is due, or is decided.
            said: Assertions that are not stored yet.
            replace: Whether what is stored may belong to other groups by now.
        """
        stored = await stored_assertions(self._transaction, touched)
        newly = [*said, *await self._displace(stored)] if replace else said
        placed = await self._place(newly)
        stored |= await stored_assertions(self._transaction, placed.keys() - stored.keys())
        await apply.place(self._transaction, placed)
        groups = await self._weigh(
            {key: [*stored.get(key, ()), *placed.get(key, ())] for key in {*touched, *placed}}
        )
        decisions = await decisions_on_groups(self._transaction, groups)
        erasures = await erasures_on_groups(self._transaction, groups)
        self.covered |= _covered(groups, erasures)
        states = await asyncio.to_thread(
            fold_groups, groups, decisions, erasures, self._rules.catalogue, self._rules.now
        )
        rows = await stored_rows(self._transaction, groups)
        changes = apply.difference(rows, states.values())
        await apply.write_difference(self._transaction, changes)
        await apply.set_due(self._transaction, states)
        versions = await apply.touch_subjects(
            self._transaction, {(key.project, key.subject) for key in groups}
        )
        await append_changes(self._transaction, announcements(changes, versions))
        return tally(said, states.values())

    async def _displace(self, stored: dict[GroupKey, list[Assertion]]) -> list[Assertion]:
        """Take out of their groups the assertions that belong to others by now."""
        entities = await self._entities_of(chain.from_iterable(stored.values()))
        displaced: dict[GroupKey, list[Assertion]] = {}
        for key, assertions in stored.items():
            belongs = [self._key(each, entities) == key for each in assertions]
            displaced[key] = [
                each for each, stays in zip(assertions, belongs, strict=True) if not stays
            ]
            stored[key] = [each for each, stays in zip(assertions, belongs, strict=True) if stays]
        await apply.displace(self._transaction, displaced)
        return list(chain.from_iterable(displaced.values()))

    async def _place(self, said: Sequence[Assertion]) -> dict[GroupKey, list[Assertion]]:
        entities = await self._entities_of(said)
        placed: dict[GroupKey, list[Assertion]] = {}
        for assertion in said:
            placed.setdefault(self._key(assertion, entities), []).append(assertion)
        return placed

    def _key(self, assertion: Assertion, entities: EntityLookup) -> GroupKey:
        entity_of = entities.within(assertion.key.project)
        return group_key(assertion, entity_of, self._rules.catalogue)

    async def _weigh(
        self, groups: dict[GroupKey, list[Assertion]]
    ) -> dict[GroupKey, list[Assertion]]:
        entities = await self._entities_of(chain.from_iterable(groups.values()))
        return {
            key: [weighed(each, entities.within(key.project)) for each in assertions]
            for key, assertions in groups.items()
        }

    async def _entities_of(self, assertions: Iterable[Assertion]) -> EntityLookup:
        identifiers = {
            (each.key.project, identifier)
            for each in assertions
            for identifier in (each.key.subject, each.about, each.author)
        }
        return await entities_by_identifier(self._transaction, identifiers)


def _covered(
    groups: Mapping[GroupKey, Sequence[Assertion]], erasures: Mapping[GroupKey, Sequence[Erasure]]
) -> dict[ObservationId, JournalId]:
    return {
        (key.project, said.observation_id): row.id
        for key, rows in erasures.items()
        for said in groups[key]
        if has_content(said)
        for row in sorted(rows, key=lambda row: (row.at, row.id), reverse=True)
        if covers(row, said)
    }


def announcements(changes: Difference, versions: Mapping[tuple[str, str], int]) -> list[Change]:
    """What is announced of the rows that differ; versions are those of the memories now."""
    facts = [
        fact_change(
            change.fact,
            None if change.before is None else change.before.status,
            versions[change.row.project, change.row.subject],
        )
        for change in changes.facts
    ]
    conflicts = [
        conflict_change(
            change.conflict,
            was_open=change.before is not None and change.before.closed_at is None,
            version=versions[change.row.project, change.row.subject],
        )
        for change in changes.conflicts
    ]
    missing: list[StoredFact | StoredConflict] = [*changes.gone_facts, *changes.gone_conflicts]
    gone = [
        gone_change(row.gone(), versions[row.project, row.subject])
        for row in missing
        if row.was_live
    ]
    return sorted(facts + conflicts + gone, key=lambda change: (change.subject, change.id))
