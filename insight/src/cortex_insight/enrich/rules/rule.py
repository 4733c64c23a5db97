"""What a rule is, and how one is applied to a clause."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import Claim
from roxabi_contracts.payloads import ClaimAction, ClaimKind

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.clauses import Clause
from cortex_insight.enrich.rules.lexicon import DOMAINS
from cortex_insight.enrich.rules.validity import validity
from cortex_insight.enrich.rules.values import Form

CREATE: Final = ClaimAction.CREATE
SUPERSEDE: Final = ClaimAction.SUPERSEDE
RETRACT: Final = ClaimAction.RETRACT


@dataclass(frozen=True)
class Says:
    """One claim of a rule: a predicate, and which group of the pattern holds its value."""

    predicate: str
    form: Form
    action: ClaimAction = CREATE
    value: str = "value"
    former: str | None = None
    """The group of what held before, which has to be of the same form."""
    kind: ClaimKind = ClaimKind.ATTRIBUTE


@dataclass(frozen=True)
class Rule:
    """A pattern that a clause begins with, and what such a clause claims."""

    name: str
    pattern: re.Pattern[str]
    says: tuple[Says, ...]
    confidence: float
    order: bool
    """An instruction: opens its sentence, and may hold under a condition."""


def rule(
    name: str, pattern: str, *says: Says, confidence: float = 0.9, order: bool = False
) -> Rule:
    """A rule; in its pattern a blank stands for white space, ` ?` for some or none."""
    spaced = pattern.replace(" ?", r"\s*").replace(" ", r"\s+")
    compiled = re.compile(spaced, re.IGNORECASE)
    return Rule(name, compiled, says, confidence, order)


def apply(one: Rule, clause: Clause, evidence: str, said_at: datetime) -> list[Claim]:
    """What the clause claims by this rule; nothing: it is not of this form."""
    if not (clause.opens_sentence if one.order else not clause.supposed):
        return []
    found = one.pattern.match(clause.text)
    if found is None:
        return []
    return [
        Claim(
            predicate=says.predicate,
            value={"value": value},
            qualifiers=qualifiers,
            action=says.action,
            replaces={"value": former} if former and says.action is CREATE else None,
            valid=validity(clause.text, said_at, happened=_tells_change(says)),
            kind=says.kind,
            confidence=one.confidence,
            evidence=evidence,
        )
        for says in one.says
        for former in _formers(says, found)
        for value in says.form(found[says.value] or "")
        for qualifiers in _qualifiers(says, value, found)
    ]


def _tells_change(says: Says) -> bool:
    return says.action is SUPERSEDE or says.former is not None


def _formers(says: Says, found: re.Match[str]) -> tuple[str | None, ...]:
    """The former value, if the rule has one; nothing where it should stand and does not."""
    return (None,) if says.former is None else says.form(found[says.former] or "")[:1]


def _qualifiers(says: Says, value: str, found: re.Match[str]) -> list[dict[str, JsonValue]]:
    """The identifying qualifiers; nothing where a preference has no domain that can be told."""
    if says.predicate != "prefers":
        return [{}]
    groups = found.groupdict()
    domain = _domain(value, groups.get("domain"), groups.get("other"))
    return [{"domain": domain}] if domain else []


def _domain(value: str, named: str | None, other: str | None) -> str | None:
    """The domain as named, else that of either choice, else the pair of them."""
    if named is not None:
        return next(iter(values.possession(named)), None)
    known = DOMAINS.get(value.lower())
    if known or other is None:
        return known
    rejected = next(iter(values.thing(other)), None)
    if rejected is None:
        return None
    return DOMAINS.get(rejected.lower()) or " or ".join(sorted((value.lower(), rejected.lower())))
