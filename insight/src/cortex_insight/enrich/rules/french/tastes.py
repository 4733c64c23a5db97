"""French rules for what somebody prefers, likes and does for pleasure."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import JUST, MY, NOW
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_PREFER: Final = rf"je préfère{JUST}(?: utiliser)?(?! (?-i:[a-zéè]+)(?:er|ir|re)\b)"
_FAVOURITE: Final = r"(?:préférée?|favorite?)"

_FAVOURITES: Final = (
    rule(
        "fr_favourite_changed",
        rf"{MY} (?P<domain>[\w-]+(?: [\w-]+)?) {_FAVOURITE} était .+?,? (?:mais "
        r")?maintenant,? c'est "
        r"(?P<value>.+)",
        Says("prefers", values.possession, SUPERSEDE),
    ),
    rule(
        "fr_favourite",
        rf"{MY} (?P<domain>[\w-]+(?: [\w-]+)?) {_FAVOURITE}(?: est|,? c'est)"
        r"(?: maintenant| désormais)? (?P<value>.+)",
        Says("prefers", values.possession),
    ),
    rule(
        "fr_favourite_turned",
        rf"(?P<value>[\w' -]{{2,40}}?) est {MY} (?P<domain>[\w-]+(?: [\w-]+)?) {_FAVOURITE}$",
        Says("prefers", values.possession),
        opens=True,
    ),
)

_PREFERENCES: Final = (
    rule(
        "fr_prefers_over",
        rf"{_PREFER} (?P<value>.+?) "
        r"(?:à la |à l'|aux |au |à |plutôt (?:que (?:de )?|qu')|que )(?P<other>.+)",
        Says("prefers", values.choice),
    ),
    rule(
        "fr_likes_better",
        r"j'aime mieux (?P<value>.+?) (?:que |qu')(?P<other>.+)",
        Says("prefers", values.choice),
    ),
    rule(
        "fr_prefers",
        rf"(?:{_PREFER}|j'aime mieux) (?P<value>.+)",
        Says("prefers", values.choice),
    ),
    rule(
        "fr_prefers_for",
        rf"{_PREFER} (?P<value>.+?) pour (?P<domain>.+)",
        Says("prefers", values.choice),
    ),
    rule(
        "fr_prefers_something",
        rf"{_PREFER} (?P<value>.+)",
        Says("likes", values.taste),
        confidence=0.7,
    ),
)

_LIKES: Final = (
    rule(
        "fr_no_longer_likes",
        r"je n'aime plus(?: du tout)? (?P<value>.+)",
        Says("likes", values.choice, RETRACT),
    ),
    rule(
        "fr_dislikes",
        r"(?:je déteste|je n'aime pas(?: du tout| trop| vraiment)?|j'aime pas(?: trop)?|je "
        r"ne supporte pas"
        rf"(?! (?:le |la |l')?(?:gluten|lactose|lait|fructose))){JUST} (?P<value>.+)",
        Says("dislikes", values.taste),
    ),
    rule(
        "fr_dislikes_of",
        r"(?:j'ai horreur|(?:je ne suis |suis |je suis )?pas (?:très |trop )?fan) (?:de la |"
        r"de l'|de |d'|du |des )(?P<value>.+)",
        Says("dislikes", values.taste),
    ),
    rule(
        "fr_likes",
        rf"j'(?:aime|adore){JUST} (?P<value>.+)",
        Says("likes", values.taste),
    ),
    rule(
        "fr_fond_of",
        r"je suis (?:très |grande? )?(?:fan|passionnée?|amateur|amatrice|fou|folle|accro) "
        r"(?:de la |de l'|de |d'|du |des )(?P<value>.+)",
        Says("likes", values.taste),
    ),
    rule(
        "fr_weak_for",
        r"(?:j'ai un faible pour (?:le |la |l'|les )|je raffole (?:de la |de l'|de |d'|du |"
        r"des ))(?P<value>.+)",
        Says("likes", values.taste),
    ),
)

_PASTIMES: Final = (
    rule(
        "fr_instrument",
        rf"je joue{NOW} (?:du |de la |de l'|des )(?P<value>.+)",
        Says("instrument", values.instrument),
    ),
    rule(
        "fr_sport",
        rf"(?:je joue{NOW} (?:au |à la |aux )|je (?:fais|pratique){NOW} (?:du |de la |de l'|"
        r"le |la |l'))"
        r"(?P<value>.+)",
        Says("sport", values.sport),
    ),
    rule(
        "fr_hobby",
        r"(?:mon|mes) (?:loisirs?|passe-temps|hobby|hobbies)(?: préférés?)? (?:est|sont) "
        r"(?P<value>.+)",
        Says("hobby", values.foods),
    ),
    rule(
        "fr_supports_team",
        r"je (?:supporte|soutiens) (?P<value>(?:le |la |l'|les )?(?-i:[A-ZÀ-Ý]).+)",
        Says("supports_team", values.team),
    ),
    rule(
        "fr_reading",
        rf"(?:je lis|je suis en train de lire){NOW} (?P<value>.+)",
        Says("reading", values.title),
        confidence=0.8,
    ),
    rule("fr_collects", r"je collectionne (?P<value>.+)", Says("collects", values.foods)),
    rule(
        "fr_fear",
        r"j'ai (?:très )?peur (?:de la |de l'|des |du |de |d')(?P<value>.+)",
        Says("fear", values.fear),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_FAVOURITES, *_PREFERENCES, *_LIKES, *_PASTIMES)
