"""Carries out a request to forget in memory's own tables, in one transaction."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import DecisionAction, FactStatus
from roxabi_contracts.upkeep import ForgetMode, ForgetScope

from cortex_memory.ever_said import groups_ever_said, records_without_others
from cortex_memory.model import (
    Assertion,
    Disable,
    Enable,
    Erasure,
    FactReference,
    JournalId,
    ObservationKey,
    ProjectId,
    ScopeWithdrawal,
    Withdrawal,
)
from cortex_memory.obey_decision import DecisionObeyer
from cortex_memory.recall_past import weighed_assertions
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.rebind import reference_to
from cortex_memory.retain.refused_record import RefusedRecord
from cortex_memory.retain.values import keyed_digest
from cortex_memory.retain.withdrawal import AnyWithdrawal, key_digest
from cortex_memory.retain_job import RetainJob
from cortex_memory.store import erase_memory, forgetting
from cortex_memory.store.db import Connection
from cortex_memory.store.decisions import (
    JournaledDecision,
    NamedFact,
    assertions_behind,
    named_facts,
)
from cortex_memory.store.erase_content import all_revisions, erase_content, remove_observations
from cortex_memory.store.erased_keys import keep_keys, tell_lake, tell_lake_of_owner
from cortex_memory.store.erasures import add_erasure
from cortex_memory.store.evidence import (
    ObservationId,
    ObservationReader,
    groups_of_observations,
    stored_rows,
)
from cortex_memory.store.forgetting import REVISIONS, Forgetting
from cortex_memory.store.jobs import Job
from cortex_memory.store.locks import lock_projects

BATCH: Final = 500


@dataclass(slots=True)
class Forgotten:
    """What a request removed, by what it was, and the digests that keep it away."""

    removed: Counter[str] = field(default_factory=Counter[str])
    kept_digests: int = 0


class ForgetJob:
    """Forgets inside a transaction of the caller's; `decisions` journals what is decided."""

    def __init__(
        self,
        transaction: Connection,
        rules: Rules,
        request: Forgetting,
        decisions: DecisionObeyer,
    ) -> None:
        self._transaction = transaction
        self._rules = rules
        self._request = request
        self._decisions = decisions
        self._mode = ForgetMode(request.mode)
        self._forgotten = Forgotten()

    async def run(self) -> Forgotten:
        """Forget; nobody else takes in or retains anything in the project meanwhile."""
        await erase_memory.begin_erasing(self._transaction, self._request.project)
        await lock_projects(self._transaction, [self._request.project], owned=True)
        if self._request.scope == REVISIONS:
            await self._forget_revisions()
            return self._forgotten
        match ForgetScope(self._request.scope):
            case ForgetScope.FACT:
                await self._forget_fact()
            case ForgetScope.OBSERVATION:
                await self._forget_observation()
            case ForgetScope.SOURCE | ForgetScope.SUBJECT:
                await self._forget_memory()
        return self._forgotten

    async def _forget_fact(self) -> None:
        project, target = self._request.project, self._request.target or ""
        fact = (await named_facts(self._transaction, project, [target])).get(target)
        if fact is None:
            return
        behind = (await assertions_behind(self._transaction, project, [fact.id]))[fact.id]
        if self._mode is ForgetMode.ERASE:
            await self._erase_fact(fact, behind)
        else:
            await self._mark_fact(behind)

    async def _mark_fact(self, behind: Sequence[Assertion]) -> None:
        """Hide the fact, or show it again: a decision like any other."""
        is_disabled = self._mode is ForgetMode.DISABLE
        decision = (Disable if is_disabled else Enable)(
            JournalId(self._request.id),
            self._request.requested_at,
            FactReference(frozenset(map(reference_to, behind))),
        )
        action = DecisionAction.DISABLE if is_disabled else DecisionAction.ENABLE
        await self._decisions.record(
            self._transaction,
            JournaledDecision(
                project=self._request.project,
                subject_identifier=self._request.subject,
                action=action,
                decision=decision,
                decided_by=self._request.requested_by,
                reason=None,
            ),
        )
        self._forgotten.removed["facts"] += int(is_disabled)

    async def _erase_fact(self, fact: NamedFact, behind: Sequence[Assertion]) -> None:
        group = fact.group
        said = (await weighed_assertions(self._transaction, group.project, [group]))[group]
        erasure = Erasure(
            id=JournalId(self._request.id),
            at=self._request.requested_at,
            project=group.project,
            subject=behind[0].key.subject,
            about=behind[0].about,
            predicates=self._names(group, said),
            pairs=frozenset(pair for each in behind for pair in each.value.pairs),
        )
        before = await self._live_ids([group])
        await add_erasure(self._transaction, group.project, erasure.subject, erasure)
        refold = RefoldJob(self._transaction, self._rules)
        await refold.refold([group])
        observations = [*refold.covered]
        await self._remove_vectors(observations)
        self._forgotten.removed += await erase_content(
            self._transaction, refold.covered, self._rules.keys
        )
        self._forgotten.kept_digests += len(observations) + len(erasure.pairs)
        seen = await all_revisions(self._transaction, observations)
        await self._remove_letters_about(seen)
        await self._clean_up([group], before)
        await self._remove_traces(seen)

    def _names(self, group: GroupKey, said: Iterable[Assertion]) -> frozenset[str]:
        """Every name of the predicate, so that no synonym brings back what is erased."""
        names = {group.predicate, *(each.predicate for each in said)}
        entries = [self._rules.catalogue.lookup(name) for name in sorted(names)]
        for entry in entries:
            if entry is not None:
                names.update((entry.name, *entry.synonyms))
        return frozenset(names)

    async def _forget_observation(self) -> None:
        request = self._request
        named = await forgetting.observation_in_memory(
            self._transaction, request.project, request.subject, request.target or ""
        )
        if named is None:
            return
        key = ObservationKey(
            ProjectId(request.project), named.subject_identifier, named.source, named.source_ref
        )
        row = Withdrawal(
            id=JournalId(request.id),
            at=request.requested_at,
            key_digest=key_digest(key, self._rules.keys[request.project]),
            withdrawn=self._mode is not ForgetMode.ENABLE,
            final=self._mode is ForgetMode.ERASE,
        )
        await add_erasure(self._transaction, request.project, key.subject, row)
        seen = await all_revisions(self._transaction, [(request.project, named.id)])
        await self._withdraw(row, [(each.project_id, each.id) for each in seen])
        if row.final:
            await tell_lake(self._transaction, seen, request.id)

    async def _forget_revisions(self) -> None:
        """Forget revisions in which a secret was left, and keep what replaces them."""
        names = {*(self._request.target or "").split(",")}
        asked = [(self._request.project, name) for name in sorted(names)]
        seen = await all_revisions(self._transaction, asked)
        gone = {(each.project_id, each.id): each for each in seen if each.id in names}
        groups = await groups_ever_said(self._transaction, self._rules, gone)
        before = await self._live_ids(groups)
        for key in records_without_others(seen, names, self._rules.keys):
            await self._withdraw_record(key)
        await self._remove_vectors(gone.keys())
        await self._remove_traces(gone.values())
        jobs = [Job(each.project_id, each.id, "", 0) for each in seen]
        await RetainJob(self._transaction, self._rules, ObservationReader(), None).retain(jobs)
        self._forgotten.removed += await remove_observations(self._transaction, gone.keys())
        self._forgotten.kept_digests += len(names)
        await self._clean_up(groups, before)

    async def _withdraw_record(self, key: ObservationKey) -> None:
        """Of which nothing else would count: its own name may hold the secret."""
        project_key = self._rules.keys[key.project]
        digest = key_digest(key, project_key)
        row = Withdrawal(
            id=JournalId(keyed_digest(project_key, self._request.id, digest)),
            at=self._request.requested_at,
            key_digest=digest,
            final=True,
        )
        await add_erasure(self._transaction, key.project, key.subject, row)

    async def _forget_memory(self) -> None:
        """Forget a whole memory, or what one source said in it."""
        request = self._request
        known = await forgetting.identifiers_of_entity(
            self._transaction, request.project, request.subject
        )
        members = await erase_memory.forgotten_with(
            self._transaction, request.project, {request.subject, *(each.id for each in known)}
        )
        row = ScopeWithdrawal(
            id=JournalId(request.id),
            at=request.requested_at,
            project=ProjectId(request.project),
            subjects=members,
            source=request.target,
            withdrawn=self._mode is not ForgetMode.ENABLE,
            final=self._mode is ForgetMode.ERASE,
        )
        await add_erasure(self._transaction, request.project, request.subject, row)
        observations = await erase_memory.observations_of_memories(self._transaction, row)
        owner = {f"{each.scheme}:{each.value}" for each in known}
        owner |= await self._withdraw(row, observations)
        if not row.final:
            return
        until = from_epoch_ms(row.at)
        await self._remove_letters_of(owner, until=row.at)
        await tell_lake_of_owner(
            self._transaction, request.project, request.id, owner, request.target, until
        )
        if request.target is None:
            await erase_memory.forget_persons_words(self._transaction, request.project, members)

    async def _withdraw(
        self, row: AnyWithdrawal, observations: Sequence[ObservationId]
    ) -> set[str]:
        """Let a journaled withdrawal take effect; by what the owners of the memories are known."""
        if not row.withdrawn:
            await forgetting.enqueue(self._transaction, observations)
            return set()
        owners: set[str] = set()
        rest = iter(observations)
        while batch := list(islice(rest, BATCH)):
            owners |= await self._withdraw_batch(batch, final=row.final)
        return owners

    async def _withdraw_batch(self, batch: Sequence[ObservationId], *, final: bool) -> set[str]:
        seen = await all_revisions(self._transaction, batch)
        groups = await groups_of_observations(self._transaction, batch)
        before = await self._live_ids(groups)
        if final:
            await self._remove_vectors(batch)
            await self._remove_traces(seen)
        jobs = [Job(project, name, "", 0) for project, name in batch]
        reader = ObservationReader()
        await RetainJob(self._transaction, self._rules, reader, None).retain(jobs)
        if final:
            self._forgotten.removed += await remove_observations(self._transaction, batch)
            self._forgotten.kept_digests += await keep_keys(
                self._transaction, seen, self._request.id, self._rules.keys
            )
            await self._remove_letters_about(seen)
            await self._clean_up(groups, before)
        else:
            self._forgotten.removed["observations"] += len(batch)
            self._forgotten.removed["facts"] += len(before - await self._live_ids(groups))
        return {name for each in seen for name in _owner_of(each)}

    async def _remove_letters_about(self, seen: Iterable[Observation]) -> None:
        """What was refused about these records says what they say."""
        records = {(each.source, each.source_ref) for each in seen}
        await self._remove_letters(lambda refused: refused.key() in records)

    async def _remove_letters_of(self, owner: Collection[str], *, until: int) -> None:
        """What was refused may be of records of which nothing was ever understood."""
        names, source = {name.lower() for name in owner}, self._request.target
        await self._remove_letters(
            lambda refused: (
                bool(refused.owners() & names)
                and source in (None, refused.source)
                and refused.is_said_until(until)
            )
        )

    async def _remove_letters(self, is_about: Callable[[RefusedRecord], bool]) -> None:
        self._forgotten.removed["dead_letters"] += await erase_memory.remove_letters(
            self._transaction, self._request.project, is_about
        )

    async def _clean_up(self, groups: Collection[GroupKey], before: set[str]) -> None:
        """Take out what was made of the facts of these groups beside their rows."""
        touched = sorted(groups)
        self._forgotten.removed["facts"] += len(before - await self._live_ids(touched))
        self._forgotten.removed["vectors"] += await erase_memory.remove_stale_vectors(
            self._transaction, touched
        )
        self._forgotten.removed["changes"] += await erase_memory.remove_waiting_changes(
            self._transaction, touched
        )
        await erase_memory.forget_reasons(self._transaction, touched)
        await forgetting.note_groups(self._transaction, self._request, touched)

    async def _live_ids(self, groups: Collection[GroupKey]) -> set[str]:
        """The facts of these groups that have content."""
        rows = await stored_rows(self._transaction, groups)
        return {row.id for row in rows.facts if row.status != FactStatus.ERASED}

    async def _remove_vectors(self, observations: Collection[ObservationId]) -> None:
        if observations:
            self._forgotten.removed["vectors"] += await erase_memory.remove_episode_vectors(
                self._transaction, observations
            )

    async def _remove_traces(self, seen: Iterable[Observation]) -> None:
        """Every question about the memory goes: it may quote what is forgotten."""
        project, subject = self._request.project, self._request.subject
        known = await forgetting.identifiers_of_entity(self._transaction, project, subject)
        references = {subject, *(each.id for each in known), *(each.value for each in known)}
        references |= {f"{each.scheme}:{each.value}" for each in known}
        for name in {name for each in seen for name in _owner_of(each)}:
            references |= {name, name.partition(":")[2]}
        self._forgotten.removed["traces"] += await erase_memory.remove_traces(
            self._transaction, project, references
        )


def _owner_of(seen: Observation) -> list[str]:
    return [f"{key.scheme}:{key.value}" for key in seen.actors[seen.subject].identifiers]
