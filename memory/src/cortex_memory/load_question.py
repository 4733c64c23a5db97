"""Loads what a model is asked about an observation, with what its memory holds already."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import structlog
from roxabi_contracts.observation import Observation
from roxabi_contracts.operations import FactRecord, FactStatus

from cortex_memory.embed.port import EmbeddingFailed
from cortex_memory.embed.service import EmbeddingService
from cortex_memory.model import EntityId
from cortex_memory.recall.candidate import FactCandidate
from cortex_memory.recall.search import Meaning, Search
from cortex_memory.retain.current import current_of
from cortex_memory.retain.episode_text import episode_text
from cortex_memory.retain.extract import MODEL_EXTRACTOR
from cortex_memory.retain.journal import CandidateSet
from cortex_memory.retain.question import (
    MAX_KNOWN,
    KnownFact,
    Question,
    asks_the_same,
    is_worth_asking,
)
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.store import candidates, embeddings
from cortex_memory.store.db import Connection, Pool, connection
from cortex_memory.store.evidence import ObservationReader, recorded_candidates
from cortex_memory.store.facts import list_facts
from cortex_memory.store.identities import entities_by_identifier
from cortex_memory.store.jobs import Job
from cortex_memory.store.projects import ProjectKeys

SEARCHED_CHARACTERS: Final = 2_000
"""Of a longer text the beginning decides which facts are near."""

_log = structlog.get_logger()


class QuestionLoader:
    """Loads questions over a pool of connections."""

    def __init__(self, pool: Pool, keys: ProjectKeys, service: EmbeddingService) -> None:
        self._pool = pool
        self._keys = keys
        self._service = service

    async def load(self, job: Job) -> Question | CandidateSet | None:
        """The question, or what was answered to the same about another revision.

        Null: the observation is not current, or nobody speaks in it.
        """
        async with connection(self._pool) as transaction:
            records = await ObservationReader().revisions(transaction, [job])
            revisions = [seen for known in records.values() for seen in known]
            observation = current_of(revisions) if revisions else None
            if observation is None or observation.id != job.observation_id:
                return None
            if not is_worth_asking(observation):
                return None
            answered = await _answered(transaction, observation, revisions)
            if answered is not None:
                return answered
            actors = await self._actors(transaction, observation)
            subject = actors[observation.subject]
            known = await list_facts(
                transaction,
                job.project,
                subject,
                statuses=[FactStatus.ACTIVE],
                limit=MAX_KNOWN + 1,
            )
        if len(known) <= MAX_KNOWN:
            return _question(observation, known, actors)
        return _question(observation, await self._nearest(observation, subject), actors)

    async def _actors(self, transaction: Connection, observation: Observation) -> list[EntityId]:
        """The entity of each actor of the observation."""
        project = observation.project_id
        key = (await self._keys.of(transaction, [project]))[project]
        ids = [identifiers_of(actor, observation, key)[0].id for actor in observation.actors]
        entities = await entities_by_identifier(transaction, {(project, each) for each in ids})
        return [entities.within(project)(each) for each in ids]

    async def _nearest(self, observation: Observation, subject: EntityId) -> list[FactCandidate]:
        """Those active facts of the memory that are nearest to what was said."""
        text = episode_text(observation.payload)[:SEARCHED_CHARACTERS]
        meaning = await self._meaning(text)
        search = Search(observation.project_id, (subject,), None, text, meaning)
        async with connection(self._pool) as transaction:
            found = await candidates.find_facts(transaction, search)
        active = [fact for fact in found if fact.status is FactStatus.ACTIVE]
        return sorted(active, key=_distance)[:MAX_KNOWN]

    async def _meaning(self, text: str) -> Meaning | None:
        """Null: no embedding model answers, and nearness is that of words."""
        embedder = self._service.embedder
        if embedder is None:
            return None
        try:
            vector = (await self._service.embed_passages([text]))[0]
        except EmbeddingFailed as error:
            _log.warning("nearest_by_words", reason=str(error))
            return None
        async with connection(self._pool) as transaction:
            model = await embeddings.register_model(
                transaction, embedder.name, embedder.digest, embedder.dimensions
            )
        return Meaning(model, vector)


async def _answered(
    transaction: Connection, observation: Observation, revisions: Sequence[Observation]
) -> CandidateSet | None:
    """What a model found in another revision in which it saw the same."""
    same = [
        (seen.project_id, seen.id)
        for seen in revisions
        if seen.id != observation.id and asks_the_same(seen, observation)
    ]
    recorded = await recorded_candidates(transaction, same)
    sets = [found for sets in recorded.values() for found in sets]
    answers = [found for found in sets if found.extractor == MODEL_EXTRACTOR]
    if not answers:
        return None
    latest = max(answers, key=lambda found: (found.version, found.observation_id))
    return replace(latest, observation_id=observation.id)


def _distance(fact: FactCandidate) -> tuple[float, float, str]:
    return -(fact.closeness.cosine or 0.0), -(fact.closeness.text_rank or 0.0), fact.id


def _question(
    observation: Observation,
    facts: Sequence[FactRecord | FactCandidate],
    actors: Sequence[EntityId],
) -> Question:
    index = {str(entity): place for place, entity in enumerate(actors)}
    known = tuple(
        KnownFact(
            about=index.get(fact.about, fact.about_name),
            predicate=fact.predicate,
            value=fact.value,
            qualifiers=fact.qualifiers,
        )
        for fact in facts
    )
    return Question(observation, known)
