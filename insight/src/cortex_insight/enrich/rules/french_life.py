"""French rules for who somebody is: identity, place, people, health and food."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_NOW: Final = r"(?: (?:maintenant|actuellement|désormais|toujours|aussi|encore|surtout|plutôt))*"
_JUST: Final = r"(?: (?:récemment|enfin|finalement|maintenant|vraiment|beaucoup))*"
_WE: Final = r"(?:nous |on )"
_PET: Final = "chien|chienne|chat|chatte|lapin|cheval|perroquet|hamster"

_RELATIVES: Final = {
    "spouse": "ma femme|mon mari|mon épouse|mon époux",
    "partner": "mon compagnon|ma compagne|mon copain|ma copine|mon conjoint|ma conjointe",
    "child": "mon fils|ma fille",
    "sibling": "mon frère|ma sœur|ma soeur",
    "parent": "mon père|ma mère",
    "pet_name": "mon chien|ma chienne|mon chat|ma chatte|mon lapin|mon cheval",
}

IDENTITY: Final = (
    rule("fr_name", r"(?:je m'appelle|mon nom est) (?P<value>.+)", Says("name", values.person)),
    rule(
        "fr_email",
        r"mon (?:e-?mail|mail|adresse (?:e-?)?mail|courriel) est (?P<value>\S+@\S+)",
        Says("email_address", values.token),
    ),
    rule(
        "fr_birth_date",
        r"je suis née? (?:le|en) (?P<value>.*\d.*)",
        Says("birth_date", values.full_date),
    ),
    rule(
        "fr_birth",
        r"je suis née? (?:à|au|en) (?P<value>.+?) (?:le|en) (?P<date>.+)",
        Says("birth_place", values.place),
        Says("birth_date", values.full_date, value="date"),
    ),
    rule(
        "fr_birth_place",
        r"je suis née? (?:à|au|en|aux) (?P<value>.+)",
        Says("birth_place", values.place),
    ),
    rule(
        "fr_birthday",
        r"mon anniversaire est (?P<value>.+)",
        Says("birthday", values.day_of_year),
    ),
    rule("fr_age", r"j'ai (?P<value>\d{1,3}) ans$", Says("age", values.number)),
    rule(
        "fr_native_language",
        r"ma langue maternelle est (?P<value>.+)",
        Says("native_language", values.languages),
    ),
    rule("fr_speaks", rf"je parle{_NOW} (?P<value>.+)", Says("speaks", values.languages)),
    rule("fr_learning", rf"j'apprends{_NOW} (?P<value>.+)", Says("learning", values.subjects)),
)

PLACE: Final = (
    rule(
        "fr_no_longer_lives",
        r"je n'habite plus (?:à|au|en|aux) (?P<value>.+)|je ne vis plus (?:à|au|en) (?P<also>.+)",
        Says("lives_in", values.place, RETRACT),
        Says("lives_in", values.place, RETRACT, value="also"),
    ),
    rule(
        "fr_used_to_live",
        r"(?:avant,? )?j'habitais(?: avant)? (?:à|au|en) (?P<value>.+)",
        Says("former_residence", values.place),
    ),
    rule(
        "fr_moved_from",
        rf"j'ai{_JUST} déménagé de (?P<former>.+?) (?:à|au|en|pour|vers) (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, former="former"),
    ),
    rule(
        "fr_moved",
        rf"(?:(?:j'ai|{_WE}(?:a|avons)){_JUST} (?:déménagé|emménagé)|je me suis installée?)"
        r" (?:à|au|en|aux) (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "fr_lives",
        rf"(?:j'habite|je vis|je réside){_NOW} (?:à|au|en|aux) (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule(
        "fr_origin",
        r"je (?:viens|suis originaire) (?:de |du |d')(?P<value>.+)|j'ai grandi (?:à|au|en) "
        r"(?P<also>.+)",
        Says("origin_place", values.place),
        Says("origin_place", values.place, value="also"),
    ),
)

PEOPLE: Final = (
    *(
        rule(
            f"fr_{predicate}_name",
            rf"(?:{words}) s'appelle (?P<value>.+)",
            Says(predicate, values.person),
        )
        for predicate, words in _RELATIVES.items()
    ),
    rule(
        "fr_married_to", r"je suis mariée? (?:à|avec) (?P<value>.+)", Says("spouse", values.person)
    ),
    rule(
        "fr_marital_status",
        r"je suis (?P<value>mariée?|célibataire|divorcée?|veuve?f?|fiancée?)$",
        Says("marital_status", values.thing),
    ),
    rule(
        "fr_children",
        r"(?:j'ai|nous avons|on a) (?P<value>\w+) enfants?",
        Says("number_of_children", values.number),
    ),
    rule(
        "fr_pet_named",
        rf"(?:j'ai|nous avons|on a) une? (?P<pet>{_PET}) (?:qui s'appelle|nommée?) (?P<value>.+)",
        Says("pet", values.thing, value="pet"),
        Says("pet_name", values.person),
    ),
    rule("fr_pet", rf"(?:j'ai|nous avons|on a) une? (?P<value>{_PET})$", Says("pet", values.thing)),
)

HEALTH: Final = (
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
    rule("fr_diet", rf"je suis{_NOW} (?P<value>\w+)", Says("diet", values.diet)),
    rule(
        "fr_allergy",
        r"je suis(?: très| aussi)? allergique (?:à l'|à la |à |aux |au )(?P<value>.+)",
        Says("allergy", values.foods),
    ),
    rule(
        "fr_intolerance",
        r"je suis intolérante? (?:à l'|à la |à |aux |au )(?P<value>.+)",
        Says("intolerance", values.foods),
    ),
    rule(
        "fr_avoids_food",
        r"je ne (?:mange|bois) (?:pas|plus|jamais) (?:de |d')(?P<value>.+)",
        Says("avoids_food", values.foods),
    ),
    rule(
        "fr_quit_food",
        r"j'ai arrêté (?:de manger|de boire) (?:de l'|de la |des |du |de )?(?P<value>.+)",
        Says("avoids_food", values.foods),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*IDENTITY, *PLACE, *PEOPLE, *HEALTH)
