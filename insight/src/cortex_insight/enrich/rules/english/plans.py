"""English rules for what somebody plans, promises and has decided."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import HAVE, WE_ARE
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_SHALL: Final = r"(?:i'll|i will|we'll|we will)"
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
        "decided_not",
        rf"(?:[\w ]+, )?{HAVE}(?: both| all)? decided (?:against|not to) (?P<value>.+)",
        _REJECTED,
        wished=True,
    ),
    rule(
        "decided",
        rf"(?:[\w ]+, )?{HAVE}(?: both| all)? (?:decided|agreed|resolved) (?:to|on|that we|that i) "
        r"(?P<value>.+)",
        _ACCEPTED,
        wished=True,
    ),
    rule("mind_made_up", rf"{HAVE} made up (?:my|our) minds? to (?P<value>.+)", _ACCEPTED),
    rule("decision", r"decision: (?:we|i)(?: will|'ll)? (?P<value>.+)", _ACCEPTED, wished=True),
    rule(
        "chose",
        rf"{HAVE} (?:chosen|chose|opted for|settled on|picked) (?P<value>.+?)(?: over .+)?$",
        _CHOSEN,
    ),
    rule(
        "going_with",
        rf"{WE_ARE} going with (?P<value>.+)",
        Says(
            "decision_status",
            values.product_chosen,
            fixed="accepted",
            qualifier="decision",
            lasts=False,
        ),
    ),
    rule(
        "went_with",
        rf"{HAVE} (?:went|gone) with (?P<value>(?:option|plan|version) .+?)(?: after.*)?$",
        _CHOSEN,
    ),
    rule(
        "ended_up_with",
        rf"{HAVE} ended up (?:going with|choosing|picking|with) (?P<value>.+?)(?: in the end.*)?$",
        Says(
            "decision_status",
            values.product_chosen,
            fixed="accepted",
            qualifier="decision",
            lasts=False,
        ),
    ),
)

_PLANS: Final = (
    rule(
        "no_longer_plans",
        rf"{WE_ARE} no longer (?:planning|going) to (?P<value>.+)",
        Says("plan", values.intention, RETRACT),
        wished=True,
    ),
    rule(
        "travels",
        rf"{WE_ARE} (?:(?:flying|travell?ing|driving|off|heading)(?: off)? to|leaving for) "
        r"(?P<value>.+)",
        Says("travels_to", values.place, lasts=False),
    ),
    rule(
        "going_somewhere",
        rf"{WE_ARE} going to (?P<value>.+)",
        Says("travels_to", values.dated_place, lasts=False),
        wished=True,
    ),
    rule(
        "plans",
        rf"(?:{WE_ARE} planning to|(?:i|we)(?: still)? (?:(?:plan|intend) to|plan on)|my "
        r"plan is to) "
        r"(?P<value>.+)",
        Says("plan", values.intention, lasts=False),
        wished=True,
    ),
    rule(
        "going_to",
        rf"{WE_ARE} going to (?P<value>.+)",
        Says("plan", values.dated_deed, lasts=False),
        confidence=0.8,
        wished=True,
    ),
    rule("goal", r"(?:my|our) goal is to (?P<value>.+)", Says("goal", values.deed, lasts=False)),
    rule(
        "wants_to_become",
        r"i want to (?P<value>become .+)",
        Says("goal", values.deed, lasts=False),
        wished=True,
    ),
    rule("dream", r"my dream is to (?P<value>.+)", Says("dream", values.intention, lasts=False)),
)

_PROMISES: Final = (
    rule(
        "promises",
        r"(?:i|we) (?:promise|commit)(?: you)? to (?P<value>.+)",
        Says("commitment", values.intention, lasts=False),
    ),
    rule(
        "takes_care",
        rf"{_SHALL} (?P<value>(?:take care of|look after|see to) .+)",
        Says("commitment", values.intention, lasts=False),
    ),
    rule(
        "will_do",
        rf"{_SHALL} (?P<value>.+)",
        Says("commitment", values.dated_service, lasts=False),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_DECISIONS, *_PLANS, *_PROMISES)
