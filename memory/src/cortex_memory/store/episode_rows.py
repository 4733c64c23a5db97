"""Current observations as they are stored for search, and the relations that they state."""

from dataclasses import dataclass

from roxabi_contracts.ids import content_id
from roxabi_contracts.observation import Observation

from cortex_memory.lexical.documents import terms_of_episode
from cortex_memory.retain.assertions import EntityOf, observation_key
from cortex_memory.retain.episode_text import author_of, episode_text, is_spoken
from cortex_memory.retain.relations import relations_of
from cortex_memory.retain.resolve_actors import identifiers_of


@dataclass(frozen=True, slots=True)
class RelationRow:
    """A relation between two identifiers, as one observation states it."""

    project: str
    subject: str
    origin: str
    kind: str
    target: str
    observation_id: str
    origin_scheme: str
    origin_value: str
    target_scheme: str
    target_value: str
    said_at: int


@dataclass(frozen=True, slots=True)
class EpisodeRow:
    """A current observation, as search and excerpts read it."""

    project: str
    subject: str
    observation_id: str
    subject_identifier: str
    source: str
    source_ref: str
    record: str
    category: str
    said_at: int
    trace: str | None
    author: str | None
    author_name: str | None
    text: str
    terms: str | None
    embeddable: bool
    origin: str


def episode_row(seen: Observation, project_key: bytes, entity_of: EntityOf) -> EpisodeRow:
    """A current observation, as it is stored for search."""
    key = observation_key(seen, project_key)
    author = author_of(seen)
    author_name = None if author is None else author.name
    text = episode_text(seen.payload)
    return EpisodeRow(
        project=seen.project_id,
        subject=entity_of(key.subject),
        observation_id=seen.id,
        subject_identifier=key.subject,
        source=seen.source,
        source_ref=seen.source_ref,
        record=record_digest(seen.source, seen.source_ref),
        category=seen.category.value,
        said_at=seen.timestamp,
        trace=seen.correlation.trace_id,
        author=None if author is None else identifiers_of(author, seen, project_key)[0].id,
        author_name=author_name,
        text=text,
        terms=terms_of_episode(author_name, text),
        embeddable=is_spoken(seen),
        origin=seen.origin.value,
    )


def relation_rows(seen: Observation, subject: str, project_key: bytes) -> list[RelationRow]:
    """Who has to do with whom, as a current observation in this memory states it."""
    return [
        RelationRow(
            project=seen.project_id,
            subject=subject,
            origin=edge.origin.id,
            kind=edge.kind.value,
            target=edge.target.id,
            observation_id=seen.id,
            origin_scheme=edge.origin.scheme,
            origin_value=edge.origin.value,
            target_scheme=edge.target.scheme,
            target_value=edge.target.value,
            said_at=seen.timestamp,
        )
        for edge in relations_of(seen, project_key)
    ]


def record_digest(source: str, source_ref: str) -> str:
    """What finds all revisions of one record of a source."""
    return content_id(source, source_ref)
