"""Packets, traces and facts as people read them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from roxabi_contracts.context import ContextPacket, ContextTrace, Status, TraceDecision
from roxabi_contracts.operations import FactRecord, FactStatus
from roxabi_contracts.render import render_episode, render_fact, render_value

_DECISION_STYLES: Final = {
    TraceDecision.INCLUDED: "green",
    TraceDecision.EXCLUDED: "dim",
    TraceDecision.BLOCKED: "red",
}
_STATUS_STYLES: Final = {
    FactStatus.ACTIVE: "green",
    FactStatus.CANDIDATE: "cyan",
    FactStatus.DISPUTED: "yellow",
    FactStatus.SUPERSEDED: "dim",
}


def packet_view(packet: ContextPacket) -> RenderableType:
    """What memory serves: facts, episodes, warnings, and what it cost."""
    parts: list[RenderableType] = []
    if packet.facts:
        parts += [Text("Facts", style="bold"), *(Text(render_fact(fact)) for fact in packet.facts)]
    if packet.episodes:
        parts += [
            Text("Episodes", style="bold"),
            *(Text(render_episode(episode)) for episode in packet.episodes),
        ]
    if not parts:
        parts.append(Text("Nothing that bears on this is known.", style="dim"))
    parts += [Text(f"Warning: {warning}", style="yellow") for warning in packet.warnings]
    degraded = ", degraded" if packet.status is Status.DEGRADED else ""
    parts.append(Text(f"{packet.tokens} tokens{degraded}", style="dim"))
    return Group(*parts)


def trace_view(trace: ContextTrace) -> RenderableType:
    """Every candidate with the decision on it."""
    table = Table("decision", "reason", "score", "candidate", box=None, pad_edge=False)
    for candidate in trace.candidates:
        table.add_row(
            Text(candidate.decision, style=_DECISION_STYLES[candidate.decision]),
            candidate.reason,
            "-" if candidate.score is None else f"{candidate.score:.3f}",
            Text(candidate.text or f"{candidate.kind} {candidate.id}"),
        )
    took = "" if trace.duration_ms is None else f" in {trace.duration_ms:.0f} ms"
    caption = f"Trace {trace.trace_id}: {len(trace.candidates)} candidates{took}"
    return Group(Text(caption, style="bold"), table)


def facts_view(facts: Iterable[FactRecord]) -> RenderableType:
    """One line per fact: what, its status, and when it held."""
    table = Table(
        "about", "predicate", "value", "status", "from", "until", "seen", box=None, pad_edge=False
    )
    for fact in facts:
        table.add_row(
            Text(fact.about_name or fact.about),
            Text(_named(fact)),
            Text("(erased)" if fact.value is None else render_value(fact.value)),
            Text(fact.status, style=_STATUS_STYLES.get(fact.status, "")),
            _day(fact.valid_from),
            _day(fact.valid_until),
            f"{fact.confirmations}x",
        )
    return table


def _named(fact: FactRecord) -> str:
    qualifiers = ", ".join(f"{name} {value}" for name, value in sorted(fact.qualifiers.items()))
    name = fact.predicate.replace("_", " ")
    return f"{name} ({qualifiers})" if qualifiers else name


def _day(moment: datetime | None) -> str:
    return "-" if moment is None else moment.date().isoformat()
