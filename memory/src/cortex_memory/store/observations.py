"""Observations as they are stored: what was said apart from who made it."""

from collections.abc import Sequence

from roxabi_contracts.ids import canonical_json
from roxabi_contracts.observation import NOT_SAID, MadeBy, Observation


def versions_of(made_by: MadeBy) -> tuple[int, ...]:
    """The versions in the order in which they are compared."""
    versions = (made_by.parser, made_by.sanitiser, made_by.enricher, made_by.neighbours)
    return versions + made_by.neighbour_revisions


def content_of(observation: Observation) -> bytes:
    """The canonical JSON of what was said, without the id and who made it."""
    return canonical_json(observation.model_dump(mode="json", exclude={*NOT_SAID}))


def observation_of(observation_id: str, versions: Sequence[int], content: str) -> Observation:
    """The observation that was stored."""
    parser, sanitiser, enricher, neighbours, *revisions = versions
    made_by = MadeBy(
        parser=parser,
        sanitiser=sanitiser,
        enricher=enricher,
        neighbours=neighbours,
        neighbour_revisions=tuple(revisions),
    )
    return Observation.model_validate_json(
        f'{{"id":"{observation_id}","made_by":{made_by.model_dump_json()},{content[1:]}'
    )
