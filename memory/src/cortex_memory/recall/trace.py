"""The account of a request: a decision with its reason for every candidate, and the warnings."""

from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple

from roxabi_contracts.context import Reason, TracedCandidate, TraceDecision
from roxabi_contracts.render import count_tokens

from cortex_memory.recall.candidate import FactCandidate, Kind, Serving
from cortex_memory.recall.score import Score

TRACED_CHARACTERS: Final = 200
"""How much of a candidate's text a trace keeps."""

_WARNINGS: Final = {
    Reason.CONFLICT_OPEN: "open_conflict: {} fact(s) hidden pending conflict resolution",
    Reason.VOLATILITY_EXPIRED: "volatility_expired: {} fact(s) hidden pending confirmation",
}


class Judged(NamedTuple):
    """What became of a candidate; one without a score was never weighed."""

    serving: Serving
    decision: TraceDecision
    reason: Reason
    score: Score | None = None

    @property
    def id(self) -> str:
        """Of the candidate."""
        return self.serving.id

    @property
    def kind(self) -> Kind:
        """Of the candidate."""
        return self.serving.kind

    def traced(self) -> TracedCandidate:
        """The same for the trace; nobody waits for this."""
        line = self.serving.line()
        return TracedCandidate(
            id=self.id,
            kind=self.kind,
            decision=self.decision,
            reason=self.reason,
            score=None if self.score is None else self.score.total,
            terms={} if self.score is None else self.score.terms,
            tokens=None if self.score is None else count_tokens(line),
            text=_cut(line),
        )


def blocked(fact: FactCandidate, reason: Reason) -> Judged:
    """The fact must not be served; it has no score, since rules come before scores."""
    return Judged(Serving(fact), TraceDecision.BLOCKED, reason)


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
