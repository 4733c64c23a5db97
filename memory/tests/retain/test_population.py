"""The gate of identity: how well people are told apart and found, over all schemes of keys."""

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations
from math import comb

import pytest
from cortex_memory.model import EntityId, Identifier, IdentifierId, IdentityLink
from cortex_memory.retain.components import components
from cortex_memory.retain.entities import EntityMap, entities_of
from cortex_memory.retain.link_identities import links_of
from cortex_memory.retain.propose_links import KnownKey, Proposal, propose
from cortex_memory.retain.resolve_actors import identifiers_of, is_strong
from cortex_memory.retain.turnover import Turnover, census_of
from retain.observing import KEY
from retain.population import Population, Said
from roxabi_contracts.observation import Origin

SIZE, SEED = 400, 20
LEAST_AUTOMATIC_RECALL = 0.8
LEAST_CANDIDATE_RECALL = 0.95


@dataclass(frozen=True, slots=True)
class Resolved:
    """What was made of a population: the entity of each reference, and who was meant."""

    references: list[tuple[EntityId, str]]
    keys: dict[IdentifierId, str]
    """Whose each strong key is that is anybody's own."""
    people: Mapping[EntityId, set[str]]
    entities: EntityMap
    proposals: list[Proposal]


def resolve(said: Collection[Said]) -> Resolved:
    seen = [one.observation for one in said]
    census = census_of((Turnover(one, None) for one in seen), KEY)
    links: list[IdentityLink] = [link for one in seen for link in links_of(one, KEY)]
    owners = {identifiers_of(seen[0].actors[0], seen[0], KEY)[0].id}
    entities = entities_of(census.identifiers.values(), links, owners)
    called: defaultdict[IdentifierId, set[str]] = defaultdict(set)
    kinds: defaultdict[IdentifierId, set[str]] = defaultdict(set)
    for naming in census.namings:
        called[naming.identifier].add(naming.name)
        kinds[naming.identifier].add(naming.kind)
    known = [
        KnownKey(key, entities.entity_of(id), frozenset(called[id]), frozenset(kinds[id]))
        for id, key in census.identifiers.items()
    ]
    references: list[tuple[EntityId, str]] = []
    keys: dict[IdentifierId, str] = {}
    people: defaultdict[EntityId, set[str]] = defaultdict(set)
    for one in said:
        who = one.observation.actors[1]
        found: tuple[Identifier, ...] = identifiers_of(who, one.observation, KEY)
        references.append((entities.entity_of(found[0].id), one.meant[0]))
        for key in found if one.observation.origin is Origin.TRUSTED else found[:1]:
            people[entities.entity_of(key.id)].add(one.meant[0])
        if is_strong(found[0]) and one.meant[0].isdecimal():
            keys[found[0].id] = one.meant[0]
    return Resolved(references, keys, people, entities, propose(known, links))


def pairs_within(groups: Iterable[Hashable]) -> int:
    return sum(comb(count, 2) for count in Counter(groups).values())


@pytest.fixture(scope="module")
def resolved() -> Resolved:
    return resolve(Population(SIZE, SEED).said())


def test_automatic_links_join_nobody_with_anybody_else(resolved: Resolved) -> None:
    joined = pairs_within(entity for entity, _ in resolved.references)
    meant = pairs_within(person for _, person in resolved.references)
    rightly = pairs_within(resolved.references)
    apart = comb(len(resolved.references), 2) - meant - (joined - rightly)
    print(
        f"\n{SIZE} people, {len(resolved.references)} references\n"
        f"pairs of references     joined      apart\n"
        f"of one person       {rightly:10} {meant - rightly:10}\n"
        f"of two people       {joined - rightly:10} {apart:10}\n"
        f"precision {rightly / joined:.4f}  recall {rightly / meant:.3f}"
    )

    assert rightly == joined
    assert rightly / meant >= LEAST_AUTOMATIC_RECALL


def test_candidates_find_whom_no_record_joins(resolved: Resolved) -> None:
    entity_of, person_of = resolved.entities.entity_of, resolved.keys
    people = resolved.people
    right: list[tuple[EntityId, EntityId]] = []
    rules: Counter[tuple[str, bool]] = Counter()
    for one in resolved.proposals:
        ends = (entity_of(one.first), entity_of(one.second))
        is_right = bool(people[ends[0]] & people[ends[1]])
        rules[one.rule, is_right] += 1
        right += [ends] if is_right else []
    found = {
        entity: part
        for part in components(set(map(entity_of, person_of)), right)
        for entity in part
    }
    keys: defaultdict[str, list[IdentifierId]] = defaultdict(list)
    for key, person in person_of.items():
        keys[person].append(key)
    unjoined = [
        (entity_of(first), entity_of(second))
        for own in keys.values()
        for first, second in combinations(own, 2)
        if entity_of(first) != entity_of(second)
    ]
    hits = sum(found[first] == found[second] for first, second in unjoined)
    print("\nrule                     right  wrong")
    for rule in sorted({rule for rule, _ in rules}):
        print(f"{rule:22} {rules[rule, True]:8} {rules[rule, False]:6}")
    print(f"{len(unjoined)} pairs of keys no record joins, {hits} found")
    print(f"recall {hits / len(unjoined):.3f}  precision {len(right) / rules.total():.3f}")

    assert len(unjoined) >= 150
    assert hits / len(unjoined) >= LEAST_CANDIDATE_RECALL


def test_no_order_of_arrival_shows(resolved: Resolved) -> None:
    again = resolve(Population(SIZE, SEED).said()[::-1])

    assert again.entities.entities == resolved.entities.entities
    assert again.proposals == resolved.proposals
