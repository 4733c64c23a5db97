"""French rules for the people and animals in somebody's life."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.french.phrases import MY, PET, RELATIVES
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_HAVE: Final = r"(?:j'ai|nous avons|on a)"

INTRODUCTIONS: Final[tuple[Rule, ...]] = tuple(
    rule(
        f"fr_{predicate}_introduced",
        rf"(?:.{{0,120}}? )?{MY} (?:{words}),? (?P<value>{NAME})\b",
        Says(predicate, values.introduced),
        wished=True,
    )
    for predicate, words in RELATIVES.items()
)
"""Whom one names in passing: `ma sœur Anna est malade`."""

_NAMED: Final = tuple(
    rule(
        f"fr_{predicate}_named",
        rf"{MY} (?:{words}) (?:s'appelle|se nomme|est(?= [A-ZÀ-Ý])) (?P<value>.+)",
        Says(predicate, values.person),
    )
    for predicate, words in RELATIVES.items()
)

_RELATED: Final = tuple(
    rule(
        f"fr_{predicate}_turned",
        rf"(?P<value>{NAME}) est {MY} (?:{words})(?=$|,|\.)",
        Says(predicate, values.introduced),
    )
    for predicate, words in RELATIVES.items()
)

_FAMILY: Final = (
    rule(
        "fr_children_called",
        r"(?:mes|nos) (?:enfants|fils|filles) s'appellent (?P<value>.+)",
        Says("child", values.people),
    ),
    rule(
        "fr_new_manager",
        r"(?:mon nouveau|ma nouvelle) (?:chef|cheffe|manager|responsable) (?:s'appelle|est) "
        r"(?P<value>.+)",
        Says("manager", values.person, SUPERSEDE),
    ),
    rule(
        "fr_married_to", r"je suis mariée? (?:à|avec) (?P<value>.+)", Says("spouse", values.person)
    ),
    rule(
        "fr_marital_status",
        r"je suis (?P<value>mariée?|célibataire|divorcée?|veuf|veuve|fiancée?)$",
        Says("marital_status", values.thing),
    ),
    rule(
        "fr_no_longer_married",
        r"je ne suis plus (?P<value>mariée?|célibataire|fiancée?)$",
        Says("marital_status", values.thing, RETRACT),
    ),
    rule(
        "fr_got_married",
        r"(?:je me suis|on s'est|nous nous sommes) (?P<value>mariée?s?)\b",
        Says("marital_status", values.token, SUPERSEDE, fixed="married"),
    ),
    rule(
        "fr_got_engaged",
        r"(?:je me suis|on s'est|nous nous sommes) (?P<value>fiancée?s?)\b",
        Says("marital_status", values.token, SUPERSEDE, fixed="engaged"),
    ),
    rule(
        "fr_got_divorced",
        r"(?:je me suis|on a|nous avons|j'ai) (?P<value>divorcée?)\b",
        Says("marital_status", values.token, SUPERSEDE, fixed="divorced"),
    ),
    rule(
        "fr_child_named",
        rf"{_HAVE} une? (?:\w+ )?(?:fils|fille) (?:qui s'appelle|nommée?|prénommée?) (?P<value>.+)",
        Says("child", values.person),
    ),
    rule(
        "fr_children_named",
        rf"{_HAVE} (?P<number>\w+) (?:enfants|fils|filles), (?P<value>.+)",
        Says("number_of_children", values.number, value="number"),
        Says("child", values.people),
    ),
    rule(
        "fr_children",
        rf"{_HAVE} (?P<value>\w+) (?:jeunes |grands |petits )?enfants?\b",
        Says("number_of_children", values.number),
    ),
)

_ANIMALS: Final = (
    rule(
        "fr_pets_named",
        rf"{_HAVE} \w+ (?:chiens|chats|lapins|chatons|chiots)(?:,| qui s'appellent) ?(?P<value>.+)",
        Says("pet_name", values.people),
    ),
    rule(
        "fr_pet_named",
        rf"{_HAVE}(?: adopté)? une? (?P<pet>{PET}) (?:qui s'appelle|nommée?) (?P<value>.+)",
        Says("pet", values.thing, value="pet"),
        Says("pet_name", values.person),
    ),
    rule("fr_pet", rf"{_HAVE}(?: adopté)? une? (?P<value>{PET})$", Says("pet", values.thing)),
)

_BELONGING: Final = (
    rule(
        "fr_volunteers_at",
        r"je suis bénévole (?:à la |à l'|à |au |aux |chez |dans )(?:une? )?(?P<value>.+)",
        Says("volunteers_at", values.possession),
    ),
    rule(
        "fr_member",
        r"(?:je suis membre|je fais partie) (?:de la |de l'|du |des |d'|de )(?P<value>.+)",
        Says("member_of", values.association),
    ),
    rule(
        "fr_joined_group",
        r"j'ai rejoint (?P<value>une? .+)",
        Says("member_of", values.association),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_NAMED, *_RELATED, *_FAMILY, *_ANIMALS, *_BELONGING)
