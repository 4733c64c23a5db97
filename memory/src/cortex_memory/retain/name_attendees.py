"""Bare first names, by who takes part where they are said: candidates, inside that trace alone."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from cortex_memory.model import EntityId, IdentifierId
from cortex_memory.retain.person_names import first_name
from cortex_memory.retain.resolve_actors import named_in_trace

FIRST_NAME_RULE: Final = "first_name_in_trace"
FIRST_NAME_SCORE: Final = 0.5


@dataclass(frozen=True, slots=True)
class Attendance:
    """A key that takes part in a trace of a source."""

    project: str
    source: str
    trace: str
    identifier: IdentifierId


@dataclass(frozen=True, slots=True)
class Meant:
    """A bare first name, and the key of the only one of its trace whom it may mean."""

    mention: IdentifierId
    attendee: IdentifierId
    name: str


def attendees_called(
    bare: Mapping[str, Collection[IdentifierId]],
    attending: Iterable[Attendance],
    entity_of: Mapping[IdentifierId, EntityId],
    names_of: Mapping[EntityId, Collection[str]],
    project_key: bytes,
) -> Iterator[Meant]:
    """Each bare name that exactly one attendee of its trace has as first name.

    Args:
        bare: Names of one word, as they are compared, with the ids that they have in their traces.
        attending: Who takes part where.
        entity_of: Whose the keys are.
        names_of: What people are called.
        project_key: By which names have their ids.
    """
    meant: defaultdict[tuple[str, str, str, str], dict[EntityId, IdentifierId]] = defaultdict(dict)
    first_names = {entity: _first_names(names, bare) for entity, names in names_of.items()}
    for each in attending:
        entity = entity_of.get(each.identifier)
        if entity is None:
            continue
        for name in first_names.get(entity, ()):
            place = meant[each.project, each.source, each.trace, name]
            place[entity] = min(each.identifier, place.get(entity, each.identifier))
    for (project, source, trace, name), attendees in sorted(meant.items()):
        mention = named_in_trace(project, source, trace, name, project_key)
        if len(attendees) == 1 and mention in bare[name]:
            [attendee] = attendees.values()
            yield Meant(mention, attendee, name)


def _first_names(names: Iterable[str], bare: Mapping[str, object]) -> frozenset[str]:
    found = {first_name(name) for name in names}
    return frozenset(name for name in found if name is not None and name in bare)
