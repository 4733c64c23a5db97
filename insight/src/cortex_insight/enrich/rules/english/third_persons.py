"""English rules for others, who have to be named in the text."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import NOW
from cortex_insight.enrich.rules.names import SOMEBODY
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_WHO: Final = rf"(?:(?:my|our) [\w -]{{2,20}} )?{SOMEBODY}"
_HAS: Final = r"(?: has)?(?: just| recently| finally)*"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "they_no_longer_live",
        rf"{_WHO} no longer lives in (?P<value>.+)",
        Says("lives_in", values.place, RETRACT, about="who"),
    ),
    rule(
        "they_moved",
        rf"{_WHO}{_HAS} (?:moved|relocated)(?: back)? to (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, about="who"),
    ),
    rule(
        "they_live",
        rf"{_WHO}{NOW} (?:lives|is (?:living|based)) in (?P<value>.+)",
        Says("lives_in", values.place, about="who"),
    ),
    rule(
        "they_no_longer_work",
        rf"{_WHO} no longer works (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT, about="who"),
    ),
    rule(
        "they_left_for",
        rf"{_WHO}{_HAS} left (?P<former>.+?) (?:for|to join|and joined) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, former="former", about="who"),
    ),
    rule(
        "they_joined",
        rf"{_WHO}{_HAS} (?:joined|started (?:working )?(?:at|for)) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, about="who"),
    ),
    rule(
        "they_work_as_at",
        rf"{_WHO}{NOW} (?:works as|is) (?P<title>an? .+?) (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, about="who"),
        Says("job_title", values.profession, value="title", about="who"),
        all_or_none=True,
    ),
    rule(
        "they_work_at",
        rf"{_WHO}{NOW} works (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, about="who"),
    ),
    rule(
        "they_are",
        rf"{_WHO}{NOW} (?:works as|is) (?P<value>an? .+)",
        Says("job_title", values.profession, about="who"),
    ),
    rule(
        "they_are_allergic",
        rf"{_WHO} is(?: also| very| severely)* allergic to (?P<value>.+)",
        Says("allergy", values.foods, about="who"),
    ),
    rule(
        "their_diet",
        rf"{_WHO}{NOW} is (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet, about="who"),
    ),
)
