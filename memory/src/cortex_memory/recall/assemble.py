"""From candidates to a packet, step by step: facts, one hop further, episodes, conclusion."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from roxabi_contracts.context import (
    ContextPacket,
    Limits,
    PacketEpisode,
    PacketFact,
    Reason,
    Status,
)
from roxabi_contracts.render import length_around

from cortex_memory.recall import trace
from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.expand import FACTS_PER_NAME, MAXIMUM_NAMES, names_to_follow
from cortex_memory.recall.filters import (
    HIDE,
    Flagging,
    Scope,
    is_expired,
    is_stale,
    reason_to_block,
)
from cortex_memory.recall.goal import Goal
from cortex_memory.recall.pack import Offer, Packing, Room, pack
from cortex_memory.recall.score import Profile, is_below_floor, rank


@dataclass(frozen=True, slots=True)
class Question:
    """What the decisions depend on beside the candidates; `now` in epoch milliseconds.

    `notes` are warnings of the search itself: they degrade the packet and are part of its price.
    """

    scope: Scope
    budget_tokens: int
    limits: Limits
    now: int
    profile: Profile
    flagging: Flagging = HIDE
    goal: Goal | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Selection:
    """What has been decided so far; `room` is what is left beside the warnings due so far."""

    room: Room
    facts: tuple[PacketFact, ...] = ()
    episodes: tuple[PacketEpisode, ...] = ()
    traced: tuple[trace.Judged, ...] = ()


def select_facts(candidates: Iterable[FactCandidate], question: Question) -> Selection:
    """Filter, gate, rank and pack the facts that the arms found."""
    return _add_facts(_nothing(question), candidates, question, Reason.SELECTED, question.profile)


def names_of_hop(selection: Selection, question: Question, query: str) -> tuple[str, ...]:
    """The names to follow one hop further; none where the budget is all but spent."""
    return names_to_follow(selection.facts, query) if may_hop(selection, question) else ()


def may_hop(selection: Selection, question: Question) -> bool:
    """Whether facts one hop further could be taken, and warned of if they are hidden."""
    due = length_around(trace.warnings_of(selection.traced))
    at_most = length_around(
        trace.warnings_at_most(selection.traced, MAXIMUM_NAMES * FACTS_PER_NAME)
    )
    return selection.room.characters > at_most - due and selection.room.facts > 0


def add_hop(
    selection: Selection, candidates: Iterable[FactCandidate], question: Question
) -> Selection:
    """Add facts reached over a shared name: filtered like all others, but never gated."""
    ungated = replace(question.profile, relevance_floor=None)
    return _add_facts(selection, candidates, question, Reason.MULTI_HOP_EXPANSION, ungated)


def add_episodes(
    selection: Selection, candidates: Iterable[EpisodeCandidate], question: Question
) -> Selection:
    """Fill what is left of the budget with the nearest episodes of the scope."""
    present = {one.id: one for one in candidates if one.subject in question.scope.subjects}
    offers = [
        Offer(
            candidate.served(),
            score,
            is_below_floor=is_below_floor(candidate, question.profile),
        )
        for candidate, score in rank(
            present.values(), question.now, question.profile, question.goal
        )
    ]
    return _with(selection, pack(offers, selection.room))


def conclude(selection: Selection, question: Question, trace_id: str) -> ContextPacket:
    """The packet, with the warnings that the decisions and the notes of the search call for."""
    warnings = _warnings(selection.traced, question)
    left = selection.room.characters
    served = len(selection.facts) + len(selection.episodes)
    return ContextPacket(
        trace_id=trace_id,
        facts=selection.facts,
        episodes=selection.episodes,
        warnings=warnings,
        status=Status.DEGRADED if warnings else Status.OK,
        empty_reason=trace.empty_reason(selection.traced, warnings),
        tokens=(_characters(question) - left) // 4 if served else 0,
    )


def _nothing(question: Question) -> Selection:
    """Nothing yet, in the room of the whole budget."""
    room = Room(
        characters=_characters(question) - length_around(question.notes),
        facts=question.limits.facts,
        episodes=question.limits.episodes,
    )
    return Selection(room)


def _characters(question: Question) -> int:
    """The longest rendering that the budget pays: a token is four characters, rounded down."""
    return 4 * question.budget_tokens + 3


def _add_facts(
    selection: Selection,
    candidates: Iterable[FactCandidate],
    question: Question,
    reason: Reason,
    profile: Profile,
) -> Selection:
    known = {one.id for one in selection.traced}
    new = {one.id: one for one in candidates if question.scope.holds(one) and one.id not in known}
    blocked: list[trace.Judged] = []
    allowed: list[FactCandidate] = []
    for _, fact in sorted(new.items()):
        block = reason_to_block(fact, question.now, question.flagging)
        if block is None:
            allowed.append(fact)
        else:
            blocked.append(trace.blocked(fact.served(stale=False), block))
    hiding = _hide(selection, blocked, question)
    offers = [
        Offer(_served(candidate, question.now), score, reason, is_below_floor(candidate, profile))
        for candidate, score in rank(allowed, question.now, profile, question.goal)
    ]
    return _with(hiding, pack(offers, hiding.room))


def _hide(selection: Selection, blocked: Iterable[trace.Judged], question: Question) -> Selection:
    """The selection with facts hidden, and room made for the warnings that tells so."""
    traced = (*selection.traced, *blocked)
    due = length_around(_warnings(selection.traced, question))
    now_due = length_around(_warnings(traced, question))
    return replace(selection, traced=traced, room=selection.room.narrowed(now_due - due))


def _with(selection: Selection, packing: Packing) -> Selection:
    facts = [one for one in packing.items if isinstance(one, PacketFact)]
    episodes = [one for one in packing.items if isinstance(one, PacketEpisode)]
    return replace(
        selection,
        room=packing.room,
        facts=(*selection.facts, *facts),
        episodes=(*selection.episodes, *episodes),
        traced=selection.traced + packing.traced,
    )


def _served(fact: FactCandidate, now: int) -> PacketFact:
    return fact.served(stale=is_stale(fact, now), expired=is_expired(fact, now))


def _warnings(traced: Iterable[trace.Judged], question: Question) -> tuple[str, ...]:
    return (*trace.warnings_of(traced), *question.notes)
