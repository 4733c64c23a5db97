"""Beginnings that many French rules share."""

from typing import Final

NOW: Final = (
    r"(?: (?:maintenant|actuellement|désormais|toujours|aussi|encore|surtout|plutôt|déjà|"
    r"principalement|également|en ce moment))*"
)
JUST: Final = (
    r"(?: (?:récemment|enfin|finalement|maintenant|vraiment|beaucoup|aussi|également|"
    r"nettement|largement|toujours|tous|toutes))*"
)
WE: Final = r"(?:nous |on )"
HAVE: Final = rf"(?:j'ai|{WE}(?:a|avons)){JUST}"
"""Before a participle: `j'ai enfin quitté`; `je viens de quitter` is another form."""
WE_ARE: Final = rf"(?:je suis|{WE}(?:est|sommes)){JUST}"
AT: Final = r"(?:à|a|au|en|aux|dans)"
OF: Final = r"(?:de la |de l'|de |d'|du |des )"
MY: Final = r"(?:mon|ma|notre)"

PET: Final = "chien|chienne|chiot|chat|chatte|chaton|lapin|cheval|perroquet|hamster|tortue"

RELATIVES: Final = {
    "spouse": "femme|mari|épouse|époux",
    "partner": "compagnon|compagne|copain|copine|conjoint|conjointe|fiancée?",
    "child": "(?:petit |petite |grand |grande )?(?:fils|fille)",
    "grandparent": "grand-mère|grand-père|mamie|papi|papy",
    "sibling": "(?:petit |petite |grand |grande )?(?:frère|sœur|soeur)",
    "parent": "père|mère|papa|maman",
    "friend": "(?:meilleure? |vieil |vieille |bonne? )?(?:amie?|pote)",
    "colleague": "collègue",
    "manager": "chef|cheffe|manager|manageuse|responsable|patronne?|supérieure?",
    "neighbour": "voisine?",
    "flatmate": "colocataire|coloc",
    "pet_name": PET,
}
