"""The whole memory of a project as a function of its journal and a moment: the reference."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from roxabi_contracts.observation import Observation
from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.model import (
    Assertion,
    ConflictSet,
    Decision,
    Entity,
    EntityId,
    Erasure,
    Fact,
    Identifier,
    IdentifierId,
    IdentityLink,
    ObservationKey,
    PredicateVerdict,
    SlotState,
)
from cortex_memory.retain.assertions import assertions_of, observation_key, weighed
from cortex_memory.retain.current import current_of
from cortex_memory.retain.entities import EntityMap, entities_of
from cortex_memory.retain.group import (
    Scope,
    decisions_by_assertion,
    decisions_on,
    fold_group,
    together,
)
from cortex_memory.retain.identify import group_of, name_components, standing_verdicts
from cortex_memory.retain.link_identities import links_of
from cortex_memory.retain.rebind import Rebinder
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.retain.validate import ExtractedFact
from cortex_memory.retain.withdrawal import AnyWithdrawal, Withdrawals


@dataclass(frozen=True, slots=True)
class CandidateSet:
    """What one version of an extractor found in an observation, recorded once."""

    observation_id: str
    extractor: str
    version: int
    facts: tuple[ExtractedFact, ...]


@dataclass(frozen=True, slots=True)
class Journal:
    """The six append-only sets of one project, in any order, and what erasures left of them."""

    observations: tuple[Observation, ...] = ()
    candidates: tuple[CandidateSet, ...] = ()
    verdicts: tuple[PredicateVerdict, ...] = ()
    links: tuple[IdentityLink, ...] = ()
    decisions: tuple[Decision, ...] = ()
    erasures: tuple[Erasure | AnyWithdrawal, ...] = ()
    kept: tuple[Assertion, ...] = ()
    """What is left of observations whose content was erased."""


@dataclass(frozen=True, slots=True)
class JournalState:
    """What memory says, each part sorted by id; `next_due` is when time alone changes it next."""

    facts: tuple[Fact, ...]
    conflicts: tuple[ConflictSet, ...]
    entities: tuple[Entity, ...]
    next_due: int | None


def fold_journal(
    journal: Journal,
    *,
    catalogue: PredicateCatalogue,
    project_key: bytes,
    now: int,
    with_scheduled: bool = True,
) -> JournalState:
    """Compute everything from the journal; `with_scheduled=False` is memory as of `now`."""
    observations = current_observations(journal, project_key)
    entities = _entities(journal, observations, project_key)
    facts_of = _candidates_by_observation(journal.candidates)
    assertions = [
        assertion
        for observation in observations
        for assertion in assertions_of(
            observation,
            facts_of.get(observation.id, ()),
            project_key=project_key,
            catalogue=catalogue,
            entity_of=entities.entity_of,
        )
    ]
    standing = {observation.id for observation in observations}
    assertions += [
        weighed(kept, entities.entity_of)
        for kept in journal.kept
        if kept.observation_id in standing
    ]
    state = _fold_assertions(journal, assertions, entities, catalogue, now, with_scheduled)
    return JournalState(state.facts, state.conflicts, entities.entities, state.next_due)


def current_observations(journal: Journal, project_key: bytes) -> list[Observation]:
    """The current revision of every key that is neither withdrawn nor deleted by its source."""
    rows = (row for row in journal.erasures if not isinstance(row, Erasure))
    withdrawals = Withdrawals(rows)
    revisions: defaultdict[ObservationKey, list[Observation]] = defaultdict(list)
    for observation in journal.observations:
        revisions[observation_key(observation, project_key)].append(observation)
    standing = map(current_of, revisions.values())
    return [
        current
        for current in standing
        if not current.deleted and withdrawals.covering(current, project_key) is None
    ]


def _candidates_by_observation(
    candidates: Iterable[CandidateSet],
) -> Mapping[str, list[ExtractedFact]]:
    """Of each observation, what the highest version of every extractor found."""
    highest: dict[tuple[str, str], CandidateSet] = {}
    for found in candidates:
        lane = (found.observation_id, found.extractor)
        if lane not in highest or highest[lane].version < found.version:
            highest[lane] = found
    facts: defaultdict[str, list[ExtractedFact]] = defaultdict(list)
    for (observation_id, _), found in highest.items():
        facts[observation_id].extend(found.facts)
    return facts


def _entities(
    journal: Journal, observations: Iterable[Observation], project_key: bytes
) -> EntityMap:
    identifiers: list[Identifier] = []
    links = list(journal.links)
    owners: set[IdentifierId] = set()
    for observation in observations:
        links.extend(links_of(observation, project_key))
        for index, actor in enumerate(observation.actors):
            known = identifiers_of(actor, observation, project_key)
            identifiers.extend(known)
            if index == observation.subject:
                owners.add(known[0].id)
    return entities_of(identifiers, links, owners)


def _fold_assertions(
    journal: Journal,
    assertions: list[Assertion],
    entities: EntityMap,
    catalogue: PredicateCatalogue,
    now: int,
    with_scheduled: bool,
) -> SlotState:
    verdicts = standing_verdicts(journal.verdicts)
    rebinder = Rebinder(assertions)
    decisions = decisions_by_assertion(map(rebinder.rebound, journal.decisions))
    erasures = _erasures_by_scope(journal.erasures, entities.entity_of)
    by_scope: defaultdict[Scope, list[Assertion]] = defaultdict(list)
    for assertion in assertions:
        by_scope[_scope_of(assertion, entities)].append(assertion)
    return together(
        fold_group(
            scope,
            group_of(names, members, catalogue),
            members,
            decisions=decisions_on(members, decisions),
            erasures=erasures.get(scope, ()),
            now=now,
            with_scheduled=with_scheduled,
        )
        for scope, said in by_scope.items()
        for names in name_components({a.predicate for a in said}, verdicts, catalogue)
        for members in [[a for a in said if a.predicate in names]]
    )


def _scope_of(assertion: Assertion, entities: EntityMap) -> Scope:
    return Scope(
        project=assertion.key.project,
        subject=entities.entity_of(assertion.key.subject),
        about=entities.entity_of(assertion.about),
    )


def _erasures_by_scope(
    rows: Iterable[Erasure | AnyWithdrawal], entity_of: Callable[[IdentifierId], EntityId]
) -> Mapping[Scope, list[Erasure]]:
    found: defaultdict[Scope, list[Erasure]] = defaultdict(list)
    for row in rows:
        if isinstance(row, Erasure):
            scope = Scope(row.project, entity_of(row.subject), entity_of(row.about))
            found[scope].append(row)
    return found
