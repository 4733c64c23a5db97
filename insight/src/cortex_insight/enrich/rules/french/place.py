"""French rules for where somebody lives, lived and means to live."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import AT, HAVE, JUST, NOW, WE
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_LEFT: Final = (
    rule(
        "fr_no_longer_lives",
        r"(?:je n'habite|je ne vis|nous n'habitons|nous ne vivons|on n'habite|on ne vit) "
        rf"plus {AT} "
        r"(?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
    ),
    rule(
        "fr_used_to_live",
        rf"(?:j'habitais|je vivais|{WE}habit(?:ait|ions))(?: avant)? {AT} (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
        Says("former_residence", values.place),
    ),
    rule(
        "fr_lived_for_a_period",
        rf"{HAVE} (?:vécu|habité) {AT} (?P<value>.+? (?:de|entre) (?:\w+ )?\d{{4}} .+)",
        Says("lives_in", values.place),
        Says("former_residence", values.place, lasts=False),
    ),
    rule(
        "fr_lived",
        rf"{HAVE} (?:vécu|habité) {AT} (?P<value>.+)",
        Says("former_residence", values.place, lasts=False),
    ),
)

_MOVED: Final = (
    rule(
        "fr_moved_address",
        rf"{HAVE} (?:dé|em)ménagé (?:au|à|à l'adresse) (?P<value>.+)",
        Says("home_address", values.address, SUPERSEDE),
    ),
    rule(
        "fr_lives_by_now",
        rf"(?:j'habite|je vis) {AT} (?P<value>.+?) (?:maintenant|désormais)\b",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "fr_moved_from",
        rf"{HAVE} déménagé de (?P<former>.+?) (?:à|au|en|pour|vers) (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, former="former"),
    ),
    rule(
        "fr_moved",
        rf"(?:{HAVE} (?:déménagé|emménagé)|(?:je viens|{WE}vient) (?:de déménager|d'emménager)|"
        rf"je me suis{JUST} installée?|on s'est{JUST} installés?) {AT} (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "fr_lives_now",
        r"(?:(?:j'habite|je vis) (?:maintenant|désormais|actuellement)|maintenant "
        r"(?:j'habite|je vis)) "
        rf"{AT} (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "fr_moving",
        rf"(?:je (?:vais|compte|pense) (?:dé|em)ménager|{WE}(?:va|allons) (?:dé|em)ménager|"
        rf"(?:je|on) (?:dé|em)ménage|nous (?:dé|em)ménageons) {AT} (?P<value>.+)",
        Says("planned_residence", values.place, lasts=False),
        wished=True,
    ),
)

_HOME: Final = (
    rule(
        "fr_lives",
        r"(?:ça fait [\w ]{2,20} que )?(?:j'habite|je vis|je réside|je loge|je suis "
        r"(?:basée?|installée?|domiciliée?)|"
        rf"{WE}(?:habite|habitons|vit|vivons)){NOW} (?:{AT}|sur|du côté de) (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule("fr_lives_bare", rf"j'habite{NOW} (?P<value>.+)", Says("lives_in", values.place)),
    rule(
        "fr_home_address",
        r"(?:mon|notre) adresse(?: postale)?(?: est|,? c'est) (?P<value>.+)",
        Says("home_address", values.address),
    ),
    rule(
        "fr_new_address",
        r"(?:ma|notre) nouvelle adresse(?: est|,? c'est) (?P<value>.+)",
        Says("home_address", values.address, SUPERSEDE),
    ),
    rule(
        "fr_time_zone",
        r"mon fuseau horaire est (?P<value>[a-z]+/\w+|(?:utc|gmt)\S*)",
        Says("time_zone", values.thing),
    ),
    rule(
        "fr_house_in",
        rf"(?:ma maison|notre maison|mon appart(?:ement)?|notre appart(?:ement)?) est {AT} "
        r"(?P<value>.+)",
        Says("lives_in", values.place),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_LEFT, *_MOVED, *_HOME)
