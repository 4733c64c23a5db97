"""The identity of actors: identifiers, and the entities that links make of them."""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Set
from functools import lru_cache
from typing import TypeAlias

from roxabi_contracts.actor import ActorRef
from roxabi_contracts.observation import Observation, Origin

from cortex_memory.model import (
    Entity,
    EntityId,
    Identifier,
    IdentifierId,
    IdentityLink,
    JournalId,
    LinkRelation,
    LinkStatus,
    ProjectId,
)
from cortex_memory.retain.components import components
from cortex_memory.retain.values import keyed_digest

NAME_SCHEME = "name"
SOURCE_SCHEME = "source"
CONFIGURED_RULE = "configured_owner"
RECORD_RULE = "one_record"

_MAX_COMPONENT = 64
_RULE_VERSION = 1
_PERSONS = {LinkStatus.CONFIRMED, LinkStatus.REJECTED, LinkStatus.REVOKED}
_JOINING = {LinkStatus.AUTOMATIC, LinkStatus.CONFIRMED}

_Pair: TypeAlias = tuple[IdentifierId, IdentifierId]


def identifiers_of(
    actor: ActorRef, observation: Observation, project_key: bytes
) -> tuple[Identifier, ...]:
    """The strong keys of an actor as listed, else its name, which counts inside its trace."""
    project = observation.project_id
    strong = tuple(
        Identifier(
            id=_strong_id(project, key.scheme, key.value, project_key),
            scheme=key.scheme,
            value=key.value,
        )
        for key in actor.identifiers
    )
    return strong or (named(actor.name or actor.kind.value, observation, project_key),)


def first_identifier(actor: ActorRef, observation: Observation, project_key: bytes) -> IdentifierId:
    """The id of the first of `identifiers_of`."""
    if not actor.identifiers:
        return identifiers_of(actor, observation, project_key)[0].id
    key = actor.identifiers[0]
    return _strong_id(observation.project_id, key.scheme, key.value, project_key)


def named(name: str, observation: Observation, project_key: bytes) -> Identifier:
    """The identifier of a bare name; without a trace it counts inside its observation."""
    trace = observation.correlation.trace_id
    place = ("trace", trace) if trace is not None else ("ref", observation.source_ref)
    folded = unicodedata.normalize("NFC", " ".join(name.split()).casefold())
    digest = keyed_digest(
        project_key, observation.project_id, NAME_SCHEME, observation.source, *place, folded
    )
    return Identifier(id=IdentifierId(digest), scheme=NAME_SCHEME, value=name)


def source_of(observation: Observation, project_key: bytes) -> Identifier:
    """The identifier of a source that speaks by itself."""
    source = observation.source
    digest = keyed_digest(project_key, observation.project_id, SOURCE_SCHEME, source)
    return Identifier(id=IdentifierId(digest), scheme=SOURCE_SCHEME, value=source)


def is_strong(identifier: Identifier) -> bool:
    """Whether the identifier names the same actor wherever it occurs."""
    return identifier.scheme not in (NAME_SCHEME, SOURCE_SCHEME)


def strong_identifier(project: str, scheme: str, value: str, project_key: bytes) -> Identifier:
    """The identifier of a strong key, however it is spelled."""
    return Identifier(_strong_id(project, scheme, value, project_key), scheme, value)


@lru_cache(maxsize=4096)  # an observation's actors are looked at again and again
def _strong_id(project: str, scheme: str, value: str, project_key: bytes) -> IdentifierId:
    spelled = unicodedata.normalize("NFC", value.strip())
    if scheme == "email":
        spelled = spelled.casefold()
    elif scheme == "phone":
        spelled = re.sub(r"[^\d+]", "", spelled)
    return IdentifierId(keyed_digest(project_key, project, scheme, spelled))


