"""English rules for what somebody owns, drives and carries."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import HAVE
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "sold",
        rf"{HAVE} (?:sold|got rid of|gave away|given away|scrapped) (?:my|our|the) (?P<value>.+)",
        Says("owns", values.possession, RETRACT),
    ),
    rule(
        "has_no_more",
        r"(?:i|we) (?:no longer have an? (?P<value>.+)|"
        r"(?:don't|do not) have (?:an?|my) (?P<also>.+?) any ?(?:more|longer)$)",
        Says("owns", values.possession, RETRACT),
        Says("owns", values.possession, RETRACT, value="also"),
    ),
    rule(
        "traded",
        rf"{HAVE} (?:traded|swapped|exchanged)(?: in)? my (?P<former>.+?) for (?P<value>an? .+)",
        Says("owns", values.possession, former="former"),
    ),
    rule(
        "bicycles",
        r"(?:i|we)(?: own| have) (?P<value>\w+) (?:bikes|bicycles)\b",
        Says("bicycle_count", values.number),
    ),
    rule(
        "owns",
        rf"(?:(?:i|we)(?: also)? own|{HAVE} (?:bought|inherited|purchased)) (?P<value>an? .+)",
        Says("owns", values.lasting_possession),
    ),
    rule(
        "has_make",
        r"(?:i|we)(?: have|'ve got) (?P<value>an? .+)",
        Says("owns", values.product_of_a_make),
        confidence=0.8,
    ),
    rule(
        "runs_business",
        r"(?:i|we)(?: now| also)? run (?P<value>an? .+)",
        Says("owns", values.business),
        confidence=0.8,
    ),
    rule(
        "drives",
        r"i (?:drive|ride) (?P<value>an? .+)",
        Says("vehicle", values.own_vehicle),
    ),
    rule("car_model", r"(?:my|our) car is (?P<value>an? .+)", Says("car_model", values.make)),
    rule(
        "computer_model",
        r"my (?:laptop|computer|desktop|work machine) is (?P<value>an? .+)",
        Says("computer_model", values.make),
    ),
    rule("phone_model", r"my phone is (?P<value>an? .+)", Says("phone_model", values.make)),
)
