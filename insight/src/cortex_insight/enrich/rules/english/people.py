"""English rules for the people and animals in somebody's life."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, HAVE, NOW, PET, RELATIVES
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

INTRODUCTIONS: Final[tuple[Rule, ...]] = tuple(
    rule(
        f"{predicate}_introduced",
        rf"(?:.{{0,120}}? )?(?:my|our) (?:{words}),? (?P<value>{NAME})\b",
        Says(predicate, values.introduced),
        wished=True,
    )
    for predicate, words in RELATIVES.items()
)
"""Whom one names in passing: `my sister Anna is ill`."""

_NAMED: Final = tuple(
    rule(
        f"{predicate}_named",
        rf"(?:my|our) (?:{words})(?:'s name is| is called| is named| is(?= [A-ZÀ-Ý])) "
        r"(?P<value>.+)",
        Says(predicate, values.person),
    )
    for predicate, words in RELATIVES.items()
)

_RELATED: Final = tuple(
    rule(
        f"{predicate}_turned",
        rf"(?P<value>{NAME}) is (?:my|our) (?:{words})(?=$|,|\.)",
        Says(predicate, values.introduced),
    )
    for predicate, words in RELATIVES.items()
)

_FAMILY: Final = (
    rule(
        "new_manager",
        r"my new (?:manager|boss) is (?:called )?(?P<value>.+)",
        Says("manager", values.person, SUPERSEDE),
    ),
    rule("married_to", rf"{AM} married to (?P<value>.+)", Says("spouse", values.person)),
    rule(
        "marital_status",
        rf"{AM}{NOW} (?P<value>married|single|divorced|widowed|engaged)(?=$|,)",
        Says("marital_status", values.thing),
    ),
    rule(
        "no_longer_married",
        rf"{AM} (?:no longer|not) (?P<value>married|single|engaged)(?: any ?more)?$",
        Says("marital_status", values.thing, RETRACT),
    ),
    rule(
        "got_married",
        rf"{HAVE} got (?P<value>married|engaged|divorced)\b",
        Says("marital_status", values.token, SUPERSEDE),
    ),
    rule(
        "child_named",
        r"(?:i|we) have an? (?:\w+ )?(?:son|daughter|child|kid) (?:called|named) (?P<value>.+)",
        Says("child", values.person),
    ),
    rule(
        "children_named",
        r"(?:i|we) have (?P<number>\w+) (?:children|kids|sons|daughters), (?P<value>.+)",
        Says("number_of_children", values.number, value="number"),
        Says("child", values.people),
    ),
    rule(
        "children",
        r"(?:i|we)(?: have|'ve got) (?P<value>\w+) (?:(?:small|young|grown|lovely) "
        r")?(?:children|kids)\b",
        Says("number_of_children", values.number),
    ),
    rule(
        "children_called",
        r"(?:my|our) (?:children|kids|sons|daughters)(?: are (?:called|named)|'s? names are|"
        r" are(?= [\w-]+(?:,| and) )) (?P<value>.+)",
        Says("child", values.people),
    ),
    rule(
        "got_married_together",
        rf"(?:me and {NAME}|{NAME} and (?:i|me)) got (?P<value>married|engaged|divorced)\b",
        Says("marital_status", values.token, SUPERSEDE),
    ),
)

_ANIMALS: Final = (
    rule(
        "pets_named",
        r"(?:i|we)(?: have|'ve got) \w+ (?:dogs|cats|rabbits|kittens|puppies)(?:,| named| "
        r"called) ?(?P<value>.+)",
        Says("pet_name", values.people),
    ),
    rule(
        "pet_named",
        rf"(?:(?:i|we)(?: have|'ve got)|{HAVE} (?:adopted|got|bought)) (?:an?|another) "
        rf"(?:\w+ )?(?P<pet>{PET}) "
        r"(?:called|named) (?P<value>.+)",
        Says("pet", values.thing, value="pet"),
        Says("pet_name", values.person),
    ),
    rule(
        "pet",
        rf"(?:(?:i|we)(?: have|'ve got)|{HAVE} (?:adopted|got)) an? (?P<value>{PET})(?=$|!)",
        Says("pet", values.thing),
    ),
)

_BELONGING: Final = (
    rule(
        "volunteers_at",
        rf"(?:i(?: also)? volunteer|{AM}{NOW} volunteering|i(?:'ve| have) been volunteering|"
        rf"{HAVE} started volunteering) (?:at|for|with) (?P<value>.+)",
        Says("volunteers_at", values.possession),
    ),
    rule(
        "member",
        rf"(?:{AM} a member of|i belong to) (?P<value>.+)",
        Says("member_of", values.association),
    ),
    rule(
        "joined_group", rf"{HAVE} joined (?P<value>an? .+)", Says("member_of", values.association)
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_NAMED, *_RELATED, *_FAMILY, *_ANIMALS, *_BELONGING)
