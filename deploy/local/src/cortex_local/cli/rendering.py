"""Packets, traces and facts as people read them."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from roxabi_contracts.context import (
    ContextPacket,
    ContextTrace,
    PacketFact,
    TracedCandidate,
    TraceDecision,
)
from roxabi_contracts.decisions import ConflictRecord
from roxabi_contracts.names import PredicateRecord, VerdictRecord
from roxabi_contracts.operations import (
    DecisionRecord,
    FactExplanation,
    FactRecord,
    FactsReply,
    FactStatus,
)
from roxabi_contracts.render import (
    one_line,
    render_episode,
    render_fact,
    render_value,
    why_empty,
)

SHORT_ID: Final = 8
"""Digits of an id that are shown; more are hardly ever needed."""

_DECISION_STYLES: Final = {
    TraceDecision.INCLUDED: "green",
    TraceDecision.EXCLUDED: "dim",
    TraceDecision.BLOCKED: "red",
}
_DAYS: Final = frozenset({"from", "until", "opened", "settled", "said on"})
_DAY_WIDTH: Final = len("2026-01-01")
_STATUS_STYLES: Final = {
    FactStatus.ACTIVE: "green",
    FactStatus.CANDIDATE: "cyan",
    FactStatus.DISPUTED: "yellow",
    FactStatus.SUPERSEDED: "dim",
}


def packet_view(packet: ContextPacket, owners: Sequence[str]) -> RenderableType:
    """What memory serves: facts, episodes, warnings, and what it cost.

    `owners` are whose memories were asked: one alone stands for whom memory has no name for.
    """
    parts: list[RenderableType] = []
    if packet.facts:
        named = [_named_fact(fact, owners) for fact in packet.facts]
        parts += [Text("Facts", style="bold"), *(_text(render_fact(fact)) for fact in named)]
    if packet.episodes:
        parts += [
            Text("Episodes", style="bold"),
            *(_text(render_episode(episode)) for episode in packet.episodes),
        ]
    if not parts:
        parts.append(Text(why_empty(packet), style="dim"))
    parts += [_text(f"Warning: {warning}", style="yellow") for warning in packet.warnings]
    parts.append(Text(f"{packet.tokens} tokens", style="dim"))
    return Group(*parts)


def trace_view(trace: ContextTrace) -> RenderableType:
    """Every candidate with the decision on it, the terms of its score, and its price."""
    table = Table("decision", "reason", "score", "tokens", "candidate", box=None, pad_edge=False)
    for candidate in trace.candidates:
        table.add_row(
            _text(candidate.decision, style=_DECISION_STYLES[candidate.decision]),
            candidate.reason,
            _score(candidate),
            "-" if candidate.tokens is None else str(candidate.tokens),
            _text(candidate.text or f"{candidate.kind} {candidate.id}"),
        )
    took = "" if trace.duration_ms is None else f" in {trace.duration_ms:.0f} ms"
    caption = f"Trace {trace.trace_id}: {len(trace.candidates)} candidates{took}"
    counts = Counter(f"{one.decision}, {one.reason}" for one in trace.candidates)
    summary = "; ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    return Group(Text(caption, style="bold"), _text(summary, style="dim"), table)


def facts_view(reply: FactsReply, facts: Iterable[FactRecord], owner: str) -> RenderableType:
    """One line per fact: what, its status, and when it held.

    `owner` stands for whose memory it is, where memory has no name for them.
    """
    return fact_rows(
        fact.model_copy(update={"about_name": owner})
        if fact.about_name is None and fact.about == reply.subject
        else fact
        for fact in facts
    )


def fact_rows(facts: Iterable[FactRecord]) -> Table:
    """One line per fact."""
    table = _table("id", "about", "fact", "status", "from", "until", "said")
    for fact in facts:
        table.add_row(
            _text(_short(fact.id), style="dim"),
            _text(fact.about_name or _short(fact.about)),
            _text(f"{_predicate(fact)}: {_value(fact)}"),
            _status(fact),
            _day(fact.valid_from),
            _day(fact.valid_until),
            str(fact.confirmations + 1),
        )
    return table


def conflicts_view(conflicts: Iterable[ConflictRecord]) -> RenderableType:
    """One line per conflict: about what, since when, and the values."""
    table = _table("id", "about", "predicate", "opened", "settled", "values")
    for conflict in conflicts:
        table.add_row(
            _text(_short(conflict.id), style="dim"),
            _text(conflict.about_name or _short(conflict.about)),
            _text(conflict.predicate.replace("_", " ")),
            _day(conflict.opened_at),
            _day(conflict.settled_at),
            _text(" | ".join(map(_value, conflict.members))),
        )
    return table


def predicates_view(predicates: Iterable[PredicateRecord]) -> RenderableType:
    """One line per predicate: its names, how much is said under them, and who knows them."""
    table = _table("predicate", "said as", "sayings", "memories", "from", "known as")
    for one in predicates:
        table.add_row(
            _text(one.name),
            _text(", ".join(one.names) or "-"),
            str(one.sayings),
            str(one.memories),
            _text(_layers(one)),
            _text(one.description or "-"),
        )
    return table


def _layers(predicate: PredicateRecord) -> str:
    """Who has the predicate in the catalogue, and which of its names somebody else has."""
    layer = predicate.layers.get(predicate.name)
    others = [
        f"{name}: {other}"
        for name, other in sorted(predicate.layers.items())
        if other is not layer and name != predicate.name
    ]
    return ", ".join([layer or "-", *others])


def verdicts_view(verdicts: Iterable[VerdictRecord]) -> RenderableType:
    """One line per verdict; what another stands over is dim."""
    table = _table("said on", "names", "are", "by", "because")
    for one in verdicts:
        day = "" if one.decided_at is None else one.decided_at.date().isoformat()
        table.add_row(
            day,
            _text(f"{one.first}, {one.second}"),
            "one" if one.same else "two",
            _text(one.decided_by or one.decider or "-"),
            _text(one.reason or ""),
            style=None if one.stands else "dim",
        )
    return table


def explanation_view(explanation: FactExplanation) -> RenderableType:
    """Every saying behind a fact, with its words, and every decision on it."""
    said = _table("said on", "by", "action", "authority", "counts", "words")
    for one in explanation.assertions:
        said.add_row(
            _day(one.said_at),
            _text(f"{one.source} {one.source_ref}"),
            _text(f"{one.action} {one.predicate.replace('_', ' ')}"),
            str(one.authority),
            "yes" if one.counted else "no",
            _text("(erased)" if one.evidence is None else one.evidence),
        )
    parts: list[RenderableType] = [Text("\nWhat was said", style="bold"), said]
    if explanation.decisions:
        parts += [
            Text("\nWhat was decided", style="bold"),
            *(_text(_decision(one)) for one in explanation.decisions),
        ]
    return Group(*parts)


def _table(*titles: str) -> Table:
    """Columns without lines; a narrow terminal folds words and never cuts a date in two."""
    table = Table(box=None, pad_edge=False)
    for title in titles:
        is_day = title in _DAYS
        table.add_column(title, overflow="fold", min_width=_DAY_WIDTH if is_day else None)
    return table


def _decision(decision: DecisionRecord) -> str:
    because = "" if decision.reason is None else f": {decision.reason}"
    return f"{_day(decision.decided_at)} {decision.action} by {decision.decided_by}{because}"


def _text(text: str, style: str = "") -> Text:
    return Text(one_line(text), style=style)


def _score(candidate: TracedCandidate) -> str:
    """The score and what it is made of; a blocked fact has none."""
    if candidate.score is None:
        return "-"
    terms = " + ".join(f"{name} {term:.3f}" for name, term in candidate.terms.items() if term)
    return f"{candidate.score:.3f} = {terms}" if terms else f"{candidate.score:.3f}"


def _named_fact(fact: PacketFact, owners: Sequence[str]) -> PacketFact:
    if fact.about_name or fact.about != fact.subject or len(owners) != 1:
        return fact
    return fact.model_copy(update={"about_name": owners[0]})


def _status(fact: FactRecord) -> Text:
    if fact.conflict_id:
        return _text(f"{fact.status} (contested)", style="yellow")
    return _text(fact.status, style=_STATUS_STYLES.get(fact.status, ""))


def _short(identity: str) -> str:
    """The beginning of an id, by which commands know it."""
    return identity[:SHORT_ID]


def _value(fact: FactRecord) -> str:
    return "(erased)" if fact.value is None else render_value(fact.value)


def _predicate(fact: FactRecord) -> str:
    qualifiers = ", ".join(f"{name} {value}" for name, value in sorted(fact.qualifiers.items()))
    name = fact.predicate.replace("_", " ")
    return f"{name} ({qualifiers})" if qualifiers else name


def _day(moment: datetime | None) -> str:
    return "-" if moment is None else moment.date().isoformat()
