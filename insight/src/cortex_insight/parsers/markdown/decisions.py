"""Decisions that a note records as such: decision records, headings, and lines that say so."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from roxabi_contracts.payloads import DecisionStatus

from cortex_insight.parsers.markdown.front_matter import Front, all_of, first_of
from cortex_insight.parsers.markdown.inline import link_text
from cortex_insight.parsers.markdown.sections import Section

_WORDS: Final = {
    DecisionStatus.REVERSED: (
        "superseded", "supersede", "replaced", "deprecated", "reversed", "obsolete", "retired",
        "withdrawn", "revoked", "remplacé", "remplacée", "annulé", "annulée", "obsolète",
    ),
    DecisionStatus.REJECTED: ("rejected", "declined", "refused", "rejeté", "rejetée", "refusé"),
    DecisionStatus.PROPOSED: (
        "proposed", "draft", "pending", "rfc", "review", "discussion", "proposé", "proposée",
        "brouillon",
    ),
    DecisionStatus.ACCEPTED: (
        "accepted", "approved", "adopted", "decided", "implemented", "final", "agreed", "done",
        "active", "accepté", "acceptée", "adopté", "adoptée", "décidé",
    ),
}  # fmt: skip
"""What ends a decision comes first: a record keeps the words of its former status."""

_NAMED: Final = re.compile(
    r"(?:ADR[ -]?\d+\s*[:.–-]?\s*)?(?:decision|decided|décision|décidé)(?:\s+\d+)?"
    r"\s*(?::|\s[–—-]\s)\s*(\S.*)",
    re.IGNORECASE,
)
_LINE: Final = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?[*_]{0,2}(?:decision|decided|décision|décidé)[*_]{0,2}"
    r"\s*:\s*[*_]{0,2}\s*(\S.*)",
    re.IGNORECASE,
)
_NUMBER: Final = re.compile(r"(?:ADR|MADR)?[ -]?\d{1,5}\s*[:.)–—-]+\s*|ADR\s*[:–—-]\s*", re.I)
_STATED: Final = re.compile(
    r"\s*(?:[-*+]\s+)?[*_]{0,2}(status|statut|date|deciders?|decision[- ]makers?|décideurs?)"
    r"[*_]{0,2}\s*:\s*[*_]{0,2}\s*(\S.*)",
    re.IGNORECASE,
)
_CHOSEN: Final = re.compile(r"chosen option\W*:?\W*\"?([^\",\n]+)", re.IGNORECASE)
_BECAUSE: Final = re.compile(r"\b(?:because|since|parce que|car)\b.*", re.IGNORECASE)
_ITEM: Final = re.compile(r"(?:[-*+]|\d+[.)])\s+(\S.*)$")
_RATIONALE: Final = 2000


@dataclass(frozen=True)
class DecisionRecord:
    """What a note that is a decision record says beside its decision."""

    title: str
    status: DecisionStatus
    section: Section
    """The one that holds the decision."""
    quiet: tuple[Section, ...]
    """Those that hold nothing but its status."""
    rationale: str | None
    alternatives: tuple[str, ...]
    deciders: tuple[str, ...]
    day: str | None


def heading_decision(text: str) -> str | None:
    """What a heading says was decided."""
    found = _NAMED.fullmatch(text)
    return found[1].strip() if found else None


def line_decisions(lines: Iterable[str]) -> Iterator[str]:
    """The lines that say of themselves that they are decisions."""
    in_code = False
    for line in lines:
        if line.lstrip().startswith(("```", "~~~")):
            in_code = not in_code
        found = None if in_code else _LINE.fullmatch(line)
        if found is not None:
            yield found[1].strip(" *_")[:500]


def status_of(text: str) -> DecisionStatus | None:
    """The status that a text names; null: none."""
    words = set(re.findall(r"[^\W\d_]+", text.casefold()))
    return next((status for status, names in _WORDS.items() if words & set(names)), None)


def stated_in(lines: Iterable[str], *names: str) -> str | None:
    """The value of a line such as `Status: accepted`."""
    for line in lines:
        found = _STATED.fullmatch(line)
        if found is not None and found[1].casefold().startswith(names):
            return found[2].strip(" *_")
    return None


def read_record(
    title: str | None, front: Front, sections: Sequence[Section]
) -> DecisionRecord | None:
    """The decision record that a note is: it has a status, a decision, and where this came from."""
    named = {_plain(section): section for section in reversed(sections) if section.above}
    decision = _first(named, "decision", "decision outcome", "décision")
    context = _first(named, "context", "context and problem statement", "contexte")
    own = _first(named, "status", "statut")
    top = [line for section in sections[:2] for line in section.lines]
    status = status_of(
        first_of(front, "status") or " ".join(own.lines if own else ())
        or stated_in(top, "status", "statut") or ""
    )  # fmt: skip
    if decision is None or context is None or status is None or title is None:
        return None
    options = _first(named, "considered options", "options", "alternatives")
    dated = [*(own.lines if own else ()), *top]
    return DecisionRecord(
        title=_NUMBER.sub("", title, count=1).strip() or title,
        status=status,
        section=decision,
        quiet=(own,) if own else (),
        rationale=_rationale(decision, context),
        alternatives=_alternatives(decision, options),
        deciders=_deciders(front, top),
        day=first_of(front, "date") or stated_in(dated, "date"),
    )


def _deciders(front: Front, top: Sequence[str]) -> tuple[str, ...]:
    stated = all_of(front, "deciders", "decider", "decision_makers", "decided_by")
    line = stated_in(top, "decid", "decision", "décid")
    named = stated or ((line,) if line else ())
    return tuple(
        name.strip()[:200]
        for one in named
        for name in re.split(r"\s*[,;]\s*|\s+(?:and|et)\s+", link_text(one))
        if name.strip()
    )[:20]


def _rationale(decision: Section, context: Section) -> str | None:
    because = _BECAUSE.search(" ".join(decision.lines))
    told = because[0] if because else "\n".join(context.lines).strip()
    return told[:_RATIONALE] or None


def _alternatives(decision: Section, options: Section | None) -> tuple[str, ...]:
    if options is None:
        return ()
    listed = [found[1].strip(" *_") for line in options.lines if (found := _ITEM.match(line))]
    chosen = _CHOSEN.search(" ".join(decision.lines))
    taken = chosen[1].strip().casefold() if chosen else ""
    return tuple(link_text(one)[:300] for one in listed if link_text(one).casefold() != taken)[:20]


def _first(named: dict[str, Section], *names: str) -> Section | None:
    return next((named[name] for name in names if name in named), None)


def _plain(section: Section) -> str:
    return re.sub(r"^[\d.]+\s+", "", section.above[-1].text).strip(" :").casefold()
