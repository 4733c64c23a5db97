"""The rules for French, family by family; where two fit, the first one counts."""

from typing import Final

from cortex_insight.enrich.rules.french import (
    health,
    identity,
    orders,
    people,
    place,
    plans,
    possessions,
    tastes,
    third_persons,
    tools,
    work,
)
from cortex_insight.enrich.rules.rule import Rule

INTRODUCTIONS: Final[tuple[Rule, ...]] = people.INTRODUCTIONS

RULES: Final[tuple[Rule, ...]] = (
    *orders.RULES,
    *place.RULES,
    *plans.RULES,
    *tastes.RULES,
    *people.RULES,
    *health.RULES,
    *possessions.RULES,
    *work.RULES,
    *tools.RULES,
    *identity.RULES,
    *third_persons.RULES,
)
