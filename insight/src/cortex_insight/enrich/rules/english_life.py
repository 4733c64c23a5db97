"""English rules for who somebody is: identity, place, people, health, possessions."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_AM: Final = r"(?:i'm|i am|im)"
_NOW: Final = r"(?: (?:now|currently|actually|still|also|just|both))*"
_HAVE: Final = r"(?:i|we)(?:'ve| have)?(?: just| recently| finally| now)*"
_NO_MORE: Final = r"(?:i|we) (?:no longer|do not|don't|dont|never)"
_PET: Final = "dog|cat|rabbit|horse|parrot|hamster"

_RELATIVES: Final = {
    "spouse": "wife|husband|spouse",
    "partner": "partner|girlfriend|boyfriend|fiancée|fiancé",
    "child": "son|daughter|kid|child",
    "sibling": "brother|sister",
    "parent": "mother|father|mom|mum|dad",
    "pet_name": _PET,
}

IDENTITY: Final = (
    rule("name", r"my (?:full |first )?name is (?P<value>.+)", Says("name", values.person)),
    rule(
        "form_of_address",
        r"(?:you can |please |just )*call me (?P<value>.+)",
        Says("form_of_address", values.person),
        confidence=0.8,
    ),
    rule(
        "email",
        r"my e-?mail(?: address)? is (?P<value>\S+@\S+)",
        Says("email_address", values.token),
    ),
    rule("pronouns", r"my pronouns are (?P<value>\w+/\w+)", Says("pronouns", values.thing)),
    rule(
        "birth",
        r"i was born in (?P<value>.+?) (?:on|in) (?P<date>.+)",
        Says("birth_place", values.place),
        Says("birth_date", values.full_date, value="date"),
    ),
    rule(
        "birth_date",
        r"(?:i was born|my (?:birth ?date|date of birth) is)(?: on| in)? (?P<value>.*\d.*)",
        Says("birth_date", values.full_date),
    ),
    rule(
        "birth_place",
        r"(?:i was born|my birth ?place is|my place of birth is)(?: in| at)? (?P<value>.+)",
        Says("birth_place", values.place),
    ),
    rule("birthday", r"my birthday is(?: on)? (?P<value>.+)", Says("birthday", values.day_of_year)),
    rule("age", rf"{_AM} (?P<value>\d{{1,3}})(?: years old)", Says("age", values.number)),
    rule(
        "native_language",
        r"my (?:native language|mother tongue|first language) is (?P<value>.+)",
        Says("native_language", values.languages),
    ),
    rule("speaks", r"i(?: can| also)* speak (?P<value>.+)", Says("speaks", values.languages)),
    rule("learning", rf"{_AM}{_NOW} learning (?P<value>.+)", Says("learning", values.subjects)),
)

PLACE: Final = (
    rule(
        "no_longer_lives",
        rf"{_NO_MORE} live in (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
    ),
    rule(
        "used_to_live",
        r"(?:i|we) used to live in (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
        Says("former_residence", values.place),
    ),
    rule(
        "moved_from",
        rf"{_HAVE} (?:moved|relocated) from (?P<former>.+?) to (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, former="former"),
    ),
    rule(
        "moved",
        rf"{_HAVE} (?:moved|relocated)(?: back)? to (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule("lives", rf"(?:i|we){_NOW} live in (?P<value>.+)", Says("lives_in", values.place)),
    rule(
        "living",
        rf"{_AM}{_NOW} (?:living|based) in (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule(
        "origin",
        rf"(?:i come from|{_AM}(?: originally)? from|i grew up in|my home ?town is) (?P<value>.+)",
        Says("origin_place", values.place),
    ),
    rule(
        "time_zone", r"my time ?zone is (?P<value>\w+/\w+|utc\S*)", Says("time_zone", values.thing)
    ),
)

PEOPLE: Final = (
    *(
        rule(
            f"{predicate}_name",
            rf"my (?:{words})(?:'s name is| is called| is named) (?P<value>.+)",
            Says(predicate, values.person),
        )
        for predicate, words in _RELATIVES.items()
    ),
    rule("married_to", rf"{_AM} married to (?P<value>.+)", Says("spouse", values.person)),
    rule(
        "marital_status",
        rf"{_AM}{_NOW} (?P<value>married|single|divorced|widowed|engaged)$",
        Says("marital_status", values.thing),
    ),
    rule(
        "children",
        r"(?:i|we) have (?P<value>\w+) (?:children|kids)",
        Says("number_of_children", values.number),
    ),
    rule(
        "pet_named",
        rf"(?:i|we) have an? (?P<pet>{_PET}) (?:called|named) (?P<value>.+)",
        Says("pet", values.thing, value="pet"),
        Says("pet_name", values.person),
    ),
    rule("pet", rf"(?:i|we) have an? (?P<value>{_PET})$", Says("pet", values.thing)),
)

HEALTH: Final = (
    rule(
        "no_longer_diet",
        rf"{_AM} (?:no longer|not) (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet, RETRACT),
    ),
    rule(
        "became_diet",
        r"(?:i became|i've become|i went|i've gone) (?P<value>(?:an? )?\w+)",
        Says("diet", values.diet, SUPERSEDE),
    ),
    rule("diet", rf"{_AM}{_NOW} (?P<value>(?:an? )?\w+)", Says("diet", values.diet)),
    rule(
        "allergy",
        rf"{_AM}(?: very| severely| also)* allergic to (?P<value>.+)",
        Says("allergy", values.foods),
        confidence=0.95,
    ),
    rule("allergy_noun", r"i have an? (?P<value>\w+) allergy", Says("allergy", values.thing)),
    rule(
        "intolerance",
        rf"{_AM} (?P<value>lactose|gluten|histamine)[ -]intolerant",
        Says("intolerance", values.thing),
    ),
    rule(
        "avoids_food",
        r"i (?:don't|do not|no longer|never|dont) (?:eat|drink) (?P<value>.+)",
        Says("avoids_food", values.foods),
    ),
    rule(
        "quit_food",
        rf"{_HAVE} (?:stopped|quit) (?:eating|drinking) (?P<value>.+)",
        Says("avoids_food", values.foods),
    ),
)

OWNERSHIP: Final = (
    rule(
        "sold",
        rf"{_HAVE} sold my (?P<value>.+)",
        Says("owns", values.possession, RETRACT),
    ),
    rule(
        "owns",
        rf"(?:i(?: also)? own|{_HAVE} bought) (?P<value>an? .+)",
        Says("owns", values.possession),
    ),
    rule("drives", r"i drive (?P<value>an? .+)", Says("vehicle", values.possession)),
)

RULES: Final[tuple[Rule, ...]] = (*IDENTITY, *PLACE, *PEOPLE, *HEALTH, *OWNERSHIP)
