"""Folds groups anew: load all that was said in them, fold, write the rows that differ."""

import asyncio
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from roxabi_contracts.catalogues import Catalogues
from roxabi_contracts.changes import Change

from cortex_memory.judge_names import NameJudge
from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import Assertion, Decision, Erasure, JournalId, SlotState
from cortex_memory.place_said import PlaceJob, weigh
from cortex_memory.retain.announce import conflict_change, fact_change, gone_change
from cortex_memory.retain.erasure import covers, has_content
from cortex_memory.retain.group_fold import GroupChange, GroupFold
from cortex_memory.retain.placing import GroupKey, fold_groups, growing_fold
from cortex_memory.retain.tally import tally
from cortex_memory.store import apply
from cortex_memory.store.changes import append_changes
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import decisions_on_groups
from cortex_memory.store.difference import (
    Difference,
    StoredConflict,
    StoredFact,
    all_differences,
    difference,
    kept_difference,
)
from cortex_memory.store.erasures import erasures_on_groups
from cortex_memory.store.evidence import ObservationId, stored_rows
from cortex_memory.store.marks import Subjects, marked_subjects, touch_subjects
from cortex_memory.store.verdicts import set_due_now


@dataclass(frozen=True, slots=True)
class _Growing:
    fold: GroupFold
    said: Sequence[Assertion]


@dataclass(frozen=True, slots=True)
class _Folded:
    """What whole groups say, what has changed in growing ones, and the folds worth keeping."""

    states: dict[GroupKey, SlotState]
    changes: Sequence[GroupChange]
    grown: dict[GroupKey, SlotState]
    large: dict[GroupKey, GroupFold]


@dataclass(frozen=True, slots=True)
class Rules:
    """What decides, beside the evidence: the projects' keys and catalogues, and the moment.

    `now` is in milliseconds since 1970. Without a judge, names that meet for the first time are
    folded as they are, and left to be judged by a worker.
    """

    keys: Mapping[str, bytes]
    catalogues: Catalogues
    now: int
    judge: NameJudge | None = None


class RefoldJob:
    """Folds groups inside a transaction that holds the locks of their memories."""

    def __init__(
        self, transaction: Connection, rules: Rules, folds: KeptFolds | None = None
    ) -> None:
        self._transaction = transaction
        self._rules = rules
        self._folds = KeptFolds() if folds is None else folds
        self.covered: dict[ObservationId, JournalId] = {}
        """Observations that still hold content of what an erasure covers."""

    async def refold(
        self,
        touched: Collection[GroupKey],
        said: Sequence[Assertion] = (),
        *,
        replace: bool = False,
        recheck: bool = False,
    ) -> Counter[tuple[str, str]]:
        """Fold these groups, and those of what is newly said, and write what differs.

        Returns how many of the newly said had which outcome, by project.

        Args:
            touched: Groups in which something is said no longer, is due, or is decided.
            said: Assertions that are not stored yet.
            replace: Whether what is stored may be about others, or in others' memories, by now.
            recheck: Whether the names in the groups touched may not have been judged.

        Raises:
            NamesUnjudged: names meet on which nobody has decided; nothing was written.
        """
        places = PlaceJob(self._transaction, self._rules.catalogues, self._rules.judge)
        arrivals = await places.arrivals(touched, said, may_stray=replace)
        growing = await self._growing(arrivals.growing(self._folds))
        grown = {key: each.said for key, each in growing.items()}
        placed = await places.placed(arrivals.without(grown), recheck=recheck)
        await apply.displace(self._transaction, placed.arrangement.leaving)
        await apply.place(self._transaction, {**placed.arrangement.arriving, **grown})
        groups = await weigh(self._transaction, placed.arrangement.groups)
        decisions = await decisions_on_groups(self._transaction, groups)
        erasures = await erasures_on_groups(self._transaction, groups)
        self.covered |= _covered(groups, erasures)
        folded = await asyncio.to_thread(self._fold, groups, decisions, erasures, growing)
        rows = await stored_rows(self._transaction, groups)
        changes = all_differences(
            [
                difference(rows, folded.states.values()),
                *(kept_difference(each.before, each.after) for each in folded.changes),
            ]
        )
        await apply.write_difference(self._transaction, changes)
        states = folded.states | folded.grown
        await apply.set_due(self._transaction, states)
        await set_due_now(self._transaction, placed.unjudged)
        subjects = await touch_subjects(
            self._transaction, {(key.project, key.subject) for key in states}
        )
        await append_changes(self._transaction, announcements(changes, subjects))
        for key, fold in folded.large.items():
            self._folds.keep(key, subjects[key.project, key.subject].mark, fold)
        return tally(said, states.values())

    async def _growing(
        self, kept: Mapping[GroupKey, Sequence[Assertion]]
    ) -> dict[GroupKey, _Growing]:
        """Those groups whose kept fold holds all but what is newly said."""
        if not kept:
            return {}
        said = await weigh(self._transaction, kept)
        decisions = await decisions_on_groups(self._transaction, said)
        erasures = await erasures_on_groups(self._transaction, said)
        subjects = await marked_subjects(
            self._transaction, {(key.project, key.subject) for key in kept}
        )
        found: dict[GroupKey, _Growing] = {}
        for key, new in said.items():
            subject = subjects.get((key.project, key.subject))
            fold = self._folds.take(key, None if subject is None else subject.mark)
            is_ruled = key in erasures or decisions.get(key)
            if fold is not None and not is_ruled and fold.can_add(new, self._rules.now):
                found[key] = _Growing(fold, new)
        return found

    def _fold(
        self,
        groups: Mapping[GroupKey, Sequence[Assertion]],
        decisions: Mapping[GroupKey, Sequence[Decision]],
        erasures: Mapping[GroupKey, Sequence[Erasure]],
        growing: Mapping[GroupKey, _Growing],
    ) -> _Folded:
        """Fold small groups and decided ones as they are, large ones so that they can grow."""
        catalogues, now = self._rules.catalogues, self._rules.now
        large = {
            key: growing_fold(key, said, catalogues.for_project(key.project), now)
            for key, said in groups.items()
            if len(said) >= self._folds.large and key not in erasures and not decisions.get(key)
        }
        others = {key: said for key, said in groups.items() if key not in large}
        states = fold_groups(others, decisions, erasures, catalogues, now)
        states |= {key: fold.state() for key, fold in large.items()}
        changes = {key: each.fold.add(each.said, now) for key, each in growing.items()}
        return _Folded(
            states=states,
            changes=list(changes.values()),
            grown={
                key: SlotState(each.after.facts, each.after.conflicts, each.next_due)
                for key, each in changes.items()
            },
            large=large | {key: each.fold for key, each in growing.items()},
        )


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


def announcements(changes: Difference, subjects: Subjects) -> list[Change]:
    """What is announced of the rows that differ; `subjects` are the memories as they are now."""
    facts = [
        fact_change(
            change.fact,
            None if change.before is None else change.before.status,
            subjects[change.row.project, change.row.subject].version,
        )
        for change in changes.facts
    ]
    conflicts = [
        conflict_change(
            change.conflict,
            was_open=change.before is not None and change.before.closed_at is None,
            version=subjects[change.row.project, change.row.subject].version,
        )
        for change in changes.conflicts
    ]
    missing: list[StoredFact | StoredConflict] = [*changes.gone_facts, *changes.gone_conflicts]
    gone = [
        gone_change(row.gone(), subjects[row.project, row.subject].version)
        for row in missing
        if row.was_live
    ]
    return sorted(facts + conflicts + gone, key=lambda change: (change.subject, change.id))
