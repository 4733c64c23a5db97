"""From candidates to a packet, step by step: facts, one hop further, episodes, conclusion."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

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
from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate, Serving
from cortex_memory.recall.expand import FACTS_PER_NAME, MAXIMUM_NAMES, names_to_follow
from cortex_memory.recall.filters import (
    HIDE,
    Flagging,
    Scope,
    is_expired,
    is_stale,
    reason_to_block,
)
from cortex_memory.recall.fusion import NO_CUES, Cues, best_of, score_episodes, score_facts
from cortex_memory.recall.goal import Goal
from cortex_memory.recall.pack import Offer, Packing, Room, pack
from cortex_memory.recall.profiles import Fusion, Profile, WeightedSum
from cortex_memory.recall.score import Score, boosted, is_below_floor, place, rank

Scored: TypeAlias = tuple[FactCandidate | EpisodeCandidate, Score]

CONSIDERED: Final = 256
"""How many facts and episodes a request weighs against each other at most."""
LEAST_CONSIDERED: Final = 128
SMALLEST_TEXT: Final = 8
"""So few tokens a text costs at least: no more of them are weighed than the budget could hold."""


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
    cues: Cues = NO_CUES


@dataclass(frozen=True, slots=True)
class Selection:
    """What has been decided so far; `room` is what is left beside the warnings due so far."""

    room: Room
    facts: tuple[PacketFact, ...] = ()
    episodes: tuple[PacketEpisode, ...] = ()
    traced: tuple[trace.Judged, ...] = ()


def select_facts(candidates: Iterable[FactCandidate], question: Question) -> Selection:
    """Filter, gate, rank and pack the facts that the arms found."""
    profile = _weighted_sum(question)
    return _add_facts(_nothing(question), candidates, question, Reason.SELECTED, profile)


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
    ungated = replace(_weighted_sum(question), relevance_floor=None)
    return _add_facts(selection, candidates, question, Reason.MULTI_HOP_EXPANSION, ungated)


def add_episodes(
    selection: Selection, candidates: Iterable[EpisodeCandidate], question: Question
) -> Selection:
    """Fill what is left of the budget with the nearest episodes of the scope."""
    profile = _weighted_sum(question)
    ranked = rank(_in_scope(candidates, question), question.now, profile, question.goal)
    offers = [_offer(*each, question, Reason.SELECTED, profile) for each in ranked]
    return _with(selection, pack(offers, selection.room))


def select_in_one_order(
    facts: Sequence[FactCandidate],
    hops: Sequence[FactCandidate],
    episodes: Sequence[EpisodeCandidate],
    question: Question,
    profile: Fusion,
) -> Selection:
    """Filter facts, gate, score and pack all candidates together: whatever scores best comes first.

    Facts of `hops` alone were reached over a shared name; they are never gated. Of all that may be
    served the best are candidates: the more, the larger the budget, up to `CONSIDERED`.
    """
    hopped = frozenset(one.id for one in hops) - {one.id for one in facts}
    hiding, allowed = _judge(_nothing(question), [*facts, *hops], question)
    present = _in_scope(episodes, question)
    best = best_of([*allowed, *present])
    scored: list[Scored] = [
        *score_facts(allowed, hopped, best, question.cues, profile),
        *score_episodes(present, best, question.cues, profile),
    ]
    ranked = sorted(((one, boosted(score, one, question.goal)) for one, score in scored), key=place)
    ungated = replace(profile, relevance_floor=None)
    offers = [
        _offer(one, score, question, Reason.MULTI_HOP_EXPANSION, ungated)
        if one.id in hopped
        else _offer(one, score, question, Reason.SELECTED, profile)
        for one, score in _considered(ranked, question.budget_tokens)
    ]
    return _with(hiding, pack(offers, hiding.room))


def _considered(ranked: Sequence[Scored], budget_tokens: int) -> Sequence[Scored]:
    """The best of them, without those whose rivals are not among the best."""
    most = min(CONSIDERED, max(LEAST_CONSIDERED, budget_tokens // SMALLEST_TEXT))
    parted = {_conflict_of(one) for one, _ in ranked[most:]} - {None}
    return [each for each in ranked[:most] if _conflict_of(each[0]) not in parted]


def _conflict_of(one: FactCandidate | EpisodeCandidate) -> str | None:
    return one.conflict_id if isinstance(one, FactCandidate) else None


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
        episodes=_most_episodes(question),
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
    profile: WeightedSum,
) -> Selection:
    hiding, allowed = _judge(selection, candidates, question)
    ranked = rank(allowed, question.now, profile, question.goal)
    offers = [_offer(*each, question, reason, profile) for each in ranked]
    return _with(hiding, pack(offers, hiding.room))


def _judge(
    selection: Selection, candidates: Iterable[FactCandidate], question: Question
) -> tuple[Selection, list[FactCandidate]]:
    """Those of the new facts that may be served; the others are hidden."""
    known = {one.id for one in selection.traced}
    new = {one.id: one for one in candidates if question.scope.holds(one) and one.id not in known}
    reasons = {
        id: reason_to_block(fact, question.now, question.flagging) for id, fact in new.items()
    }
    hidden = {new[id].conflict_id for id, reason in reasons.items() if reason is not None} - {None}
    blocked: list[trace.Judged] = []
    allowed: list[FactCandidate] = []
    for id, fact in sorted(new.items()):
        reason = reasons[id]
        if reason is None and fact.conflict_id in hidden:
            reason = Reason.CONFLICT_OPEN  # none of them is shown without what contradicts it
        if reason is None:
            allowed.append(fact)
        else:
            blocked.append(trace.blocked(fact, reason))
    return _hide(selection, blocked, question), allowed


def _hide(selection: Selection, blocked: Iterable[trace.Judged], question: Question) -> Selection:
    """The selection with facts hidden, and room made for the warnings that tell so."""
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


def _offer(
    candidate: FactCandidate | EpisodeCandidate,
    score: Score,
    question: Question,
    reason: Reason,
    profile: Profile,
) -> Offer:
    is_far = is_below_floor(candidate, profile)
    return Offer(_serving(candidate, question.now), score, reason, is_far)


def _serving(candidate: FactCandidate | EpisodeCandidate, now: int) -> Serving:
    if isinstance(candidate, EpisodeCandidate):
        return Serving(candidate)
    return Serving(candidate, stale=is_stale(candidate, now), expired=is_expired(candidate, now))


def _in_scope(candidates: Iterable[EpisodeCandidate], question: Question) -> list[EpisodeCandidate]:
    """The episodes of the memories asked, each once."""
    return list(
        {one.id: one for one in candidates if one.subject in question.scope.subjects}.values()
    )


def _weighted_sum(question: Question) -> WeightedSum:
    assert isinstance(question.profile, WeightedSum)  # the other has one step of its own
    return question.profile


def _most_episodes(question: Question) -> int:
    asked = question.limits.episodes
    return question.profile.episodes if asked is None else asked


def _warnings(traced: Iterable[trace.Judged], question: Question) -> tuple[str, ...]:
    return (*trace.warnings_of(traced), *question.notes)
