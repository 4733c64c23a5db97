"""Carries out a request to forget in memory's own tables, in one transaction."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Final

from roxabi_contracts.base import from_epoch_ms
from roxabi_contracts.operations import DecisionAction
from roxabi_contracts.upkeep import ForgetMode, ForgetScope

from cortex_memory.forget_remains import ForgetRemains, Forgotten, owner_of
from cortex_memory.forget_revisions import RevisionForgetter
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
from cortex_memory.retain.families import names_of_places
from cortex_memory.retain.placing import GroupKey
from cortex_memory.retain.rebind import reference_to
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
)
from cortex_memory.store.forgetting import REVISIONS, Forgetting
from cortex_memory.store.jobs import Job
from cortex_memory.store.locks import lock_projects

BATCH: Final = 500


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
        self._remains = ForgetRemains(transaction, request, self._forgotten)

    async def run(self) -> Forgotten:
        """Forget; nobody else takes in or retains anything in the project meanwhile."""
        await erase_memory.begin_erasing(self._transaction, self._request.project)
        await lock_projects(self._transaction, [self._request.project], owned=True)
        if self._request.scope == REVISIONS:
            forgetter = RevisionForgetter(self._transaction, self._rules, self._remains)
            await forgetter.forget(self._request, self._forgotten)
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
        before = await self._remains.live_ids([group])
        await add_erasure(self._transaction, group.project, erasure.subject, erasure)
        refold = RefoldJob(self._transaction, self._rules)
        await refold.refold([group])
        observations = [*refold.covered]
        await self._remains.remove_vectors(observations)
        self._forgotten.removed += await erase_content(
            self._transaction, refold.covered, self._rules.keys
        )
        self._forgotten.kept_digests += len(observations) + len(erasure.pairs)
        seen = await all_revisions(self._transaction, observations)
        await self._remains.remove_letters_about(seen)
        await self._remains.clean_up([group], before)
        await self._remains.remove_traces(seen)

    def _names(self, group: GroupKey, said: Iterable[Assertion]) -> frozenset[str]:
        """Every name of the predicate, so that no synonym brings back what is erased."""
        catalogue = self._rules.catalogues.for_project(group.project)
        names = {group.predicate, *(each.predicate for each in said)}
        return names_of_places(names, catalogue).union(names)

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
        await self._remains.remove_letters_of(owner, until=row.at)
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
        before = await self._remains.live_ids(groups)
        if final:
            await self._remains.remove_vectors(batch)
            await self._remains.remove_traces(seen)
        jobs = [Job(project, name, "", 0) for project, name in batch]
        reader = ObservationReader()
        await RetainJob(self._transaction, self._rules, reader, None).retain(jobs)
        if final:
            self._forgotten.removed += await remove_observations(self._transaction, batch)
            self._forgotten.kept_digests += await keep_keys(
                self._transaction, seen, self._request.id, self._rules.keys
            )
            await self._remains.remove_letters_about(seen)
            await self._remains.clean_up(groups, before)
        else:
            self._forgotten.removed["observations"] += len(batch)
            self._forgotten.removed["facts"] += len(before - await self._remains.live_ids(groups))
        return {name for each in seen for name in owner_of(each)}
