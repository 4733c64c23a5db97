"""French rules for what somebody plans, promises and has decided."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import HAVE
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_ACCEPTED: Final = Says(
    "decision_status", values.resolution, fixed="accepted", qualifier="decision", lasts=False
)
_CHOSEN: Final = Says(
    "decision_status", values.choice_made, fixed="accepted", qualifier="decision", lasts=False
)
_REJECTED: Final = Says(
    "decision_status", values.resolution, fixed="rejected", qualifier="decision", lasts=False
)

_DECISIONS: Final = (
    rule(
        "fr_decided_not",
        rf"(?:[\w ]+, )?{HAVE} décidé de ne pas (?P<value>.+)",
        _REJECTED,
        wished=True,
    ),
    rule(
        "fr_renounced",
        rf"{HAVE} renoncé (?:à la |à l'|à |aux |au )(?P<value>.+)",
        Says(
            "decision_status",
            values.choice_made,
            fixed="rejected",
            qualifier="decision",
            lasts=False,
        ),
    ),
    rule(
        "fr_decided",
        rf"(?:[\w ]+, )?(?:{HAVE} (?:décidé|convenu|choisi)|nous sommes convenus|on est "
        r"convenus) (?:de |d'(?!un))(?P<value>.+)",
        _ACCEPTED,
        wished=True,
    ),
    rule(
        "fr_chose",
        rf"{HAVE} (?:choisi|opté pour|retenu) (?P<value>.+?)(?: plutôt qu.+)?$",
        _CHOSEN,
    ),
    rule(
        "fr_going_with",
        r"(?:on part|nous partons) sur (?P<value>.+)",
        Says(
            "decision_status",
            values.product_chosen,
            fixed="accepted",
            qualifier="decision",
            lasts=False,
        ),
    ),
    rule("fr_decision", r"décision ?: (?:on|nous|je) (?P<value>.+)", _ACCEPTED, wished=True),
)

_PLANS: Final = (
    rule(
        "fr_no_longer_plans",
        r"(?:je ne prévois|je ne compte|nous ne comptons) plus (?:de |d')?(?P<value>.+)",
        Says("plan", values.intention, RETRACT),
        wished=True,
    ),
    rule(
        "fr_travels",
        r"(?:je pars|je m'envole|on part|nous partons) (?:à|au|en|aux|pour) (?P<value>.+)",
        Says("travels_to", values.place, lasts=False),
    ),
    rule(
        "fr_going_somewhere",
        r"(?:je vais|on va|nous allons) (?:à|au|en|aux) (?P<value>.+)",
        Says("travels_to", values.dated_place, lasts=False),
        wished=True,
    ),
    rule(
        "fr_plans",
        r"(?:je prévois (?:de |d')|(?:j'ai|nous avons) l'intention (?:de |d')|"
        r"(?:je compte|nous comptons) |mon projet est (?:de |d'))(?P<value>.+)",
        Says("plan", values.intention, lasts=False),
        wished=True,
    ),
    rule(
        "fr_going_to",
        r"(?:je vais|on va|nous allons) (?P<value>.+)",
        Says("plan", values.dated_deed, lasts=False),
        confidence=0.8,
        wished=True,
    ),
    rule(
        "fr_goal",
        r"(?:mon|notre) (?:but|objectif) est (?:de |d')(?P<value>.+)",
        Says("goal", values.deed, lasts=False),
    ),
    rule(
        "fr_wants_to_become",
        r"je veux (?P<value>devenir .+)",
        Says("goal", values.deed, lasts=False),
        wished=True,
    ),
    rule(
        "fr_dream",
        r"mon rêve est (?:de |d')(?P<value>.+)",
        Says("dream", values.intention, lasts=False),
    ),
)

_PROMISES: Final = (
    rule(
        "fr_promises",
        r"je (?:te |vous )?(?:promets|m'engage) (?:de |d'|à )(?P<value>.+)",
        Says("commitment", values.intention, lasts=False),
    ),
    rule(
        "fr_takes_care",
        r"je (?P<value>m'occupe (?:de |d'|des |du ).+)",
        Says("commitment", values.intention, lasts=False),
    ),
    rule(
        "fr_will_do",
        r"(?:je |j')(?P<value>(?:t'|te |vous |lui |leur )?\w+rai .+)",
        Says("commitment", values.dated_service, lasts=False),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_DECISIONS, *_PLANS, *_PROMISES)
