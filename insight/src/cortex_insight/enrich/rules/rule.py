"""What a rule is, and how one is applied to a clause."""

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from pydantic import JsonValue
from roxabi_contracts import Claim, bundled_catalogue
from roxabi_contracts.payloads import ClaimAction, ClaimKind

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.clauses import Clause
from cortex_insight.enrich.rules.domains import domain
from cortex_insight.enrich.rules.validity import validity
from cortex_insight.enrich.rules.values import Form

CREATE: Final = ClaimAction.CREATE
SUPERSEDE: Final = ClaimAction.SUPERSEDE
RETRACT: Final = ClaimAction.RETRACT

_AT_PRESENT: Final = (
    r"(?:(?:now|right now|currently|at the moment|maintenant|actuellement|en ce moment),? )?"
)
"""Any clause may begin with it."""


@dataclass(frozen=True)
class Says:
    """One claim of a rule: a predicate, and which group of the pattern holds its value."""

    predicate: str
    form: Form
    action: ClaimAction = CREATE
    value: str = "value"
    former: str | None = None
    """The group of what held before, which has to be of the same form."""
    about: str | None = None
    """The group of the name of whom it is about; null: the speaker."""
    fixed: str | None = None
    """What is claimed in place of what the group says; null: just that."""
    qualifier: str | None = None
    """Of which qualifier the group says the value, beside a fixed one."""
    lasts: bool = True
    """What the clause says of time is about the claim, not about a part of it."""


@dataclass(frozen=True)
class Rule:
    """A pattern that a clause begins with, and what such a clause claims."""

    name: str
    pattern: re.Pattern[str]
    says: tuple[Says, ...]
    confidence: float = 0.9
    opens: bool = False
    """The clause has to open its sentence."""
    supposed: bool = False
    """The clause may hold under a condition."""
    wished: bool = False
    """The clause may tell what shall or may be."""
    event: bool = False
    """The clause tells what happened, so that its `in March` is when the claim began."""
    all_or_none: bool = False
    """Each part has to say something."""


def rule(
    name: str,
    pattern: str,
    *says: Says,
    confidence: float = 0.9,
    order: bool = False,
    opens: bool = False,
    wished: bool = False,
    event: bool = False,
    all_or_none: bool = False,
) -> Rule:
    """A rule; in its pattern a blank stands for white space, ` ?` for some or none.

    Args:
        name: For whoever asks which rule it was.
        pattern: What a clause begins with, in whatever case.
        says: What such a clause claims.
        confidence: How sure that is.
        order: An instruction: opens its sentence, and may hold under a condition.
        opens: As `Rule.opens`; the others, too.
        wished: See there.
        event: See there.
        all_or_none: See there.
    """
    spaced = (_AT_PRESENT + pattern).replace(" ?", r"\s*").replace(" ", r"\s+")
    return Rule(
        name,
        re.compile(spaced, re.IGNORECASE),
        says,
        confidence=confidence,
        opens=opens or order,
        supposed=order,
        wished=wished,
        event=event,
        all_or_none=all_or_none,
    )


def apply(one: Rule, clause: Clause, evidence: str, said_at: datetime) -> list[Claim]:
    """What the clause claims by this rule; nothing: it is not of this form."""
    if (
        (one.opens and not clause.opens_sentence)
        or (clause.supposed and not one.supposed)
        or (clause.wished and not one.wished)
    ):
        return []
    found = one.pattern.match(clause.text)
    if found is None:
        return []
    parts = [_claims(one, says, found, clause, evidence, said_at) for says in one.says]
    if one.all_or_none and not all(parts):
        return []
    return [claim for part in parts for claim in part]


def _claims(
    one: Rule,
    says: Says,
    found: re.Match[str],
    clause: Clause,
    evidence: str,
    said_at: datetime,
) -> list[Claim]:
    happened = one.event or says.action is SUPERSEDE or says.former is not None
    lasts = says.lasts and says.action is not RETRACT
    return [
        Claim(
            about=about,
            predicate=says.predicate,
            value={"value": says.fixed or value},
            qualifiers=qualifiers,
            action=says.action,
            replaces={"value": former} if former and says.action is CREATE else None,
            valid=validity(clause.lead + clause.text, said_at, happened=happened)
            if lasts
            else None,
            kind=_kind(says.predicate),
            confidence=one.confidence,
            evidence=evidence,
        )
        for about in _persons(says, found)
        for former in _formers(says, found)
        for value in says.form(found[says.value] or "")
        for qualifiers in _qualifiers(says, value, found)
    ]


def _kind(name: str) -> ClaimKind:
    predicate = bundled_catalogue().lookup(name)
    return ClaimKind.ATTRIBUTE if predicate is None else predicate.kind


def _persons(says: Says, found: re.Match[str]) -> tuple[str | None, ...]:
    """Whom it is about; nobody where the name is none."""
    return (None,) if says.about is None else values.introduced(found[says.about])


def _formers(says: Says, found: re.Match[str]) -> tuple[str | None, ...]:
    """The former value, if the rule has one; nothing where it should stand and does not."""
    return (None,) if says.former is None else says.form(found[says.former] or "")[:1]


def _qualifiers(says: Says, value: str, found: re.Match[str]) -> list[dict[str, JsonValue]]:
    """The identifying qualifiers; nothing where a preference has no domain that can be told."""
    if says.qualifier is not None:
        return [{says.qualifier: value}]
    if says.predicate != "prefers":
        return [{}]
    groups = found.groupdict()
    told = domain(value, groups.get("domain"), groups.get("other"))
    return [{"domain": told}] if told else []
