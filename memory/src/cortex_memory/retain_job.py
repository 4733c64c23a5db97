"""The Retain Job: load what observations touch, decide, and apply it in one transaction."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeAlias

import structlog
from roxabi_contracts.observation import Observation

from cortex_memory.kept_folds import KeptFolds
from cortex_memory.model import Assertion
from cortex_memory.refold_job import RefoldJob, Rules
from cortex_memory.retain.assertions import assertions_of
from cortex_memory.retain.current import current_of
from cortex_memory.retain.extract import (
    CLAIMS_EXTRACTOR,
    CLAIMS_VERSION,
    extract_claims,
)
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.retain.turnover import Turnover, census_of, turnover
from cortex_memory.store import apply
from cortex_memory.store.db import Connection
from cortex_memory.store.episode_rows import EpisodeRow, RelationRow, episode_row, relation_rows
from cortex_memory.store.erase_content import erase_content
from cortex_memory.store.erasures import kept_assertions, withdrawals_on
from cortex_memory.store.evidence import (
    ObservationId,
    ObservationReader,
    RecordKey,
    counted_observations,
    groups_of_moved,
    groups_of_observations,
    recorded_candidates,
)
from cortex_memory.store.identities import (
    EntityLookup,
    IdentityChanges,
    entities_by_identifier,
)
from cortex_memory.store.identity_register import IdentityRegister
from cortex_memory.store.jobs import Job
from cortex_memory.store.locks import try_lock_subjects

Memory: TypeAlias = tuple[str, str]
"""A project, and the entity whose memory it is."""

_log = structlog.get_logger()


@dataclass(frozen=True, slots=True)
class Arrivals:
    """What counts from now on, with its candidates, and what counts no longer."""

    entering: Mapping[ObservationId, Observation]
    leaving: Mapping[ObservationId, Observation]
    candidates: Mapping[ObservationId, Sequence[CandidateSet]]

    def turnovers(self, project: str) -> list[Turnover]:
        """What changes in a project."""
        entering = [Turnover(seen, None) for seen in _of(project, self.entering)]
        return entering + [Turnover(None, seen) for seen in _of(project, self.leaving)]


@dataclass(frozen=True, slots=True)
class Derived:
    """What follows from observations that count, one by one."""

    episodes: Sequence[EpisodeRow]
    relations: Sequence[RelationRow]
    said: Sequence[Assertion]


class RetainJob:
    """Retains a batch of observations inside a transaction of the caller's.

    Args:
        transaction: It holds the locks of the projects, and of the memories in `locked`.
        rules: What decides, beside the evidence.
        reader: Reads observations, and remembers those it has read.
        locked: The memories that nobody else may decide on; null: the projects are owned.
        folds: What is remembered of large groups.
    """

    def __init__(
        self,
        transaction: Connection,
        rules: Rules,
        reader: ObservationReader,
        locked: Collection[Memory] | None,
        folds: KeptFolds | None = None,
    ) -> None:
        self._transaction = transaction
        self._rules = rules
        self._reader = reader
        self._locked = locked
        self._folds = folds

    async def retain(self, jobs: Sequence[Job]) -> None:
        """Let the observations of these jobs count, with what is found in them.

        Raises:
            IdentityChanges: who is who changes for others, and the projects are not owned.
        """
        outcomes = Counter[tuple[str, str]]()
        arrivals = await self._load(jobs, outcomes)
        register = self._register(arrivals)
        moved = await register.settle()
        entities = await self._entities(arrivals)
        episodes = [self._episode(seen, entities) for seen in arrivals.entering.values()]
        await self._lock_new({(episode.project, episode.subject) for episode in episodes})
        touched = await groups_of_observations(self._transaction, arrivals.leaving)
        touched |= await groups_of_moved(self._transaction, moved)
        await apply.leave(self._transaction, arrivals.leaving)
        await apply.enter(self._transaction, episodes, self._relations(arrivals, episodes))
        await apply.move_memories(self._transaction, moved)
        refold = RefoldJob(self._transaction, self._rules, self._folds)
        said = await self._said(arrivals, entities)
        outcomes += await refold.refold(touched, said, replace=bool(moved))
        await register.count()
        await apply.count_outcomes(self._transaction, outcomes)
        await erase_content(self._transaction, refold.covered, self._rules.keys)

    async def derive(self, jobs: Sequence[Job]) -> Derived:
        """What follows from those observations that count, of the records of these jobs."""
        records = await self._reader.revisions(self._transaction, jobs)
        counted = set((await counted_observations(self._transaction, records)).values())
        counting = {
            _id(seen): seen for seen in chain.from_iterable(records.values()) if seen.id in counted
        }
        recorded = await recorded_candidates(self._transaction, counting)
        nothing: dict[ObservationId, list[CandidateSet]] = {key: [] for key in counting}
        arrivals = Arrivals(entering=counting, leaving={}, candidates=nothing | recorded)
        entities = await self._entities(arrivals)
        episodes = [self._episode(seen, entities) for seen in counting.values()]
        said = await self._said(arrivals, entities)
        return Derived(episodes, self._relations(arrivals, episodes), said)

    async def _load(self, jobs: Sequence[Job], outcomes: Counter[tuple[str, str]]) -> Arrivals:
        records = await self._reader.revisions(self._transaction, jobs)
        current = {key: current_of(known) for key, known in records.items()}
        counted = await counted_observations(self._transaction, records)
        withdrawn = await self._withdrawn(current)
        turnovers = [
            turnover(known, counted.get(key), withdrawn=key in withdrawn)
            for key, known in records.items()
        ]
        counting = {_id(seen): seen for key, seen in current.items() if key not in withdrawn}
        candidates = await self._candidates(counting, jobs, outcomes)
        # One without candidates is left to its own job, which has yet to look for them.
        ready = [
            change
            for change in turnovers
            if change.entering is None or _id(change.entering) in candidates
        ]
        return Arrivals(
            entering={_id(new): new for change in ready if (new := change.entering) is not None},
            leaving={_id(old): old for change in ready if (old := change.leaving) is not None},
            candidates=candidates,
        )

    async def _withdrawn(self, current: Mapping[RecordKey, Observation]) -> set[RecordKey]:
        """Those of the records that count as never said."""
        keys = self._rules.keys
        rows = await withdrawals_on(self._transaction, current.values(), keys)
        return {key for key, seen in current.items() if rows.covering(seen, keys[key.project])}

    async def _candidates(
        self,
        current: Mapping[ObservationId, Observation],
        jobs: Sequence[Job],
        outcomes: Counter[tuple[str, str]],
    ) -> Mapping[ObservationId, Sequence[CandidateSet]]:
        """What counts for each observation whose own claims were read, now or before."""
        sets = await recorded_candidates(self._transaction, current)
        # A current revision that is not among the jobs has a job of its own.
        found = {
            identity: _claims(current[identity], outcomes)
            for identity in sorted((job.project, job.observation_id) for job in jobs)
            if identity in current and not any(map(_is_up_to_date, sets.get(identity, ())))
        }
        # Nobody else reads the claims of a memory that is locked.
        await apply.record_candidates(self._transaction, found)
        for identity, claims in found.items():
            others = (each for each in sets.get(identity, ()) if each.extractor != CLAIMS_EXTRACTOR)
            sets[identity] = [*others, claims]
        return {
            identity: each
            for identity, each in sets.items()
            if any(one.extractor == CLAIMS_EXTRACTOR for one in each)
        }

    def _register(self, arrivals: Arrivals) -> IdentityRegister:
        projects = {project for project, _ in chain(arrivals.entering, arrivals.leaving)}
        censuses = {
            project: census_of(arrivals.turnovers(project), self._rules.keys[project])
            for project in projects
        }
        return IdentityRegister(self._transaction, censuses, owned=self._locked is None)

    async def _entities(self, arrivals: Arrivals) -> EntityLookup:
        identifiers = {
            (project, identifier.id)
            for (project, _), seen in arrivals.entering.items()
            for actor in seen.actors
            for identifier in identifiers_of(actor, seen, self._rules.keys[project])
        }
        return await entities_by_identifier(self._transaction, identifiers)

    async def _lock_new(self, memories: set[Memory]) -> None:
        """Memories that were not known, or not as these entities', are locked if they are free."""
        if self._locked is None:
            return
        new = memories.difference(self._locked)
        if not await try_lock_subjects(self._transaction, new):
            raise IdentityChanges

    def _episode(self, seen: Observation, entities: EntityLookup) -> EpisodeRow:
        project = seen.project_id
        return episode_row(seen, self._rules.keys[project], entities.within(project))

    def _relations(self, arrivals: Arrivals, episodes: Sequence[EpisodeRow]) -> list[RelationRow]:
        return [
            row
            for episode in episodes
            for row in relation_rows(
                arrivals.entering[episode.project, episode.observation_id],
                episode.subject,
                self._rules.keys[episode.project],
            )
        ]

    async def _said(self, arrivals: Arrivals, entities: EntityLookup) -> list[Assertion]:
        found = [
            assertion
            for (project, observation_id), seen in arrivals.entering.items()
            for assertion in assertions_of(
                seen,
                chain.from_iterable(
                    each.facts for each in arrivals.candidates[project, observation_id]
                ),
                project_key=self._rules.keys[project],
                catalogue=self._rules.catalogues.for_project(project),
                entity_of=entities.within(project),
            )
        ]
        return found + await kept_assertions(self._transaction, arrivals.entering)


def _is_up_to_date(candidates: CandidateSet) -> bool:
    """Whether these are the payload's own claims, as they are read today."""
    return candidates.extractor == CLAIMS_EXTRACTOR and candidates.version >= CLAIMS_VERSION


def _claims(seen: Observation, outcomes: Counter[tuple[str, str]]) -> CandidateSet:
    """What the payload claims; what is refused of it is counted."""
    found = extract_claims(seen)
    for refused in found.rejected:
        _log.warning("candidate_rejected", observation=seen.id, reason=refused.reason)
        outcomes[seen.project_id, "reject"] += 1
    return CandidateSet(seen.id, CLAIMS_EXTRACTOR, CLAIMS_VERSION, found.facts)


def _id(observation: Observation) -> ObservationId:
    return (observation.project_id, observation.id)


def _of(project: str, observations: Mapping[ObservationId, Observation]) -> list[Observation]:
    return [seen for (owner, _), seen in observations.items() if owner == project]
