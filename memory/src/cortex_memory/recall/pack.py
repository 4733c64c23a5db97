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

from cortex_memory.recall.score import Score
from cortex_memory.recall.trace import Judged, judged


@dataclass(frozen=True, slots=True)
class Offer:
    """What may be served, as the packet would show it; `reason`: why, if it is."""

    item: PacketFact | PacketEpisode
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
        refused, room = _take(rivals, room)
        if refused is None:
            items.extend(one.offer.item for one in rivals)
        decision = TraceDecision.INCLUDED if refused is None else TraceDecision.EXCLUDED
        for offer, line in ((one.offer, one.line) for one in rivals):
            traced.append(judged(offer.item, decision, refused or offer.reason, offer.score, line))
    return Packing(tuple(items), tuple(traced), room)


@dataclass(frozen=True, slots=True)
class _Rendered:
    """An offer with its line in the rendering."""

    offer: Offer
    line: str


def _rivals_together(ranked: Iterable[Offer]) -> Iterable[Sequence[_Rendered]]:
    """The offers in their order, those of one ConflictSet at the place of the first."""
    together: dict[str, list[_Rendered]] = {}
    for offer in ranked:
        rendered = _Rendered(offer, prompt_line(offer.item))
        together.setdefault(_conflict_of(offer.item) or _id_of(offer.item), []).append(rendered)
    return together.values()


def _take(rivals: Sequence[_Rendered], room: Room) -> tuple[Reason | None, Room]:
    """Why none of them is taken, or null, and the room that is left."""
    if all(one.offer.is_below_floor for one in rivals):
        return Reason.BELOW_RELEVANCE_FLOOR, room
    left = room
    for offer, line in ((one.offer, one.line) for one in rivals):
        if (left.facts if isinstance(offer.item, PacketFact) else left.episodes) < 1:
            return Reason.OVER_LIMIT, room
        if left.length_of(offer.item, line) > left.characters:
            return Reason.OVER_BUDGET, room
        left = left.without(offer.item, line)
    return None, left


def _conflict_of(item: PacketFact | PacketEpisode) -> str | None:
    return item.conflict_id if isinstance(item, PacketFact) else None


def _id_of(item: PacketFact | PacketEpisode) -> str:
    return item.id if isinstance(item, PacketFact) else item.event_id
