"""French rules for standing instructions to agents."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import SUPERSEDE, Rule, Says, rule

_INSTRUCTION: Final = Says("instruction", values.sentence)
_DO: Final = (
    r"(?:s'il te plaît,? |merci de |toujours |jamais )*(?:ne |n'|pas de |plus de |\w+ez\b|"
    r"\w+-moi\b|"
    r"(?:utilise|écris|réponds|ouvre|vouvoie|tutoie|garde|mets|fais|ajoute|supprime|évite|demande|vérifie|"
    r"lance|parle|donne|propose|commence|termine|cite|explique|documente|teste|relis|pense|laisse|range|"
    r"nomme|signe|arrondis|préfère|envoie|crée|suis|traite|appelle|limite|inclus|indique|préviens|"
    r"commente|traduis|formate|affiche|compte|arrête|reste|sois)\b)"
)
"""How an order begins; what else follows `désormais` tells how things are."""
_NOBODY: Final = r"(?!je\b|j'|il\b|elle\b|ils\b|elles\b|on\b|nous\b|tu\b|vous\b|ce\b|ça\b)"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "fr_response_language",
        r"(?:(?:désormais|dorénavant|à partir de maintenant|toujours),? "
        r"(?:réponds|répondez|répondre|écris|parle)(?:-moi)?|"
        r"(?:réponds|répondez|écris|parle)(?:-moi)? toujours)(?: uniquement)? en (?P<value>\w+)$",
        Says("response_language", values.languages, SUPERSEDE),
        order=True,
    ),
    rule(
        "fr_from_now_on",
        r"(?P<value>(?:désormais|dorénavant|à partir de maintenant|à l'avenir|par défaut),? "
        rf"{_DO}.*)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "fr_always",
        r"(?P<value>(?:toujours (?!pas\b|en\b|aussi\b|plus\b)\w+(?:er|ir|re|z)\b.*|"
        r"jamais (?:(?:de |d')(?!la vie\b)|\w+er\b).+))",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "fr_imperative",
        rf"(?P<value>{_NOBODY}(?:(?:s'il te plaît|stp|merci de),? )?(?:ne |n')(?!ai\b|a\b|"
        r"est\b)\w+ "
        r"(?:plus |pas )?jamais .+|(?P<infinitive>(?:merci de )?ne jamais \w+ .+))",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "fr_always_imperative",
        rf"(?P<value>{_NOBODY}(?:utilise|lance|écris|vérifie|demande|fais|mets|garde|ajoute|commence|"
        r"réponds|évite|pense|relis|teste|cite|documente|préviens|explique|formate|utilisez|écrivez|"
        r"vérifiez|faites|répondez|pensez|évitez)(?:-\w+)? toujours .+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "fr_you_must",
        r"(?P<value>(?:(?:tu dois|vous devez|il faut|il faudra) toujours|"
        r"(?:tu ne dois|vous ne devez|il ne faut) jamais) .+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "fr_in_every_answer",
        rf"(?P<value>{_NOBODY}[\w'-]+ .*\b(?:à|dans|pour|de) (?:chaque|toutes (?:tes|mes)|"
        r"tous (?:tes|mes)) "
        r"(?:réponses?|messages?|commits?|mails?|fichiers?|fonctions?|résumés?))\b",
        _INSTRUCTION,
        confidence=0.8,
        order=True,
    ),
)
