"""French rules for the tools that somebody uses."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import HAVE, JUST, NOW, WE, WE_ARE
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_CHANGED: Final = (
    rule(
        "fr_switched",
        rf"(?:{WE_ARE} passée?s?{JUST}|{HAVE} migré|(?:je viens|on vient|nous venons) de "
        r"(?:passer|migrer)) (?:de |d')(?P<former>.+?) (?:à|vers) "
        r"(?P<value>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "fr_replaced",
        rf"{HAVE} remplacé (?P<former>.+?) par (?P<value>.+)",
        Says("uses", values.known_product, former="former"),
        confidence=0.8,
    ),
    rule(
        "fr_uses_instead",
        rf"(?:j'utilise|{WE}utilis(?:e|ons)){NOW} (?P<value>.+?) "
        r"(?:au lieu (?:de |d')|à la place (?:de |d')|plutôt (?:que |qu'))(?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "fr_switched_to",
        rf"(?:{WE_ARE} passée?s?|{HAVE} migré) (?:à|vers|sur) (?P<value>.+)",
        Says("uses", values.known_products),
    ),
)

_ENDED: Final = (
    rule(
        "fr_no_longer_uses",
        r"(?:je n'utilise (?:plus|pas)|je ne me sers plus (?:de |d')|"
        r"j'ai arrêté (?:d'utiliser|avec)|j'ai (?:supprimé|désinstallé)(?= (?-i:[A-Z]))|nous "
        r"n'utilisons (?:plus|pas)|on n'utilise (?:plus|pas))\s*(?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule(
        "fr_used_to_use",
        rf"(?:j'utilisais|{WE}utilis(?:ait|ions)) (?P<value>.+)",
        Says("uses", values.known_products, RETRACT),
        Says("former_tool", values.known_products),
    ),
)

_USES: Final = (
    rule(
        "fr_uses",
        rf"(?:j'utilise{NOW} |je me sers{NOW} (?:de |d'))(?P<value>.+)",
        Says("uses", values.products),
    ),
    rule(
        "fr_we_use",
        rf"{WE}utilis(?:e|ons){NOW} (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "fr_codes_in",
        rf"je (?:code|programme|développe){NOW}(?: \w+ment)? en (?P<value>.+)",
        Says("programming_language", values.known_products),
    ),
    rule(
        "fr_editor",
        r"mon éditeur(?: est|,? c'est) (?P<value>.+)",
        Says("editor", values.known_product),
    ),
    rule(
        "fr_browser",
        r"mon navigateur(?: est|,? c'est) (?P<value>.+)",
        Says("browser", values.known_product),
    ),
    rule(
        "fr_runs_system",
        r"(?:je suis|je tourne|je travaille|on est|on tourne) (?:sous|sur) (?P<value>.+)",
        Says("uses", values.system),
        confidence=0.8,
    ),
    rule(
        "fr_deploys_to",
        r"(?:je|on|nous) (?:déploie|déployons|stocke|stockons|garde|héberge|hébergeons|"
        r"développe|développons|"
        r"travaille|travaillons)"
        r"(?: \w+)? (?:sur|avec|sous|dans) (?P<value>.+)",
        Says("uses", values.listed_products),
        confidence=0.8,
    ),
    rule(
        "fr_takes_notes_in",
        r"je prends (?:toutes )?mes notes (?:dans|sur|avec) (?P<value>.+)",
        Says("uses", values.known_products),
    ),
    rule(
        "fr_shell", r"mon shell(?: est|,? c'est) (?P<value>.+)", Says("shell", values.known_product)
    ),
    rule(
        "fr_runs_on",
        r"(?:mon|ma|notre|nos) (?:\w+ ){1,2}(?:tourne sous|tourne sur|est écrite? en) "
        r"(?P<value>.+)",
        Says("uses", values.known_product),
        confidence=0.8,
    ),
    rule(
        "fr_ours_is",
        r"(?:mon|ma|notre|nos) (?:\w+ ){1,2}(?:est en|est) (?P<value>.+)",
        Says("uses", values.listed_product),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_CHANGED, *_ENDED, *_USES)
