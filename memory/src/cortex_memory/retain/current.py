"""Which revision of an observation counts, whatever came first."""

from collections.abc import Iterable
from typing import Final, TypeAlias

from roxabi_contracts.ids import canonical_json
from roxabi_contracts.observation import NOT_SAID, Observation

_UNCOMPARED: Final = {*NOT_SAID} - {"id"}

Precedence: TypeAlias = tuple[int, int, int, int, int, tuple[int, ...], bytes]


def precedence(observation: Observation) -> Precedence:
    """The rank of a revision among those of one key; the highest is current."""
    made = observation.made_by
    return (
        observation.revision,
        made.parser,
        made.sanitiser,
        made.enricher,
        made.neighbours,
        made.neighbour_revisions,
        content_bytes(observation),
    )


def content_bytes(observation: Observation) -> bytes:
    """All that an observation says, without who made it."""
    content = observation.model_dump(mode="json", exclude=_UNCOMPARED)
    return canonical_json(content)


def current_of(revisions: Iterable[Observation]) -> Observation:
    """The current one of at least one revision of a single key."""
    known = list(revisions)
    return known[0] if len(known) == 1 else max(known, key=precedence)
