"""The account of a request: a decision with its reason for every candidate, and the warnings."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from roxabi_contracts.context import (
    PacketEpisode,
    PacketFact,
    Reason,
    TracedCandidate,
    TraceDecision,
)
from roxabi_contracts.render import count_tokens, prompt_line

from cortex_memory.recall.score import Score

TRACED_CHARACTERS: Final = 200
"""How much of a candidate's text a trace keeps."""

_WARNINGS: Final = {
    Reason.CONFLICT_OPEN: "open_conflict: {} fact(s) hidden pending conflict resolution",
    Reason.VOLATILITY_EXPIRED: "volatility_expired: {} fact(s) hidden pending confirmation",
}


def judged(
    item: PacketFact | PacketEpisode,
    decision: TraceDecision,
    reason: Reason,
    score: Score,
    line: str,
) -> TracedCandidate:
    """What became of a candidate that could have been served, as `line` of a prompt."""
    return TracedCandidate(
        id=item.id if isinstance(item, PacketFact) else item.event_id,
        kind="fact" if isinstance(item, PacketFact) else "episode",
        decision=decision,
        reason=reason,
        score=score.total,
        terms=score.terms,
        tokens=count_tokens(line),
        text=_cut(line),
    )


def blocked(fact: PacketFact, reason: Reason) -> TracedCandidate:
    """The fact must not be served; it has no score, since rules come before scores."""
    return TracedCandidate(
        id=fact.id,
        kind="fact",
        decision=TraceDecision.BLOCKED,
        reason=reason,
        text=_cut(prompt_line(fact)),
    )


def warnings_of(traced: Iterable[TracedCandidate]) -> tuple[str, ...]:
    """What the reader must know was hidden, in a fixed order."""
    counts = Counter(candidate.reason for candidate in traced)
    return tuple(
        text.format(counts[reason]) for reason, text in _WARNINGS.items() if counts[reason]
    )


def warnings_at_most(traced: Iterable[TracedCandidate], more: int) -> tuple[str, ...]:
    """The warnings, were so many more facts hidden for every reason there is."""
    counts = Counter(candidate.reason for candidate in traced)
    return tuple(text.format(counts[reason] + more) for reason, text in _WARNINGS.items())


def empty_reason(
    traced: Iterable[TracedCandidate], warnings: tuple[str, ...]
) -> Literal["no_relevant_memory"] | None:
    """Why a packet is empty: nothing is known that bears on the query.

    Null where something was served, hidden, too long for the budget, or not searched for.
    """
    irrelevant = all(one.reason is Reason.BELOW_RELEVANCE_FLOOR for one in traced)
    return "no_relevant_memory" if irrelevant and not warnings else None


def _cut(text: str) -> str:
    return text if len(text) <= TRACED_CHARACTERS else text[: TRACED_CHARACTERS - 1] + "…"
