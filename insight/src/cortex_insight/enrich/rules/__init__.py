"""Claims from first-person prose by rules alone, English and French; precision before recall."""

from datetime import datetime
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, Claim

from cortex_insight.enrich.port import SpeechContext
from cortex_insight.enrich.rules import (
    english_life,
    english_wishes,
    english_work,
    french_life,
    french_work,
)
from cortex_insight.enrich.rules.clauses import Clause, clauses
from cortex_insight.enrich.rules.rule import apply

_RULES: Final = (
    *english_wishes.RULES,
    *english_life.RULES,
    *english_work.RULES,
    *french_life.RULES,
    *french_work.RULES,
)


class RuleEnricher:
    """Reads claims by rules: deterministic, and linear in the length of the text."""

    version: int = 2

    def claims(self, text: str, author: ActorRef, context: SpeechContext) -> tuple[Claim, ...]:
        """What the author says of themself, each with its clause as evidence."""
        if author.kind is not ActorKind.PERSON:
            return ()
        return first_person_claims(text, context.said_at)


def first_person_claims(text: str, said_at: datetime) -> tuple[Claim, ...]:
    """The claims of a text in its order; a clause counts for the first rule that fits."""
    return tuple(claim for clause in clauses(text) for claim in _claims_of(clause, text, said_at))


def _claims_of(clause: Clause, text: str, said_at: datetime) -> list[Claim]:
    evidence = text[clause.start : clause.end]
    for rule in _RULES:
        claims = apply(rule, clause, evidence, said_at)
        if claims:
            return claims
    return []
