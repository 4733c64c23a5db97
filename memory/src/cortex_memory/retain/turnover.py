"""What a new revision changes in who is named, and by which names."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.observation import Observation

from cortex_memory.model import Identifier, IdentifierId, IdentityLink
from cortex_memory.retain.current import current_of
from cortex_memory.retain.link_identities import links_of
from cortex_memory.retain.resolve_actors import identifiers_of


@dataclass(frozen=True, slots=True)
class Turnover:
    """Of one key: the observation that counts from now on, and the one that counts no longer."""

    entering: Observation | None
    leaving: Observation | None


def turnover(
    revisions: Sequence[Observation], counted: str | None, *, withdrawn: bool = False
) -> Turnover:
    """Compare what counts with what should.

    Args:
        revisions: All revisions of one key, at least one.
        counted: The id of the one that counts so far, if any does.
        withdrawn: Whether none of them counts.
    """
    current = current_of(revisions)
    leaving = next((known for known in revisions if known.id == counted), None)
    if withdrawn:
        return Turnover(None, leaving)
    if current.id == counted:
        return Turnover(None, None)
    return Turnover(None if current.deleted else current, leaving)


@dataclass(frozen=True, slots=True)
class Naming:
    """A name by which observations call an identifier."""

    identifier: IdentifierId
    kind: str
    name: str


@dataclass(slots=True)
class Census:
    """How many more, or fewer, current observations of a project name, link and call whom."""

    identifiers: dict[IdentifierId, Identifier] = field(
        default_factory=dict[IdentifierId, Identifier]
    )
    observations: Counter[IdentifierId] = field(default_factory=Counter[IdentifierId])
    memories: Counter[IdentifierId] = field(default_factory=Counter[IdentifierId])
    links: Counter[IdentityLink] = field(default_factory=Counter[IdentityLink])
    namings: Counter[Naming] = field(default_factory=Counter[Naming])


def census_of(turnovers: Iterable[Turnover], project_key: bytes) -> Census:
    """The sum of what the turnovers of one project change."""
    census = Census()
    for change in turnovers:
        if change.entering is not None:
            _count(census, change.entering, project_key, 1)
        if change.leaving is not None:
            _count(census, change.leaving, project_key, -1)
    return census


def _count(census: Census, observation: Observation, project_key: bytes, weight: int) -> None:
    named: dict[IdentifierId, Identifier] = {}
    for index, actor in enumerate(observation.actors):
        identifiers = identifiers_of(actor, observation, project_key)
        named.update({identifier.id: identifier for identifier in identifiers})
        if index == observation.subject:
            census.memories[identifiers[0].id] += weight
        _count_names(census, actor, identifiers, weight)
    for identity, identifier in named.items():
        census.observations[identity] += weight
        known = census.identifiers.get(identity, identifier)
        census.identifiers[identity] = min(known, identifier, key=lambda seen: seen.value)
    for link in set(links_of(observation, project_key)):
        census.links[link] += weight


def _count_names(
    census: Census, actor: ActorRef, identifiers: Iterable[Identifier], weight: int
) -> None:
    if actor.name is None or not actor.name.strip():
        return
    for identifier in identifiers:
        census.namings[Naming(identifier.id, actor.kind.value, actor.name)] += weight


def is_growth(census: Census) -> bool:
    """Whether nobody is named or linked less than before."""
    counts = chain(census.observations.values(), census.memories.values(), census.links.values())
    return all(count >= 0 for count in counts)
