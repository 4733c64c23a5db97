"""What revisions of records said, whether or not they count."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import chain

from roxabi_contracts.observation import Observation

from cortex_memory.model import ObservationKey
from cortex_memory.place_said import PlaceJob
from cortex_memory.refold_job import Rules
from cortex_memory.retain.assertions import assertions_of, observation_key
from cortex_memory.retain.current import current_of
from cortex_memory.retain.placing import GroupKey, within_reach
from cortex_memory.retain.resolve_actors import identifiers_of
from cortex_memory.store.db import Connection
from cortex_memory.store.evidence import (
    ObservationId,
    groups_of_observations,
    recorded_candidates,
)
from cortex_memory.store.identities import entities_by_identifier


async def groups_ever_said(
    transaction: Connection, rules: Rules, observations: Mapping[ObservationId, Observation]
) -> set[GroupKey]:
    """Every group in which these said something, or would have if they had counted."""
    recorded = await recorded_candidates(transaction, observations)
    named = {
        (project, identifier.id)
        for (project, _), seen in observations.items()
        for actor in seen.actors
        for identifier in identifiers_of(actor, seen, rules.keys[project])
    }
    entities = await entities_by_identifier(transaction, named)
    said = [
        assertion
        for (project, observation_id), seen in observations.items()
        for assertion in assertions_of(
            seen,
            chain.from_iterable(each.facts for each in recorded.get((project, observation_id), ())),
            project_key=rules.keys[project],
            catalogue=rules.catalogue,
            entity_of=entities.within(project),
        )
    ]
    places = PlaceJob(transaction, rules.catalogue, rules.judge)
    arrivals = await places.arrivals((), said, may_stray=False)
    groups = within_reach(arrivals.newly, (), arrivals.families)
    return groups | await groups_of_observations(transaction, observations)


def records_without_others(
    revisions: Iterable[Observation], names: Collection[str], keys: Mapping[str, bytes]
) -> set[ObservationKey]:
    """The records of which nothing would count but revisions of these ids."""
    records: defaultdict[ObservationKey, list[Observation]] = defaultdict(list)
    for each in revisions:
        records[observation_key(each, keys[each.project_id])].append(each)
    return {key for key, known in records.items() if current_of(known).id in names}
