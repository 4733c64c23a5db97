"""Candidates: pairs of entities that may be one person, with the reason, for a person to judge.

They follow from the keys, names and links of the moment alone, so that no order of arrival shows,
and none is left once what it rests on is gone. Nothing here joins anything.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, product
from typing import Final, TypeAlias

from cortex_memory.model import (
    EntityId,
    Identifier,
    IdentifierId,
    IdentityLink,
    LinkRelation,
    LinkStatus,
)
from cortex_memory.retain.compare_people import Called, Features, compare, features_of
from cortex_memory.retain.link_identities import DECLARED_RULE, Pair, pair_of, standing_links
from cortex_memory.retain.name_attendees import (
    FIRST_NAME_RULE,
    FIRST_NAME_SCORE,
    Attendance,
    attendees_called,
)
from cortex_memory.retain.person_names import folded_name, is_machine
from cortex_memory.retain.resolve_actors import NAME_SCHEME, SOURCE_SCHEME

LIKENESS_VERSION: Final = 1
_LARGEST_BLOCK: Final = 40
"""A trait of more keys than this says nothing about one of them."""
_PERSON: Final = "person"
_JUDGED: Final = {LinkStatus.CONFIRMED, LinkStatus.REJECTED, LinkStatus.REVOKED}

_Entities: TypeAlias = tuple[EntityId, EntityId]


@dataclass(frozen=True, slots=True)
class KnownKey:
    """An identifier as it is known now: its entity, and what it is called."""

    identifier: Identifier
    entity: EntityId
    names: frozenset[str] = frozenset()
    kinds: frozenset[str] = frozenset()

    @property
    def may_be_a_person(self) -> bool:
        """Whether nothing says that it is anything else."""
        return (
            self.identifier.scheme != SOURCE_SCHEME
            and self.kinds <= {_PERSON}
            and not any(map(is_machine, self.names))
        )


@dataclass(frozen=True, slots=True)
class Proposal:
    """Two identifiers of two entities that may be one person; the best comes first."""

    first: IdentifierId
    second: IdentifierId
    rule: str
    rule_version: int
    score: float
    evidence: tuple[str, ...]


def propose(
    keys: Sequence[KnownKey],
    links: Iterable[IdentityLink],
    attending: Iterable[Attendance] = (),
    project_key: bytes = b"",
) -> list[Proposal]:
    """The best reason for each pair of entities that nobody has judged, the likeliest first.

    `attending` tells who takes part where, for what is called there by a first name alone.
    """
    standing = standing_links(links)
    persons = [key for key in keys if key.may_be_a_person]
    entity_of = {key.identifier.id: key.entity for key in persons}
    judged = {
        _entities(pair, entity_of)
        for pair, link in standing.items()
        if _is_judged(link) and pair[0] in entity_of and pair[1] in entity_of
    }
    best: dict[_Entities, Proposal] = {}
    called = _called(persons, attending, project_key)
    for proposal in (*_stated(standing), *_alike(persons), *called):
        if proposal.first not in entity_of or proposal.second not in entity_of:
            continue
        entities = _entities((proposal.first, proposal.second), entity_of)
        if entities[0] == entities[1] or entities in judged:
            continue
        if entities not in best or _rank(proposal) < _rank(best[entities]):
            best[entities] = proposal
    return sorted(best.values(), key=_rank)


def _rank(proposal: Proposal) -> tuple[float, IdentifierId, IdentifierId, str]:
    return (-proposal.score, proposal.first, proposal.second, proposal.rule)


def _entities(pair: Pair, entity_of: Mapping[IdentifierId, EntityId]) -> _Entities:
    first, second = sorted((entity_of[pair[0]], entity_of[pair[1]]))
    return first, second


def _is_judged(link: IdentityLink) -> bool:
    """Whether a person has said that the two are not one, or are no longer to be one."""
    if link.relation is LinkRelation.DISTINCT:
        return link.status is LinkStatus.CONFIRMED
    return link.status in _JUDGED


def _stated(standing: Mapping[Pair, IdentityLink]) -> Iterator[Proposal]:
    """What somebody states of two keys, where it has not joined them."""
    for (first, second), link in standing.items():
        if link.relation is not LinkRelation.SAME or link.status in _JUDGED:
            continue
        said = (
            "one record states both, of a source that is not trusted to join them"
            if link.rule == DECLARED_RULE
            else "a trusted record states both; to join them is left to a person"
        )
        score = 0.7 if link.rule == DECLARED_RULE else 0.92
        yield Proposal(first, second, link.rule, link.rule_version, score, (said,))


def _called(
    persons: Sequence[KnownKey], attending: Iterable[Attendance], project_key: bytes
) -> Iterator[Proposal]:
    """Whom a first name may mean among those who take part where it is said."""
    bare = defaultdict[str, set[IdentifierId]](set)
    names = defaultdict[EntityId, set[str]](set)
    entity_of: dict[IdentifierId, EntityId] = {}
    for key in persons:
        if key.identifier.scheme == NAME_SCHEME:
            word = folded_name(key.identifier.value)
            if word and " " not in word:
                bare[word].add(key.identifier.id)
        else:
            entity_of[key.identifier.id] = key.entity
            names[key.entity] |= key.names
    for one in attendees_called(bare, attending, entity_of, names, project_key) if bare else ():
        said = (f"the only one called {one.name} who takes part where the name is said",)
        first, second = pair_of(one.mention, one.attendee)
        yield Proposal(first, second, FIRST_NAME_RULE, LIKENESS_VERSION, FIRST_NAME_SCORE, said)


def _alike(persons: Sequence[KnownKey]) -> Iterator[Proposal]:
    """What the spelling of keys and names says; of each pair that shares a trait, once."""
    features = _features_by_id(persons)
    entity_of = {key.identifier.id: key.entity for key in persons}
    platforms = defaultdict[EntityId, set[str]](set)
    sharing = defaultdict[tuple[str, str], list[IdentifierId]](list)
    for id, found in features.items():
        if found.scheme.startswith("account:"):
            platforms[entity_of[id]].add(found.scheme)
        for trait in set(found.traits()):
            sharing[trait].append(id)
    bearers = _bearers(features.values(), entity_of)
    mentions = frozenset(id for id, found in features.items() if found.scheme == NAME_SCHEME)
    pairs = {
        pair_of(first, second)
        for together in sharing.values()
        if len(together) <= _LARGEST_BLOCK
        for first, second in _pairs(together, mentions)
        if entity_of[first] != entity_of[second]
        and platforms[entity_of[first]].isdisjoint(platforms[entity_of[second]])
    }
    for first, second in sorted(pairs):
        likeness = compare(features[first], features[second], bearers)
        if likeness is not None:
            rule, score, said = likeness.rule.value, likeness.score, likeness.evidence
            yield Proposal(first, second, rule, LIKENESS_VERSION, score, said)


def _pairs(together: Sequence[IdentifierId], mentions: frozenset[IdentifierId]) -> Iterator[Pair]:
    """Every pair of these but those of two mentions, of which a name alone tells nothing."""
    keys = [one for one in together if one not in mentions]
    yield from combinations(keys, 2)
    yield from product(keys, mentions.intersection(together))


def _bearers(
    features: Iterable[Features], entity_of: Mapping[IdentifierId, EntityId]
) -> dict[str, int]:
    """How many people each name may mean at the least: so many have a key of one scheme.

    All that is delivered to one mailbox is one, and an address that a forge gives out is none.
    """
    found = defaultdict[tuple[str, str], set[str]](set)
    for one in features:
        own = one.mailbox or one.domain is not None or one.scheme != "email"
        if one.scheme == NAME_SCHEME or not own:
            continue
        for name in one.names:
            found[name, one.scheme].add(one.mailbox or entity_of[one.id])
    counts: dict[str, int] = {}
    for (name, _), several in found.items():
        counts[name] = max(counts.get(name, 0), len(several))
    return counts


def _features_by_id(persons: Sequence[KnownKey]) -> dict[IdentifierId, Features]:
    """What of each key can be compared; it is called what any key of its entity is."""
    names = defaultdict[EntityId, set[str]](set)
    for key in persons:
        names[key.entity] |= key.names
        if key.identifier.scheme == NAME_SCHEME:
            names[key.entity].add(key.identifier.value)
    called = {entity: Called.by(known) for entity, known in names.items()}
    found: dict[IdentifierId, Features] = {}
    for key in persons:
        features = features_of(key.identifier, called[key.entity])
        if features is not None:
            found[key.identifier.id] = features
    return found
