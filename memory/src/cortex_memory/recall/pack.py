"""Filling the budget: best first, each text at the price of its rendering."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from roxabi_contracts.context import (
    PacketEpisode,
    PacketFact,
    Reason,
    TracedCandidate,
    TraceDecision,
)
from roxabi_contracts.render import count_tokens

from cortex_memory.recall.score import Score
from cortex_memory.recall.trace import judged

Item = TypeVar("Item", PacketFact, PacketEpisode)


@dataclass(frozen=True, slots=True)
class Offer(Generic[Item]):
    """What may be served, as the packet would show it and as the renderer would write it."""

    item: Item
    text: str
    score: Score
    is_below_floor: bool = False


@dataclass(frozen=True, slots=True)
class Room:
    """What may still be taken, in tokens and in texts."""

    tokens: int
    texts: int


@dataclass(frozen=True, slots=True)
class Packing(Generic[Item]):
    """What was taken, in order, the decision on every offer, and the tokens that are left."""

    items: tuple[Item, ...]
    traced: tuple[TracedCandidate, ...]
    tokens_left: int


def pack(ranked: Iterable[Offer[Item]], room: Room, reason: Reason) -> Packing[Item]:
    """Take offers in their order while they fit; what does not fit makes way for the next.

    Args:
        ranked: Best first.
        room: What may be taken.
        reason: Why those taken are in the packet.
    """
    items: list[Item] = []
    traced: list[TracedCandidate] = []
    for offer in ranked:
        tokens = count_tokens(offer.text)
        refused = _reason_to_exclude(offer, tokens, room)
        if refused is None:
            items.append(offer.item)
            room = Room(room.tokens - tokens, room.texts - 1)
        decision = TraceDecision.INCLUDED if refused is None else TraceDecision.EXCLUDED
        traced.append(
            judged(offer.item, decision, refused or reason, offer.score, offer.text, tokens)
        )
    return Packing(tuple(items), tuple(traced), room.tokens)


def _reason_to_exclude(offer: Offer[Item], tokens: int, room: Room) -> Reason | None:
    if offer.is_below_floor:
        return Reason.BELOW_RELEVANCE_FLOOR
    if room.texts < 1:
        return Reason.OVER_LIMIT
    return Reason.OVER_BUDGET if tokens > room.tokens else None
