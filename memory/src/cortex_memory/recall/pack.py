"""Filling the budget: best first, each text at the price of its rendering."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from roxabi_contracts.context import (
    PacketEpisode,
    PacketFact,
    Reason,
    TraceDecision,
)
from roxabi_contracts.render import Section

from cortex_memory.recall.candidate import Serving
from cortex_memory.recall.score import Score
from cortex_memory.recall.trace import Judged


class Offer(NamedTuple):
    """What may be served; `reason`: why, if it is."""

    serving: Serving
    score: Score
    reason: Reason = Reason.SELECTED
    is_below_floor: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """What may still be taken: characters of the rendering, facts, episodes.

    `opened` are the sections whose heading is paid for. The characters may be less than none,
    where warnings take all the room.
    """

    characters: int
    facts: int
    episodes: int
    opened: frozenset[Section] = frozenset()

    @property
    def tokens(self) -> int:
        """The tokens that are left."""
        return max(0, self.characters // 4)

    def length_of(self, section: Section, line: str) -> int:
        """The characters that a line of a section adds to the rendering."""
        heading = 0 if section in self.opened else len(section) + 1
        return heading + len(line) + 1

    def without(self, section: Section, line: str) -> "Room":
        """The room that is left when a line of a section is taken."""
        is_fact = section is not Section.EPISODES
        return Room(
            characters=self.characters - self.length_of(section, line),
            facts=self.facts - is_fact,
            episodes=self.episodes - (not is_fact),
            opened=self.opened | {section},
        )

    def narrowed(self, characters: int) -> "Room":
        """The room without characters that are needed for something else."""
        return replace(self, characters=self.characters - characters)


@dataclass(frozen=True, slots=True)
class Packing:
    """What was taken, in order, the decision on every offer, and the room that is left."""

    items: tuple[PacketFact | PacketEpisode, ...]
    traced: tuple[Judged, ...]
    room: Room


def pack(ranked: Iterable[Offer], room: Room) -> Packing:
    """Take offers in their order while they fit; what does not fit makes way for the next.

    Facts that contradict each other are taken together, where the best of them stands, or not at
    all: one of them alone would look like the truth.

    Args:
        ranked: Best first; facts and episodes may be mixed.
        room: What may be taken.
    """
    items: list[PacketFact | PacketEpisode] = []
    traced: list[Judged] = []
    for rivals in _rivals_together(ranked):
        taken = _take(rivals, room)
        if isinstance(taken, _Taken):
            items.extend(taken.items)
            room = taken.room
        refused = taken if isinstance(taken, Reason) else None
        traced.extend(_judged(offer, refused) for offer in rivals)
    return Packing(tuple(items), tuple(traced), room)


@dataclass(frozen=True, slots=True)
class _Taken:
    """Offers as they are served, and the room that they leave."""

    items: Sequence[PacketFact | PacketEpisode]
    room: Room


def _rivals_together(ranked: Iterable[Offer]) -> Iterable[Sequence[Offer]]:
    """The offers in their order, those of one ConflictSet at the place of the first."""
    together: dict[str, list[Offer]] = {}
    for offer in ranked:
        serving = offer.serving
        together.setdefault(serving.conflict_id or serving.id, []).append(offer)
    return together.values()


def _take(rivals: Sequence[Offer], room: Room) -> _Taken | Reason:
    """All of them; else why none is taken.

    One that cannot fit is not drawn up.
    """
    if all(offer.is_below_floor for offer in rivals):
        return Reason.BELOW_RELEVANCE_FLOOR
    for offer in rivals:
        serving = offer.serving
        if (room.facts if serving.kind == "fact" else room.episodes) < 1:
            return Reason.OVER_LIMIT
        if serving.least_length > room.characters:
            return Reason.OVER_BUDGET
        section, line = serving.section, serving.line()
        if room.length_of(section, line) > room.characters:
            return Reason.OVER_BUDGET
        room = room.without(section, line)
    return _Taken([offer.serving.item() for offer in rivals], room)


def _judged(offer: Offer, refused: Reason | None) -> Judged:
    decision = TraceDecision.INCLUDED if refused is None else TraceDecision.EXCLUDED
    return Judged(offer.serving, decision, refused or offer.reason, offer.score)
