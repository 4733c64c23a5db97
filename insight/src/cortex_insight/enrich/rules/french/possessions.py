"""French rules for what somebody owns, drives and carries."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import HAVE, WE
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "fr_sold",
        rf"{HAVE} (?:vendu|jeté|donné) (?:m(?:on|a|es)|notre|nos|le|la|les) (?P<value>.+)",
        Says("owns", values.possession, RETRACT),
    ),
    rule(
        "fr_has_no_more",
        r"(?:je n'ai|nous n'avons|on n'a) plus (?:de |d')(?P<value>.+)",
        Says("owns", values.belonging, RETRACT),
    ),
    rule(
        "fr_owns",
        rf"(?:je possède|{HAVE} (?:acheté|hérité d')|(?:je viens|{WE}vient) d'acheter) ?"
        r"(?P<value>une? .+)",
        Says("owns", values.lasting_possession),
    ),
    rule(
        "fr_has_make",
        r"(?:j'ai|nous avons|on a) (?P<value>une? .+)",
        Says("owns", values.product_of_a_make),
        confidence=0.8,
    ),
    rule(
        "fr_drives",
        r"je (?:conduis|roule en) (?P<value>.+)",
        Says("vehicle", values.driven),
    ),
    rule(
        "fr_car_model",
        r"(?:ma|notre) voiture(?: est|,? c'est) (?P<value>une? .+)",
        Says("car_model", values.make),
    ),
    rule(
        "fr_computer_model",
        r"mon (?:ordinateur|portable|pc)(?: est|,? c'est) (?P<value>une? .+)",
        Says("computer_model", values.make),
    ),
    rule(
        "fr_phone_model",
        r"mon (?:téléphone|smartphone)(?: est|,? c'est) (?P<value>une? .+)",
        Says("phone_model", values.make),
    ),
)
