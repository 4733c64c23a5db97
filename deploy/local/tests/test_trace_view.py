from datetime import UTC, datetime
from io import StringIO

from cortex_local.cli.rendering import packet_view, trace_view
from rich.console import Console, RenderableType
from roxabi_contracts.context import (
    ContextPacket,
    ContextRequest,
    ContextTrace,
    PacketFact,
    Reason,
    Status,
    TracedCandidate,
    TraceDecision,
)


def shown(view: RenderableType) -> list[str]:
    """The lines of a view, without the blanks between its columns."""
    written = StringIO()
    Console(width=140, file=written).print(view)
    return [" ".join(line.split()) for line in written.getvalue().splitlines()]


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
    lines = shown(trace_view(trace))
    assert lines[:2] == [
        "Trace t: 2 candidates in 7 ms",
        "1 blocked, conflict_open; 1 included, selected",
    ]
    assert lines[3:] == [
        "included selected 0.750 = cosine 0.600 + goal 0.150 9 - Ada: lives in: Bergen",
        "blocked conflict_open - - - Ada: drinks: tea",
    ]


def test_a_memory_without_a_name_goes_by_who_was_asked_where_one_was() -> None:
    fact = PacketFact(
        id="f",
        subject="s",
        about="s",
        predicate="lives_in",
        value={"value": "Bergen"},
        confidence=0.9,
        valid_from=None,
        last_confirmed=None,
        source_event_ids=(),
    )
    packet = ContextPacket(trace_id="t", facts=(fact,))
    assert shown(packet_view(packet, ["a@b.c"]))[1] == "- a@b.c: lives in: Bergen"
    assert shown(packet_view(packet, ["a@b.c", "d@e.f"]))[1] == "- s: lives in: Bergen"


def test_a_packet_that_holds_nothing_says_why() -> None:
    away = ContextPacket(trace_id=None, warnings=("memory unavailable",))
    assert shown(packet_view(away, ["a@b.c"]))[0] == "Memory did not answer."
