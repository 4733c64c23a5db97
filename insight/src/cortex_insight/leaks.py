"""Secrets that an earlier sanitiser left in what it let out, and how they are called back."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from roxabi_contracts import MadeBy, Observation
from roxabi_contracts.actor import Identifier

from cortex_insight.outbox import observation_message
from cortex_insight.parser import Draft
from cortex_insight.reading import Reading
from cortex_insight.sanitise import Sanitiser

ERASED_AT_ONCE: Final = 1000

SanitiserOf = Callable[[str], Sanitiser]
"""By the token of a source."""


class Record(NamedTuple):
    """Which record of which source, in whose memory."""

    project: str
    source: str
    source_ref: str
    owner: tuple[Identifier, ...]


@dataclass(frozen=True)
class Leaks:
    """Observations that hold what is known as a secret by now."""

    by_record: Mapping[Record, Sequence[Observation]] = field(
        default_factory=dict[Record, Sequence[Observation]]
    )
    """By the record that each is about, as it is named without secrets."""

    def ids(self, record: Record) -> tuple[str, ...]:
        """What is to be erased of a record."""
        found = {observation.id for observation in self.by_record.get(record, ())}
        return tuple(sorted(found))[:ERASED_AT_ONCE]

    def observations(self) -> list[Observation]:
        """All of them."""
        return [each for leaked in self.by_record.values() for each in leaked]


def record_of(observation: Observation) -> Record:
    """What an observation is about."""
    owner = observation.actors[observation.subject].identifiers
    return Record(observation.project_id, observation.source, observation.source_ref, owner)


def clean_record(observation: Observation, sanitiser: Sanitiser) -> Record:
    """The same without secrets."""
    return _record(observation, sanitiser.sanitise(_draft_of(observation)))


def find_leaks(observations: Iterable[Observation], sanitiser_of: SanitiserOf) -> Leaks:
    """Those of the observations that a sanitiser would not let out as they are."""
    found: defaultdict[Record, list[Observation]] = defaultdict(list)
    for observation in observations:
        draft = _draft_of(observation)
        clean = sanitiser_of(observation.source).sanitise(draft)
        if clean != draft:
            found[_record(observation, clean)].append(observation)
    return Leaks(found)


def calling_back(reading: Reading, leaks: Leaks) -> Reading:
    """The same reading, whose observations erase what leaked about their records."""
    if not any(record_of(observation) in leaks.by_record for observation in reading.observations):
        return reading
    told = [call_back(observation, leaks) for observation in reading.observations]
    messages = tuple(map(observation_message, told))
    return replace(reading, observations=tuple(told), messages=messages)


def call_back(observation: Observation, leaks: Leaks) -> Observation:
    """The same observation, which erases what leaked about its record."""
    return observation.model_copy(update={"erases": leaks.ids(record_of(observation))})


def withdraw(
    previous: Observation, made_by: MadeBy, sanitiser: Sanitiser, leaks: Leaks
) -> Observation:
    """The same record, standing for nothing: a later reading of its event no longer says it."""
    clean = sanitiser.sanitise(_draft_of(previous))
    return Observation.of(
        clean.payload,
        project_id=previous.project_id,
        source=previous.source,
        source_ref=clean.source_ref,
        timestamp=clean.timestamp,
        actors=clean.actors,
        subject=clean.subject,
        origin=previous.origin,
        made_by=made_by,
        correlation=clean.correlation,
        sequence=clean.sequence,
        revision=clean.revision,
        deleted=True,
        erases=leaks.ids(_record(previous, clean)),
    )


def _record(observation: Observation, clean: Draft) -> Record:
    owner = clean.actors[clean.subject].identifiers
    return Record(observation.project_id, observation.source, clean.source_ref, owner)


def _draft_of(observation: Observation) -> Draft:
    """All that an observation says which came from the source."""
    return Draft(
        payload=observation.payload,
        source_ref=observation.source_ref,
        timestamp=observation.timestamp,
        actors=observation.actors,
        subject=observation.subject,
        topic=observation.topic,
        sentiment=observation.sentiment,
        correlation=observation.correlation,
        sequence=observation.sequence,
        revision=observation.revision,
        deleted=observation.deleted,
    )
