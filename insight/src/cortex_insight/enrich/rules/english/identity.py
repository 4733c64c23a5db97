"""English rules for who somebody is: names, birth, origin, languages, addresses."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, HAVE, NOW
from cortex_insight.enrich.rules.names import NAME
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_NAMES: Final = (
    rule(
        "name",
        r"(?:my|the) (?:full |first )?name(?: is|'s) (?P<value>.+)",
        Says("name", values.person),
    ),
    rule("called", rf"{AM} called (?P<value>.+)", Says("name", values.person)),
    rule(
        "form_of_address",
        r"(?:you can |please |just |from now on,? )*call me (?P<value>.+?)(?:,? (?:please|"
        r"from now on))?$",
        Says("form_of_address", values.lone_name),
        confidence=0.8,
    ),
    rule(
        "nickname",
        r"(?:i go by|(?:my friends|friends|everybody|everyone|people|they) calls? me) "
        r"(?P<value>.+)",
        Says("nickname", values.person),
    ),
    rule("pronouns", r"my pronouns are (?P<value>\w+/\w+)", Says("pronouns", values.thing)),
    rule("uses_pronouns", r"i use (?P<value>\w+/\w+) pronouns", Says("pronouns", values.thing)),
)

_BIRTH: Final = (
    rule(
        "age_and_trade",
        rf"{AM} an? (?P<age>\d\d)[ -]years?[ -]old (?P<value>\w+(?: \w+){{0,2}}?)"
        r"(?: (?:from|living in|based in|in) .*)?$",
        Says("age", values.number, value="age"),
        Says("job_title", values.profession),
    ),
    rule(
        "birth",
        r"i was born in (?P<value>.+?) (?:on|in) (?P<date>.+)",
        Says("birth_place", values.place),
        Says("birth_date", values.full_date, value="date"),
    ),
    rule(
        "birth_turned",
        r"i was born on (?P<date>.+?\d) in (?P<value>.+)",
        Says("birth_date", values.full_date, value="date"),
        Says("birth_place", values.place),
    ),
    rule(
        "birth_date",
        r"(?:i was born|my (?:birth ?date|date of birth) is)(?: on| in)? (?P<value>.*\d.*)",
        Says("birth_date", values.full_date),
    ),
    rule(
        "born_and_raised",
        r"(?:i was )?born and (?:raised|bred) in (?P<value>.+)",
        Says("birth_place", values.place),
        Says("origin_place", values.place),
        opens=True,
    ),
    rule(
        "birth_place",
        r"(?:i was born|my birth ?place is|my place of birth is)(?: in| at)? (?P<value>.+)",
        Says("birth_place", values.place),
    ),
    rule(
        "birthday",
        r"my birthday(?: is|'s)(?: on)? (?P<value>.+)",
        Says("birthday", values.day_of_year),
    ),
    rule("age", rf"{AM} (?P<value>\d{{1,3}})(?: years old)", Says("age", values.number)),
    rule("age_alone", rf"{AM}{NOW} (?P<value>\d\d)$", Says("age", values.number), confidence=0.8),
    rule("turned", rf"{HAVE} turned (?P<value>\d\d)\b", Says("age", values.number)),
    rule("age_as", r"as an? (?P<value>\d\d)[ -]years?[ -]old,? i\b", Says("age", values.number)),
)

_ORIGIN: Final = (
    rule("nationality", rf"{AM} (?P<value>\w+)$", Says("nationality", values.nationality)),
    rule(
        "citizen",
        rf"{AM} an? (?P<value>\w+) (?:citizen|national)\b",
        Says("nationality", values.nationality),
    ),
    rule(
        "passport",
        r"i (?:hold|have) an? (?P<value>\w+) passport\b",
        Says("nationality", values.nationality),
    ),
    rule("religion", rf"{AM} (?:an? )?(?P<value>\w+)$", Says("religion", values.religion)),
    rule(
        "origin",
        rf"(?:i come from|{AM}(?: originally)? from|i grew up in|i was raised in|"
        r"(?:my|our) home ?town is) (?P<value>.+)",
        Says("origin_place", values.place),
    ),
    rule("height", rf"{AM} (?P<value>\d[\d.,]* ?c?m) tall", Says("height", values.token)),
    rule(
        "weight",
        r"i weigh (?P<value>\d[\d.,]* ?(?:kg|kilos|lbs|pounds))\b",
        Says("weight", values.token),
    ),
)

_LANGUAGES: Final = (
    rule(
        "native_language",
        r"my (?:native language|mother tongue|first language) is (?P<value>.+)",
        Says("native_language", values.languages),
    ),
    rule(
        "native_speaker",
        rf"{AM} a native (?P<value>\w+)(?: speaker|$)",
        Says("native_language", values.languages),
    ),
    rule(
        "no_longer_speaks",
        r"i no longer speak (?P<value>.+)",
        Says("speaks", values.languages, RETRACT),
    ),
    rule(
        "speaks",
        rf"(?:i(?: can| also)* speak|{AM} (?:fluent|bilingual) in) (?P<value>.+)",
        Says("speaks", values.languages),
    ),
    rule(
        "learning",
        rf"(?:{AM}{NOW} (?:learning|teaching myself|studying)|i'?ve been learning|i'm taking) "
        r"(?P<value>.+)",
        Says("learning", values.subjects),
    ),
    rule(
        "began_learning",
        rf"{HAVE} started(?: learning| to learn) (?P<value>.+)",
        Says("learning", values.subjects),
        event=True,
    ),
)

_CONTACT: Final = (
    rule(
        "email",
        r"(?:my(?: new| personal| private)? e-?mail(?: address)? is|"
        r"(?:you can )?(?:reach|contact|write to) me (?:at|on)|my address is) "
        r"(?P<value>\S+@\S+)",
        Says("email_address", values.token),
    ),
    rule(
        "phone",
        r"(?:my|the)(?: new)? (?:phone|mobile|cell|telephone|number)(?: number)? ?is(?: now)? "
        r"(?P<value>\+?[\d ()./-]{7,})",
        Says("phone_number", values.telephone),
    ),
    rule(
        "reach_by_phone",
        r"(?:you can )?(?:reach|call|ring|text) me (?:on|at) (?P<value>\+?[\d ()./-]{7,})",
        Says("phone_number", values.telephone),
    ),
)

_INTRODUCTION: Final = (
    rule(
        "name_age_and_trade",
        rf"(?:{AM}|this is) (?P<name>{NAME}), (?P<age>\d\d)(?: years old)?, (?P<value>(?:an? "
        r")?\w+(?: \w+)?)\b",
        Says("name", values.lone_name, value="name"),
        Says("age", values.number, value="age"),
        Says("job_title", values.profession),
    ),
    rule(
        "this_is_me",
        rf"(?:{AM}|this is) (?P<value>.+)",
        Says("name", values.lone_name),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (
    *_NAMES,
    *_BIRTH,
    *_ORIGIN,
    *_LANGUAGES,
    *_CONTACT,
    *_INTRODUCTION,
)
