"""French rules for health and food."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import HAVE, NOW
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_TO: Final = r"(?:à l'|à la |à |aux |au )"

_DIET: Final = (
    rule(
        "fr_eats_diet",
        r"(?:je|on) mange (?P<value>halal|casher|végétarien|végane?|sans gluten)$",
        Says("diet", values.token),
    ),
    rule(
        "fr_drinks_no_alcohol",
        rf"(?:je ne (?P<value>bois) (?:pas|plus|jamais)|{HAVE} arrêté (?P<also>de boire))$",
        Says("avoids_food", values.token, fixed="alcohol"),
        Says("avoids_food", values.token, value="also", fixed="alcohol"),
    ),
    rule(
        "fr_cannot_have",
        r"(?:je ne (?:peux|dois) pas (?:manger|boire) (?:de |d')|j'évite (?:le |la |l'|les "
        r"))(?P<value>.+)",
        Says("avoids_food", values.known_foods_never),
    ),
    rule(
        "fr_no_longer_diet",
        r"je ne suis plus (?P<value>\w+)",
        Says("diet", values.diet, RETRACT),
    ),
    rule(
        "fr_became_diet",
        r"je suis devenue? (?P<value>\w+)",
        Says("diet", values.diet, SUPERSEDE),
    ),
    rule("fr_diet", rf"je suis{NOW} (?P<value>\w+)", Says("diet", values.diet)),
    rule(
        "fr_avoids_food",
        r"(?:je ne (?:mange|bois)|on ne (?:mange|boit)|nous ne (?:mangeons|buvons)) "
        r"(?:pas|plus|jamais) (?:de |d')(?P<value>.+)",
        Says("avoids_food", values.foods_never),
    ),
    rule(
        "fr_quit_food",
        rf"{HAVE} arrêté (?:de (?:manger|boire) )?(?:de l'|de la |des |du |de |d'|le |la |les |l')?"
        r"(?P<value>.+)",
        Says("avoids_food", values.known_foods),
        event=True,
    ),
    rule(
        "fr_smokes_no_more",
        rf"{HAVE} arrêté (?P<value>de fumer|la cigarette|le tabac)\b",
        Says("smoking_status", values.token, SUPERSEDE, fixed="non-smoker"),
    ),
    rule(
        "fr_does_not_smoke",
        r"je ne (?P<value>fume) (?:pas|plus)$",
        Says("smoking_status", values.token, fixed="non-smoker"),
    ),
)

_BODY: Final = (
    rule(
        "fr_allergy",
        rf"je suis(?: très| aussi| gravement)? allergique {_TO}(?P<value>.+)",
        Says("allergy", values.foods),
        confidence=0.95,
    ),
    rule(
        "fr_allergy_noun",
        rf"j'ai une (?:grave |forte )?allergie {_TO}(?P<value>.+)",
        Says("allergy", values.foods),
    ),
    rule(
        "fr_intolerance",
        rf"je suis intolérante? {_TO}(?P<value>.+)",
        Says("intolerance", values.foods),
    ),
    rule(
        "fr_cannot_tolerate",
        r"je ne (?:supporte|digère|tolère) pas (?P<value>.+)",
        Says("intolerance", values.intolerances),
    ),
    rule(
        "fr_condition",
        r"(?:je suis|j'ai|je souffre|je suis atteinte?) (?:du |de la |de l'|de |d'|un |une )?"
        r"(?P<value>.+)",
        Says("medical_condition", values.condition),
    ),
    rule(
        "fr_medication",
        rf"je prends{NOW} (?:de la |du |de l'|des )?(?P<value>.+)",
        Says("medication", values.medicines),
    ),
    rule(
        "fr_medication_stopped",
        rf"(?:{HAVE} arrêté(?: de prendre)?|je ne prends plus) (?:de la |du |de l'|de |d'|la "
        r"|le |l')?"
        r"(?P<value>.+)",
        Says("medication", values.medicines, RETRACT),
    ),
    rule(
        "fr_blood_type",
        r"mon groupe sanguin est (?P<value>(?:ab|a|b|o) ?(?:positif|négatif|[+-]))",
        Says("blood_type", values.token),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_DIET, *_BODY)
