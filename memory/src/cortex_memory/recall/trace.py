"""The account of a request: a decision with its reason for every candidate, and the warnings."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class Judged:
    """What became of a candidate, as `line` of a prompt; one without a score was never weighed."""

    id: str
    kind: Literal["fact", "episode"]
    decision: TraceDecision
    reason: Reason
    line: str
    score: Score | None = None

    @property
    def tokens(self) -> int | None:
        """The price of its line; null: it was never to be served."""
        return None if self.score is None else count_tokens(self.line)

    def traced(self) -> TracedCandidate:
        """The same for the trace; nobody waits for this."""
        return TracedCandidate(
            id=self.id,
            kind=self.kind,
            decision=self.decision,
            reason=self.reason,
            score=None if self.score is None else self.score.total,
            terms={} if self.score is None else self.score.terms,
            tokens=self.tokens,
            text=_cut(self.line),
        )


def judged(
    item: PacketFact | PacketEpisode,
    decision: TraceDecision,
    reason: Reason,
    score: Score,
    line: str,
) -> Judged:
    """What became of a candidate that could have been served, as `line` of a prompt."""
    if isinstance(item, PacketFact):
        return Judged(item.id, "fact", decision, reason, line, score)
    return Judged(item.event_id, "episode", decision, reason, line, score)


def blocked(fact: PacketFact, reason: Reason) -> Judged:
    """The fact must not be served; it has no score, since rules come before scores."""
    return Judged(fact.id, "fact", TraceDecision.BLOCKED, reason, prompt_line(fact))


def warnings_of(traced: Iterable[Judged]) -> tuple[str, ...]:
    """What the reader must know was hidden, in a fixed order."""
    counts = Counter(candidate.reason for candidate in traced)
    return tuple(
        text.format(counts[reason]) for reason, text in _WARNINGS.items() if counts[reason]
    )


def warnings_at_most(traced: Iterable[Judged], more: int) -> tuple[str, ...]:
    """The warnings, were so many more facts hidden for every reason there is."""
    counts = Counter(candidate.reason for candidate in traced)
    return tuple(text.format(counts[reason] + more) for reason, text in _WARNINGS.items())


def empty_reason(
    traced: Iterable[Judged], warnings: tuple[str, ...]
) -> Literal["no_relevant_memory"] | None:
    """Why a packet is empty: nothing is known that bears on the query.

    Null where something was served, hidden, too long for the budget, or not searched for.
    """
    irrelevant = all(one.reason is Reason.BELOW_RELEVANCE_FLOOR for one in traced)
    return "no_relevant_memory" if irrelevant and not warnings else None


def _cut(text: str) -> str:
    return text if len(text) <= TRACED_CHARACTERS else text[: TRACED_CHARACTERS - 1] + "…"
