"""Forgets revisions of records in which a secret was left, and keeps what replaces them."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from roxabi_contracts.observation import Observation

from cortex_memory.forget_remains import ForgetRemains, Forgotten
from cortex_memory.model import JournalId, ObservationKey, Withdrawal
from cortex_memory.place_said import PlaceJob
from cortex_memory.refold_job import Rules
from cortex_memory.retain.assertions import assertions_of, observation_key
from cortex_memory.retain.current import current_of
from cortex_memory.retain.placing import GroupKey, within_reach
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.retain.values import keyed_digest
from cortex_memory.retain.withdrawal import key_digest
from cortex_memory.retain_job import RetainJob
from cortex_memory.store.db import Connection
from cortex_memory.store.erase_content import all_revisions, remove_observations
from cortex_memory.store.erasures import add_erasure
from cortex_memory.store.evidence import (
    ObservationId,
    ObservationReader,
    groups_of_observations,
    recorded_candidates,
)
from cortex_memory.store.forgetting import Forgetting
from cortex_memory.store.identities import entities_by_identifier
from cortex_memory.store.jobs import Job

Revisions = Mapping[ObservationId, Observation]


class RevisionForgetter:
    """Forgets inside a transaction that owns the project.

    Args:
        transaction: The caller's.
        rules: What decides, beside the evidence.
        remains: Removes what is left beside facts and observations.
    """

    def __init__(self, transaction: Connection, rules: Rules, remains: ForgetRemains) -> None:
        self._transaction = transaction
        self._rules = rules
        self._remains = remains

    async def forget(self, request: Forgetting, forgotten: Forgotten) -> None:
        """Forget the revisions that a request names, and count what went."""
        names = {*(request.target or "").split(",")}
        asked = [(request.project, name) for name in sorted(names)]
        seen = await all_revisions(self._transaction, asked)
        gone = {(each.project_id, each.id): each for each in seen if each.id in names}
        groups = await self._groups_ever_said(gone)
        before = await self._remains.live_ids(groups)
        for key in records_without_others(seen, names, self._rules.keys):
            await self._withdraw_record(key, request)
        await self._remains.remove_vectors(gone.keys())
        await self._remains.remove_traces(gone.values())
        jobs = [Job(each.project_id, each.id, "", 0) for each in seen]
        await RetainJob(self._transaction, self._rules, ObservationReader(), None).retain(jobs)
        forgotten.removed += await remove_observations(self._transaction, gone.keys())
        forgotten.kept_digests += len(names)
        await self._remains.clean_up(groups, before)

    async def _withdraw_record(self, key: ObservationKey, request: Forgetting) -> None:
        """Of which nothing else would count: its own name may hold the secret."""
        project_key = self._rules.keys[key.project]
        digest = key_digest(key, project_key)
        row = Withdrawal(
            id=JournalId(keyed_digest(project_key, request.id, digest)),
            at=request.requested_at,
            key_digest=digest,
            final=True,
        )
        await add_erasure(self._transaction, key.project, key.subject, row)

    async def _groups_ever_said(self, observations: Revisions) -> set[GroupKey]:
        """Every group in which these said something, or would have if they had counted."""
        recorded = await recorded_candidates(self._transaction, observations)
        named = {
            (project, identifier.id)
            for (project, _), seen in observations.items()
            for actor in seen.actors
            for identifier in identifiers_of(actor, seen, self._rules.keys[project])
        }
        entities = await entities_by_identifier(self._transaction, named)
        said = [
            assertion
            for (project, observation_id), seen in observations.items()
            for assertion in assertions_of(
                seen,
                chain.from_iterable(
                    each.facts for each in recorded.get((project, observation_id), ())
                ),
                project_key=self._rules.keys[project],
                catalogue=self._rules.catalogues.for_project(project),
                entity_of=entities.within(project),
            )
        ]
        places = PlaceJob(self._transaction, self._rules.catalogues, self._rules.judge)
        arrivals = await places.arrivals((), said, may_stray=False)
        groups = within_reach(arrivals.newly, (), arrivals.families)
        return groups | await groups_of_observations(self._transaction, observations)


def records_without_others(
    revisions: Iterable[Observation], names: Collection[str], keys: Mapping[str, bytes]
) -> set[ObservationKey]:
    """The records of which nothing would count but revisions of these ids."""
    records: defaultdict[ObservationKey, list[Observation]] = defaultdict(list)
    for each in revisions:
        records[observation_key(each, keys[each.project_id])].append(each)
    return {key for key, known in records.items() if current_of(known).id in names}
