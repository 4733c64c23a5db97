"""A table of rules, of which the first that fits a clause counts."""

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Final, Self

from roxabi_contracts import Claim

from cortex_insight.enrich.rules.clauses import Clause
from cortex_insight.enrich.rules.rule import Rule, apply

_NAMED_GROUP: Final = re.compile(r"\(\?P<\w+>")


class Table:
    """Rules in their order; most clauses fit none, which one pattern of them all finds out."""

    def __init__(self, rules: tuple[Rule, ...], any_of_them: re.Pattern[str]) -> None:
        self._rules = rules
        self._any = any_of_them

    @classmethod
    def of(cls, rules: Iterable[Rule]) -> Self:
        """The table of these rules."""
        ordered = tuple(rules)
        unnamed = (_NAMED_GROUP.sub("(?:", one.pattern.pattern) for one in ordered)
        return cls(ordered, re.compile("|".join(f"(?:{one})" for one in unnamed), re.IGNORECASE))

    def claims(self, clause: Clause, evidence: str, said_at: datetime) -> list[Claim]:
        """What the clause claims by the first rule that it fits; nothing: it fits none."""
        if self._any.match(clause.text) is None:
            return []
        for rule in self._rules:
            claims = apply(rule, clause, evidence, said_at)
            if claims:
                return claims
        return []