def links_of(observation: Observation, project_key: bytes) -> tuple[IdentityLink, ...]:
    """What a trusted observation says of its actors' keys: one record states several."""
    if observation.origin is not Origin.TRUSTED:
        return ()
    links: list[IdentityLink] = []
    for index, actor in enumerate(observation.actors):
        first, *others = identifiers_of(actor, observation, project_key)
        rule = CONFIGURED_RULE if index == observation.subject else RECORD_RULE
        links += [
            _automatic_link(observation.project_id, first, other, rule, project_key)
            for other in others
            if other.id != first.id
        ]
    return tuple(links)


def _automatic_link(
    project: str, first: Identifier, second: Identifier, rule: str, project_key: bytes
) -> IdentityLink:
    return IdentityLink(
        id=JournalId(keyed_digest(project_key, first.id, second.id, rule, _RULE_VERSION)),
        at=0,
        project=ProjectId(project),
        first=first.id,
        second=second.id,
        relation=LinkRelation.SAME,
        status=LinkStatus.AUTOMATIC,
        rule=rule,
        rule_version=_RULE_VERSION,
    )


class EntityMap:
    """Which entity each identifier belongs to; one without links is an entity of its own."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self.entities = tuple(sorted(entities, key=lambda entity: entity.id))
        self._entity_of = {
            member: entity.id for entity in self.entities for member in entity.members
        }

    def entity_of(self, identifier: IdentifierId) -> EntityId:
        """The id that every one of the entity's identifiers redirects to."""
        return self._entity_of.get(identifier, EntityId(identifier))


def entities_of(
    identifiers: Iterable[Identifier], links: Iterable[IdentityLink], owners: Set[IdentifierId]
) -> EntityMap:
    """Make entities of identifiers; `owners` own a memory.

    A refused component falls back to what persons confirmed and owners configured.
    """
    known = {identifier.id: identifier for identifier in identifiers}
    standing = standing_links(links)
    joining = [pair for pair, link in standing.items() if _joins(link)]
    sure = [pair for pair, link in standing.items() if _joins(link) and _is_sure(link)]
    apart = defaultdict[IdentifierId, set[IdentifierId]](set)
    for (first, second), link in standing.items():
        if link.relation is LinkRelation.DISTINCT and link.status is LinkStatus.CONFIRMED:
            apart[first].add(second)
    found: list[Entity] = []
    for component in components(known, joining):
        is_refused = (
            len(component) > _MAX_COMPONENT
            or not component.isdisjoint(owners)
            or any(not component.isdisjoint(apart.get(member, ())) for member in component)
            or _has_two_of_one_platform(known[member] for member in component)
        )
        parts = components(component, sure) if is_refused else [component]
        found.extend(_entity(part) for part in parts)
    return EntityMap(found)


def standing_links(links: Iterable[IdentityLink]) -> dict[_Pair, IdentityLink]:
    """The link that holds for each pair: a person's before an automatic one, then the latest."""
    latest: dict[_Pair, IdentityLink] = {}
    for link in sorted(links, key=_link_rank):
        first, second = sorted((link.first, link.second))
        latest[first, second] = link
    return latest


def _link_rank(link: IdentityLink) -> tuple[bool, int, bool, str]:
    return (link.status in _PERSONS, link.at, link.rule == CONFIGURED_RULE, link.id)


def _joins(link: IdentityLink) -> bool:
    return link.relation is LinkRelation.SAME and link.status in _JOINING


def _is_sure(link: IdentityLink) -> bool:
    return link.status is LinkStatus.CONFIRMED or link.rule == CONFIGURED_RULE


def _has_two_of_one_platform(identifiers: Iterable[Identifier]) -> bool:
    schemes = Counter(identifier.scheme for identifier in identifiers)
    return any(count > 1 for scheme, count in schemes.items() if scheme.startswith("account:"))


def _entity(members: frozenset[IdentifierId]) -> Entity:
    ordered = tuple(sorted(members))
    return Entity(id=EntityId(ordered[0]), members=ordered)
