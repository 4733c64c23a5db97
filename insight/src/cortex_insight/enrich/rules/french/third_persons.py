"""French rules for others, who have to be named in the text."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import NOW
from cortex_insight.enrich.rules.names import SOMEBODY
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_WHO: Final = rf"(?:(?:mon|ma|notre) [\w -]{{2,20}} )?{SOMEBODY}"
_AT: Final = r"(?:à|au|en|aux)"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "fr_they_no_longer_live",
        rf"{_WHO} (?:n'habite|ne vit) plus {_AT} (?P<value>.+)",
        Says("lives_in", values.place, RETRACT, about="who"),
    ),
    rule(
        "fr_they_moved",
        rf"{_WHO} (?:a (?:dé|em)ménagé|s'est installée?) {_AT} (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, about="who"),
    ),
    rule(
        "fr_they_live",
        rf"{_WHO} (?:habite|vit|réside){NOW} {_AT} (?P<value>.+)",
        Says("lives_in", values.place, about="who"),
    ),
    rule(
        "fr_they_no_longer_work",
        rf"{_WHO} ne travaille plus (?:chez|pour) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT, about="who"),
    ),
    rule(
        "fr_they_joined",
        rf"{_WHO} a (?:rejoint|été (?:embauchée?|recrutée?) chez) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, about="who"),
    ),
    rule(
        "fr_they_work_at",
        rf"{_WHO} (?:travaille|bosse){NOW} (?:chez|pour) (?P<value>.+)",
        Says("works_at", values.organisation, about="who"),
    ),
    rule(
        "fr_they_are_at",
        rf"{_WHO} est (?P<title>\w+(?: \w+){{0,3}}?) chez (?P<value>.+)",
        Says("works_at", values.organisation, about="who"),
        Says("job_title", values.trade, value="title", about="who"),
        all_or_none=True,
    ),
    rule(
        "fr_they_are",
        rf"{_WHO} est{NOW} (?P<value>.+)",
        Says("job_title", values.trade, about="who"),
    ),
    rule(
        "fr_they_are_allergic",
        rf"{_WHO} est(?: aussi| très)? allergique (?:à l'|à la |à |aux |au )(?P<value>.+)",
        Says("allergy", values.foods, about="who"),
    ),
    rule(
        "fr_their_diet",
        rf"{_WHO} est{NOW} (?P<value>\w+)",
        Says("diet", values.diet, about="who"),
    ),
)
