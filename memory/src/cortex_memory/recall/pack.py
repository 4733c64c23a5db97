"""Filling the budget: best first, each text at the price of its rendering."""

from collections.abc import Iterable, Sequence
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
    items: list[PacketFact | PacketEpisode] = []
    for offer in rivals:
        if (room.facts if offer.serving.kind == "fact" else room.episodes) < 1:
            return Reason.OVER_LIMIT
        if offer.serving.least_length > room.characters:
            return Reason.OVER_BUDGET
        item = offer.serving.item()
        line = prompt_line(item)
        if room.length_of(item, line) > room.characters:
            return Reason.OVER_BUDGET
        items.append(item)
        room = room.without(item, line)
    return _Taken(items, room)


def _judged(offer: Offer, refused: Reason | None) -> Judged:
    decision = TraceDecision.INCLUDED if refused is None else TraceDecision.EXCLUDED
    return Judged(offer.serving, decision, refused or offer.reason, offer.score)
