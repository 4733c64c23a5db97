"""French rules for who somebody is: names, birth, origin, languages, addresses."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import AT, NOW, OF
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_NAMES: Final = (
    rule(
        "fr_name",
        r"(?:je m'appelle|mon nom est|mon nom,? c'est|moi,? c'est) (?P<value>.+)",
        Says("name", values.person),
    ),
    rule(
        "fr_nickname",
        r"(?:mes amis m'appellent|tout le monde m'appelle|on m'appelle|on me surnomme) "
        r"(?P<value>.+)",
        Says("nickname", values.person),
    ),
    rule(
        "fr_form_of_address",
        r"(?:(?:tu peux|vous pouvez) m'appeler|appelle-moi|appelez-moi) (?P<value>.+)",
        Says("form_of_address", values.lone_name),
        confidence=0.8,
    ),
)

_BIRTH: Final = (
    rule(
        "fr_birth_date",
        r"(?:je suis née? (?:le|en)|ma date de naissance(?: est|,? c'est)(?: le)?) "
        r"(?P<value>.*\d.*)",
        Says("birth_date", values.full_date),
    ),
    rule(
        "fr_birth",
        rf"je suis née? {AT} (?P<value>.+?) (?:le|en) (?P<date>.+)",
        Says("birth_place", values.place),
        Says("birth_date", values.full_date, value="date"),
    ),
    rule(
        "fr_birth_place",
        rf"(?:je suis )?née? {AT} (?P<value>.+)",
        Says("birth_place", values.place),
    ),
    rule(
        "fr_birthday",
        r"mon anniv(?:ersaire)?(?: est|,? c'est) (?P<value>.+)",
        Says("birthday", values.day_of_year),
    ),
    rule("fr_age", r"j'ai (?P<value>\d{1,3}) ans$", Says("age", values.number)),
    rule("fr_turned", r"je viens d'avoir (?P<value>\d{1,3}) ans\b", Says("age", values.number)),
)

_ORIGIN: Final = (
    rule("fr_nationality", r"je suis (?P<value>\w+)$", Says("nationality", values.nationality)),
    rule(
        "fr_of_nationality",
        r"(?:je suis de|j'ai la) nationalité (?P<value>\w+)",
        Says("nationality", values.nationality),
    ),
    rule(
        "fr_religion",
        r"je suis (?:de confession )?(?P<value>\w+)$",
        Says("religion", values.religion),
    ),
    rule(
        "fr_origin",
        rf"je (?:viens|suis originaire) {OF}(?P<value>.+)|j'ai grandi {AT} (?P<also>.+)",
        Says("origin_place", values.place_alone),
        Says("origin_place", values.place, value="also"),
    ),
    rule("fr_height", r"je mesure (?P<value>\d[\d.,]* ?c?m)\b", Says("height", values.token)),
    rule(
        "fr_weight",
        r"je pèse (?P<value>\d[\d.,]* ?(?:kg|kilos))\b",
        Says("weight", values.token),
    ),
)

_LANGUAGES: Final = (
    rule(
        "fr_native_language",
        r"ma langue maternelle(?: est|,? c'est) (?P<value>.+)",
        Says("native_language", values.languages),
    ),
    rule(
        "fr_no_longer_speaks",
        r"je ne parle plus (?P<value>.+)",
        Says("speaks", values.languages, RETRACT),
    ),
    rule(
        "fr_speaks",
        rf"je parle{NOW}(?: couramment)? (?P<value>.+)",
        Says("speaks", values.languages),
    ),
    rule(
        "fr_learning",
        rf"(?:j'apprends{NOW}|je suis en train d'apprendre) (?P<value>.+)",
        Says("learning", values.subjects),
    ),
)

_CONTACT: Final = (
    rule(
        "fr_email",
        r"(?:mon (?:e-?mail|mail|adresse (?:e-?)?mail|courriel) est|mon adresse est) "
        r"(?P<value>\S+@\S+)",
        Says("email_address", values.token),
    ),
    rule(
        "fr_phone",
        r"mon (?:nouveau )?(?:numéro(?: de (?:téléphone|portable))?|téléphone|portable)"
        r"(?: est(?: le)?|,? c'est le) (?P<value>\+?[\d ()./-]{7,})",
        Says("phone_number", values.telephone),
    ),
    rule(
        "fr_reach_by_phone",
        r"(?:(?:vous pouvez|tu peux) me|me) (?:joindre|appeler) au (?P<value>\+?[\d ()./-]{7,})",
        Says("phone_number", values.telephone),
    ),
)

_INTRODUCTION: Final = (
    rule(
        "fr_name_age_and_trade",
        rf"(?:moi,? c'est|je m'appelle|je suis) (?P<name>{NAME}), (?P<age>\d\d) ans, "
        r"(?P<value>\w+(?: \w+)?)\b",
        Says("name", values.lone_name, value="name"),
        Says("age", values.number, value="age"),
        Says("job_title", values.trade),
    ),
    rule(
        "fr_this_is_me",
        r"je suis (?P<value>.+)",
        Says("name", values.lone_name),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (
    *_INTRODUCTION[:1],
    *_NAMES,
    *_BIRTH,
    *_ORIGIN,
    *_LANGUAGES,
    *_CONTACT,
    *_INTRODUCTION[1:],
)
