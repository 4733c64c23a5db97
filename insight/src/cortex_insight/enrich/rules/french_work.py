"""French rules for what somebody does: work, tools, possessions, preferences, instructions."""

from typing import Final

from roxabi_contracts.payloads import ClaimKind

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_NOW: Final = r"(?: (?:maintenant|actuellement|désormais|toujours|aussi|encore|surtout|plutôt))*"
_JUST: Final = r"(?: (?:récemment|enfin|finalement|maintenant|vraiment|beaucoup))*"
_WE: Final = r"(?:nous |on )"
_PREFERENCE: Final = ClaimKind.PREFERENCE
_ORDER: Final = ClaimKind.INSTRUCTION

WORK: Final = (
    rule(
        "fr_no_longer_works",
        r"je ne travaille plus (?:chez|pour|à) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "fr_left_for",
        rf"j'ai{_JUST} quitté (?P<former>.+?) pour (?:rejoindre )?(?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, former="former"),
    ),
    rule(
        "fr_joined",
        rf"(?:je travaille (?:maintenant|désormais|actuellement) (?:chez|pour)|j'ai{_JUST} "
        r"(?:commencé|été embauchée?) chez) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE),
    ),
    rule(
        "fr_works_at_as",
        r"je travaille (?:chez|pour) (?P<value>.+?) (?:comme|en tant que?) (?P<title>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "fr_works_at",
        rf"je travaille{_NOW} (?:chez|pour) (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "fr_is_at",
        r"je suis (?P<title>\w+(?: \w+){0,3}?) chez (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "fr_manager",
        r"(?:mon chef|ma cheffe|mon manager) s'appelle (?P<value>.+)",
        Says("manager", values.person),
    ),
    rule(
        "fr_works_as",
        r"je travaille (?:comme|en tant que?) (?P<value>.+)",
        Says("job_title", values.possession),
    ),
    rule(
        "fr_works_on",
        rf"je travaille{_NOW} sur (?P<value>.+)",
        Says("works_on", values.project),
        confidence=0.8,
    ),
)

USE: Final = (
    rule(
        "fr_switched",
        rf"(?:je suis|{_WE}(?:est|sommes)){_JUST} passée?s? "
        r"(?:de |d')(?P<former>.+?) à (?P<value>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "fr_replaced",
        rf"(?:j'ai|{_WE}(?:a|avons)){_JUST} remplacé (?P<former>.+?) par (?P<value>.+)",
        Says("uses", values.known_product, former="former"),
        confidence=0.8,
    ),
    rule(
        "fr_uses_instead",
        rf"(?:j'utilise|{_WE}utilis(?:e|ons)){_NOW} (?P<value>.+?) "
        r"(?:au lieu (?:de |d')|à la place (?:de |d')|plutôt que )(?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "fr_no_longer_uses",
        r"(?:je n'utilise (?:plus|pas)|je ne me sers plus (?:de |d')|"
        r"j'ai arrêté (?:d'utiliser|avec)|nous n'utilisons plus|on n'utilise plus)\s*(?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule("fr_uses", rf"j'utilise{_NOW} (?P<value>.+)", Says("uses", values.products)),
    rule(
        "fr_we_use",
        rf"{_WE}utilis(?:e|ons){_NOW} (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "fr_codes_in",
        r"je (?:code|programme|développe) en (?P<value>.+)",
        Says("programming_language", values.known_products),
    ),
    rule(
        "fr_owns",
        rf"(?:je possède|j'ai{_JUST} acheté) (?P<value>une? .+)",
        Says("owns", values.possession),
    ),
    rule(
        "fr_sold",
        r"j'ai vendu m(?:on|a|es) (?P<value>.+)",
        Says("owns", values.possession, RETRACT),
    ),
    rule("fr_drives", r"je conduis (?P<value>une? .+)", Says("vehicle", values.possession)),
)

PREFERENCE: Final = (
    rule(
        "fr_prefers_over",
        rf"je préfère{_JUST}(?: utiliser)? (?P<value>.+?) "
        r"(?:à la |à l'|aux |au |à |plutôt que (?:de )?|que )(?P<other>.+)",
        Says("prefers", values.choice, kind=_PREFERENCE),
    ),
    rule(
        "fr_prefers",
        rf"je préfère{_JUST}(?: utiliser)? (?P<value>.+)",
        Says("prefers", values.choice, kind=_PREFERENCE),
    ),
    rule(
        "fr_prefers_for",
        rf"je préfère{_JUST}(?: utiliser)? (?P<value>.+?) (?:pour|en|dans) (?P<domain>.+)",
        Says("prefers", values.choice, kind=_PREFERENCE),
    ),
    rule(
        "fr_prefers_something",
        rf"je préfère{_JUST}(?: utiliser)? (?P<value>.+)",
        Says("likes", values.choice, kind=_PREFERENCE),
        confidence=0.7,
    ),
    rule(
        "fr_no_longer_likes",
        r"je n'aime plus (?P<value>.+)",
        Says("likes", values.choice, RETRACT),
    ),
    rule(
        "fr_dislikes",
        rf"(?:je déteste|je n'aime pas(?: du tout)?){_JUST} (?P<value>.+)",
        Says("dislikes", values.choice, kind=_PREFERENCE),
    ),
    rule(
        "fr_likes",
        rf"j'(?:aime|adore){_JUST} (?P<value>.+)",
        Says("likes", values.choice, kind=_PREFERENCE),
    ),
)

_DIRECT: Final = r"(?!(?:je|j'|nous|on|il|elle|ils|elles|mon|ma|mes|c'est|un|une|le|la|les)\b)"

INSTRUCTION: Final = (
    rule(
        "fr_response_language",
        r"(?:(?:désormais|dorénavant|à partir de maintenant|toujours),? "
        r"(?:réponds|répondez|répondre|écris|parle)(?:-moi)?|"
        r"(?:réponds|répondez|écris|parle)(?:-moi)? toujours)(?: uniquement)? en (?P<value>\w+)$",
        Says("response_language", values.languages, SUPERSEDE, kind=_PREFERENCE),
        order=True,
    ),
    rule(
        "fr_from_now_on",
        rf"(?P<value>(?:désormais|dorénavant|à partir de maintenant),? {_DIRECT}\w.+)",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
    rule(
        "fr_always",
        r"(?P<value>(?:toujours (?!pas\b|en\b|aussi\b)\w+(?:er|ir|re|z)\b.*|"
        r"jamais (?:de |d'|\w+er\b).+))",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
    rule(
        "fr_imperative",
        r"(?P<value>(?!je\b|j'|il\b|elle\b|on\b|nous\b|tu\b|vous\b|ce\b|ça\b)"
        r"(?:(?:s'il te plaît|stp|merci de),? )?(?:ne |n')(?!ai\b|a\b|est\b)\w+ "
        r"(?:plus |pas )?jamais .+|(?P<infinitive>(?:merci de )?ne jamais \w+ .+))",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
    rule(
        "fr_always_imperative",
        r"(?P<value>(?!je\b|il\b|elle\b|on\b|nous\b|tu\b|vous\b)"
        r"(?:utilise|utilisez|lance|écris|écrivez|vérifie|vérifiez|demande|fais|faites|mets|"
        r"garde|ajoute|commence|réponds|répondez|évite)(?:-\w+)? toujours .+)",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
)

RULES: Final[tuple[Rule, ...]] = (*INSTRUCTION, *WORK, *USE, *PREFERENCE)
