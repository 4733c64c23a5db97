"""English rules for health and food."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, HAVE, NOW
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_DIET: Final = (
    rule(
        "follows_diet",
        rf"(?:{AM} on|i follow|i keep to|i stick to) an? (?P<value>\w[\w-]*) diet\b",
        Says("diet", values.diet),
    ),
    rule(
        "eats_diet",
        r"(?:i|we)(?: only| strictly)? eat (?P<value>halal|kosher|vegan|vegetarian|keto|"
        r"gluten-free)"
        r"(?: food)?$",
        Says("diet", values.diet),
    ),
    rule(
        "drinks_no_alcohol",
        rf"(?:i (?:don't|do not|no longer|never) (?P<value>drink)|"
        rf"{HAVE} (?:quit|stopped|given up|gave up) (?P<also>drinking))(?: any ?more| at all|"
        r" \w+ \w+ ago)?$",
        Says("avoids_food", values.token, fixed="alcohol"),
        Says("avoids_food", values.token, value="also", fixed="alcohol"),
        event=True,
    ),
    rule(
        "cannot_have",
        r"(?:i|we) (?:can't|cannot|can not|mustn't|avoid|avoid eating) (?:have |eat |drink "
        r")?(?:any )?"
        r"(?P<value>.+)",
        Says("avoids_food", values.known_foods_never),
    ),
    rule(
        "no_longer_diet",
        rf"{AM} (?:no longer|not) (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet, RETRACT),
    ),
    rule(
        "became_diet",
        r"(?:i became|i've become|i went|i've gone|i turned) (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet, SUPERSEDE),
    ),
    rule(
        "diet",
        rf"(?:{AM}|i've been|i have been){NOW}(?: strictly)? (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet),
    ),
    rule(
        "avoids_food",
        r"(?:i|we) (?:don't|do not|no longer|never|dont|can't|cannot) (?:eat|drink)(?: any)? "
        r"(?P<value>.+)",
        Says("avoids_food", values.foods_never),
    ),
    rule(
        "quit_food",
        rf"{HAVE} (?:(?:stopped|quit|given up|gave up) (?:eating|drinking)|(?:gave|given) up) "
        r"(?P<value>.+)",
        Says("avoids_food", values.known_foods),
        event=True,
    ),
    rule(
        "smokes_no_more",
        rf"{HAVE} (?P<value>quit|stopped|gave up|given up) smoking\b",
        Says("smoking_status", values.token, SUPERSEDE, fixed="non-smoker"),
    ),
    rule(
        "does_not_smoke",
        r"i (?:don't|do not|never) (?P<value>smoke)$",
        Says("smoking_status", values.token, fixed="non-smoker"),
    ),
)

_BODY: Final = (
    rule(
        "allergy",
        rf"{AM}(?: very| severely| also| deathly| really)* allergic to (?P<value>.+)",
        Says("allergy", values.foods),
        confidence=0.95,
    ),
    rule(
        "allergy_noun",
        r"i have an?(?: (?:severe|bad|mild|serious|strong))? (?P<value>\w+) allergy",
        Says("allergy", values.thing),
    ),
    rule(
        "intolerance",
        rf"{AM} (?P<value>lactose|gluten|histamine|fructose)[ -]intolerant",
        Says("intolerance", values.thing),
    ),
    rule(
        "cannot_tolerate",
        rf"(?:i (?:can't|cannot|don't) (?:tolerate|digest)|{AM} intolerant to) (?P<value>.+)",
        Says("intolerance", values.foods),
    ),
    rule(
        "condition",
        rf"(?:i have|i've got|i suffer from|i live with|i've had|{AM}) (?:an? )?(?P<value>.+)",
        Says("medical_condition", values.condition),
    ),
    rule(
        "diagnosed",
        r"i(?: was|'ve been| have been| got) diagnosed with (?P<value>.+)",
        Says("medical_condition", values.thing),
        event=True,
    ),
    rule(
        "medication",
        rf"(?:i(?: now| also)* take|{AM}(?: now)? (?:taking|on)) (?P<value>.+)",
        Says("medication", values.medicines),
    ),
    rule(
        "medication_stopped",
        rf"(?:{HAVE} (?:stopped|quit) taking|i no longer take|{AM} no longer (?:on|taking)) "
        r"(?P<value>.+)",
        Says("medication", values.medicines, RETRACT),
    ),
    rule(
        "blood_type",
        r"my blood (?:type|group) is (?P<value>(?:ab|a|b|o) ?(?:positive|negative|[+-]))",
        Says("blood_type", values.token),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_DIET, *_BODY)
