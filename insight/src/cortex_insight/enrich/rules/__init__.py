"""Claims from plain prose by rules alone, English and French; precision before recall."""

from datetime import datetime
from typing import Final

from roxabi_contracts import ActorKind, ActorRef, Claim

from cortex_insight.enrich.port import SpeechContext
from cortex_insight.enrich.rules import english, french
from cortex_insight.enrich.rules.clauses import Clause, clauses
from cortex_insight.enrich.rules.table import Table

_TABLES: Final = (
    Table.of((*english.INTRODUCTIONS, *french.INTRODUCTIONS)),
    Table.of((*english.RULES, *french.RULES)),
)
"""A clause may introduce somebody and say something besides."""


class RuleEnricher:
    """Reads claims by rules: deterministic, and linear in the length of the text."""

    version: int = 5

    def claims(self, text: str, author: ActorRef, context: SpeechContext) -> tuple[Claim, ...]:
        """What a person says of themself, and of others by name; the clause is the evidence."""
        if author.kind is not ActorKind.PERSON:
            return ()
        return claims_in(text, context.said_at)


def claims_in(text: str, said_at: datetime) -> tuple[Claim, ...]:
    """The claims of a text in its order."""
    return tuple(claim for clause in clauses(text) for claim in _claims_of(clause, text, said_at))


def _claims_of(clause: Clause, text: str, said_at: datetime) -> list[Claim]:
    evidence = text[clause.start : clause.end]
    return [claim for table in _TABLES for claim in table.claims(clause, evidence, said_at)]
