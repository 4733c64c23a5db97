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
    TracedCandidate,
)
from roxabi_contracts.render import render_episode, render_fact

from cortex_memory.recall import trace
from cortex_memory.recall.candidate import EpisodeCandidate, FactCandidate
from cortex_memory.recall.filters import Scope, is_stale, reason_to_block
from cortex_memory.recall.pack import Offer, Room, pack
from cortex_memory.recall.score import Profile, is_below_floor, rank


@dataclass(frozen=True, slots=True)
class Question:
    """What the decisions depend on beside the candidates; `now` in epoch milliseconds."""

    scope: Scope
    budget_tokens: int
    limits: Limits
    now: int
    profile: Profile


@dataclass(frozen=True, slots=True)
class Selection:
    """What has been decided so far."""

    tokens_left: int
    facts: tuple[PacketFact, ...] = ()
    episodes: tuple[PacketEpisode, ...] = ()
    traced: tuple[TracedCandidate, ...] = ()


def select_facts(candidates: Iterable[FactCandidate], question: Question) -> Selection:
    """Filter, gate, rank and pack the facts that the arms found."""
    nothing = Selection(tokens_left=question.budget_tokens)
    return _add_facts(nothing, candidates, question, Reason.SELECTED, question.profile)


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
    offers: list[Offer[PacketEpisode]] = []
    for candidate, score in rank(present.values(), question.now, question.profile):
        episode = candidate.served()
        is_far = is_below_floor(candidate, question.profile)
        offers.append(Offer(episode, render_episode(episode), score, is_far))
    room = Room(selection.tokens_left, question.limits.episodes)
    packing = pack(offers, room, Reason.SELECTED)
    return replace(
        selection,
        tokens_left=packing.tokens_left,
        episodes=packing.items,
        traced=selection.traced + packing.traced,
    )


def conclude(
    selection: Selection, question: Question, trace_id: str, notes: tuple[str, ...] = ()
) -> ContextPacket:
    """The packet, with the warnings that the decisions and the `notes` of the search call for."""
    warnings = (*trace.warnings_of(selection.traced), *notes)
    return ContextPacket(
        trace_id=trace_id,
        facts=selection.facts,
        episodes=selection.episodes,
        warnings=warnings,
        status=Status.DEGRADED if warnings else Status.OK,
        empty_reason=trace.empty_reason(selection.traced, warnings),
        tokens=question.budget_tokens - selection.tokens_left,
    )


def _add_facts(
    selection: Selection,
    candidates: Iterable[FactCandidate],
    question: Question,
    reason: Reason,
    profile: Profile,
) -> Selection:
    known = {one.id for one in selection.traced}
    new = {one.id: one for one in candidates if question.scope.holds(one) and one.id not in known}
    blocked: list[TracedCandidate] = []
    allowed: list[FactCandidate] = []
    for _, fact in sorted(new.items()):
        block = reason_to_block(fact, question.now)
        if block is None:
            allowed.append(fact)
        else:
            blocked.append(trace.blocked(fact.served(stale=False), block))
    offers: list[Offer[PacketFact]] = []
    for candidate, score in rank(allowed, question.now, profile):
        served = candidate.served(stale=is_stale(candidate, question.now))
        is_far = is_below_floor(candidate, profile)
        offers.append(Offer(served, render_fact(served), score, is_far))
    room = Room(selection.tokens_left, question.limits.facts - len(selection.facts))
    packing = pack(offers, room, reason)
    return replace(
        selection,
        tokens_left=packing.tokens_left,
        facts=selection.facts + packing.items,
        traced=(*selection.traced, *blocked, *packing.traced),
    )
