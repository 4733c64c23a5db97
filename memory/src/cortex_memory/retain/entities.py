"""The entities that identifiers make: connected components of the links that hold."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Set
from typing import Final, TypeAlias

from cortex_memory.model import Entity, EntityId, Identifier, IdentifierId, IdentityLink
from cortex_memory.retain.components import components
from cortex_memory.retain.link_identities import Pair, is_sure, joins, parts, standing_links
from cortex_memory.retain.resolve_actors import is_passed_on

_MAX_COMPONENT: Final = 64

_Known: TypeAlias = Mapping[IdentifierId, Identifier]


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
    joining = [pair for pair, link in standing.items() if joins(link)]
    sure = [pair for pair, link in standing.items() if joins(link) and is_sure(link)]
    apart = defaultdict[IdentifierId, set[IdentifierId]](set)
    for (first, second), link in standing.items():
        if parts(link):
            apart[first].add(second)
    found: list[Entity] = []
    for component in components(known, _without_shared_keys(known, joining, sure)):
        is_refused = (
            len(component) > _MAX_COMPONENT
            or not component.isdisjoint(owners)
            or any(not component.isdisjoint(apart.get(member, ())) for member in component)
            or _has_two_of_one_platform(known[member] for member in component)
        )
        pieces = components(component, sure) if is_refused else [component]
        found.extend(_entity(piece) for piece in pieces)
    return EntityMap(found)


def _without_shared_keys(
    known: _Known, joining: Iterable[Pair], sure: Iterable[Pair]
) -> list[Pair]:
    """Leave out what records say of a key that they say of several people.

    A phone, a page or a handle that joins two parts which both have a key of one scheme is of
    both: it tells nobody apart, so that no record joins it with anybody.
    """
    certain = set(sure)
    loose = defaultdict[IdentifierId, list[Pair]](list)
    for pair in joining:
        for end in pair:
            if pair not in certain and _is_passed_on(known.get(end)):
                loose[end].append(pair)
    if not loose:
        return list(joining)
    fixed = [pair for pair in joining if not any(pair in loose.get(end, ()) for end in pair)]
    part_of = {member: component for component in components(known, fixed) for member in component}
    dropped: set[Pair] = set()
    for key, pairs in loose.items():
        joined = {part_of[end] for pair in pairs for end in pair if end in known}
        if _is_shared(joined, key, known):
            dropped.update(pairs)
    return [pair for pair in joining if pair not in dropped]


def _is_passed_on(key: Identifier | None) -> bool:
    return key is not None and is_passed_on(key.scheme, key.value)


def _is_shared(joined: Set[frozenset[IdentifierId]], key: IdentifierId, known: _Known) -> bool:
    schemes = Counter(
        scheme for part in joined for scheme in {known[member].scheme for member in part - {key}}
    )
    return any(count > 1 for count in schemes.values())


def _has_two_of_one_platform(identifiers: Iterable[Identifier]) -> bool:
    schemes = Counter(identifier.scheme for identifier in identifiers)
    return any(count > 1 for scheme, count in schemes.items() if scheme.startswith("account:"))


def _entity(members: frozenset[IdentifierId]) -> Entity:
    ordered = tuple(sorted(members))
    return Entity(id=EntityId(ordered[0]), members=ordered)
