"""Filling the budget: best first, each text at the price of its rendering."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roxabi_contracts.context import (
    PacketEpisode,
    PacketFact,
    Reason,
    TraceDecision,
)
from roxabi_contracts.render import Section, prompt_line, section_of

from cortex_memory.recall.candidate import Serving
from cortex_memory.recall.score import Score
from cortex_memory.recall.trace import Judged


@dataclass(frozen=True, slots=True)
class Offer:
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

    def length_of(self, item: PacketFact | PacketEpisode, line: str) -> int:
        """The characters that an item adds to the rendering."""
        section = section_of(item)
        heading = 0 if section in self.opened else len(section) + 1
        return heading + len(line) + 1

    def without(self, item: PacketFact | PacketEpisode, line: str) -> "Room":
        """The room that is left when an item is taken."""
        is_fact = isinstance(item, PacketFact)
        return Room(
            characters=self.characters - self.length_of(item, line),
            facts=self.facts - is_fact,
            episodes=self.episodes - (not is_fact),
            opened=self.opened | {section_of(item)},
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

    Args:
        ranked: Best first; facts and episodes may be mixed.
        room: What may be taken.
    """
    items: list[PacketFact | PacketEpisode] = []
    traced: list[Judged] = []
    for offer in ranked:
        refused = _reason_to_exclude(offer, room)
        if refused is None:
            item = offer.serving.item()
            line = prompt_line(item)
            if room.length_of(item, line) <= room.characters:
                items.append(item)
                room = room.without(item, line)
            else:
                refused = Reason.OVER_BUDGET
        traced.append(_judged(offer, refused))
    return Packing(tuple(items), tuple(traced), room)


def _reason_to_exclude(offer: Offer, room: Room) -> Reason | None:
    """Why an offer is refused whatever its line says; null: that decides."""
    if offer.is_below_floor:
        return Reason.BELOW_RELEVANCE_FLOOR
    if (room.facts if offer.serving.kind == "fact" else room.episodes) < 1:
        return Reason.OVER_LIMIT
    return Reason.OVER_BUDGET if offer.serving.least_length > room.characters else None


def _judged(offer: Offer, refused: Reason | None) -> Judged:
    decision = TraceDecision.INCLUDED if refused is None else TraceDecision.EXCLUDED
    return Judged(offer.serving, decision, refused or offer.reason, offer.score)
