from datetime import UTC, datetime
from io import StringIO

from cortex_local.cli.rendering import trace_view
from rich.console import Console
from roxabi_contracts.context import (
    ContextRequest,
    ContextTrace,
    Reason,
    Status,
    TracedCandidate,
    TraceDecision,
)


def test_a_trace_tells_each_decision_with_the_terms_of_its_score() -> None:
    trace = ContextTrace(
        trace_id="t",
        project="p",
        asked_at=datetime(2026, 3, 1, tzinfo=UTC),
        request=ContextRequest(project="p", subjects=("x@acme.com",), query="q"),
        candidates=(
            TracedCandidate(
                id="f",
                kind="fact",
                decision=TraceDecision.INCLUDED,
                reason=Reason.SELECTED,
                score=0.75,
                terms={"cosine": 0.6, "text": 0.0, "goal": 0.15},
                tokens=9,
                text="- Ada: lives in: Bergen",
            ),
            TracedCandidate(
                id="g",
                kind="fact",
                decision=TraceDecision.BLOCKED,
                reason=Reason.CONFLICT_OPEN,
                text="- Ada: drinks: tea",
            ),
        ),
        status=Status.DEGRADED,
        duration_ms=7.4,
    )
    written = StringIO()
    Console(width=140, file=written).print(trace_view(trace))
    lines = [" ".join(line.split()) for line in written.getvalue().splitlines()]
    assert lines[:2] == [
        "Trace t: 2 candidates in 7 ms",
        "1 blocked, conflict_open; 1 included, selected",
    ]
    assert lines[3:] == [
        "included selected 0.750 = cosine 0.600 + goal 0.150 9 - Ada: lives in: Bergen",
        "blocked conflict_open - - - Ada: drinks: tea",
    ]
