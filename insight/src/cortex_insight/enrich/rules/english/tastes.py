"""English rules for what somebody prefers, likes and does for pleasure."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, NOW
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_PREFER: Final = (
    r"i(?: (?:much|really|strongly|definitely|still|now|generally|also|usually|always))* "
    r"prefer(?: to use| using)?"
)
_FAVOURITE: Final = r"(?:all-time )?(?:favou?rite|fav|preferred)"
_REALLY: Final = r"(?: (?:really|absolutely|also|still|just|simply|totally|truly))*"

_FAVOURITES: Final = (
    rule(
        "favourite_changed",
        rf"my {_FAVOURITE} (?P<domain>[\w-]+(?: [\w-]+)?) used to be .+?,? (?:but )?now "
        r"it(?:'s| is) "
        r"(?P<value>.+)",
        Says("prefers", values.possession, SUPERSEDE),
    ),
    rule(
        "favourite",
        rf"my {_FAVOURITE} (?P<domain>[\w-]+(?: [\w-]+)?)(?: of all time)? is "
        r"(?:now |currently )?(?P<value>.+)",
        Says("prefers", values.possession),
    ),
    rule(
        "favourite_turned",
        rf"(?P<value>[\w' -]{{2,40}}?) is my {_FAVOURITE} (?P<domain>[\w-]+(?: [\w-]+)?)$",
        Says("prefers", values.possession),
        opens=True,
    ),
)

_PREFERENCES: Final = (
    rule(
        "prefers_between",
        rf"between (?P<other>.+?) and .+? {_PREFER} (?P<value>.+)",
        Says("prefers", values.thing),
    ),
    rule(
        "prefers_over",
        rf"(?:{_PREFER}|i'd rather use) (?P<value>.+?) "
        r"(?:over|to|rather than|instead of|than) (?P<other>.+)",
        Says("prefers", values.thing),
    ),
    rule(
        "likes_better",
        rf"i{_REALLY} like (?P<value>.+?) (?:better than|more than) (?P<other>.+)",
        Says("prefers", values.thing),
    ),
    rule("prefers", rf"{_PREFER} (?P<value>.+)", Says("prefers", values.thing)),
    rule(
        "prefers_for",
        rf"{_PREFER} (?P<value>.+?) for (?P<domain>.+)",
        Says("prefers", values.thing),
    ),
    rule(
        "prefers_something",
        rf"{_PREFER} (?P<value>.+)",
        Says("likes", values.tastes),
        confidence=0.7,
    ),
)

_LIKES: Final = (
    rule(
        "no_longer_likes",
        r"i (?:no longer (?:like|love|enjoy) (?P<value>.+)"
        r"|(?:don't|do not) (?:like|love|enjoy) (?P<also>.+) any ?more$)",
        Says("likes", values.things, RETRACT),
        Says("likes", values.things, RETRACT, value="also"),
    ),
    rule(
        "dislikes",
        rf"(?:i{_REALLY} (?:hate|dislike|can't stand|cannot stand|detest|loathe|don't like|"
        rf"do not like)|(?:{AM} )?not a (?:big |huge )?fan of|{AM} not (?:really )?(?:into|"
        r"keen on|fond of)) (?P<value>.+)",
        Says("dislikes", values.tastes),
    ),
    rule(
        "likes",
        rf"(?:i{_REALLY} (?:like|love|enjoy|adore)|{AM}{NOW} (?:an? (?:\w+ )?fan of|fond of|"
        r"(?:really )?into|keen on|partial to|crazy about|passionate about)) (?P<value>.+)",
        Says("likes", values.tastes),
    ),
)

_PASTIMES: Final = (
    rule(
        "instrument",
        rf"(?:i{NOW} play|i(?:'ve| have) (?:been playing|played)|i started playing|{AM} "
        r"learning) (?P<value>.+)",
        Says("instrument", values.instrument),
    ),
    rule(
        "sport",
        rf"(?:i{NOW} (?:play|do|practi[cs]e)|i(?:'ve| have) (?:been )?(?:playing|doing|played)) "
        r"(?P<value>.+)",
        Says("sport", values.sport),
    ),
    rule(
        "hobby",
        r"(?:my|our) (?:main )?(?:hobby|hobbies|pastime|pastimes) (?:is|are) (?P<value>.+)",
        Says("hobby", values.things),
    ),
    rule(
        "supports_team",
        r"i(?: still| always)? support (?P<value>.+)",
        Says("supports_team", values.team),
    ),
    rule(
        "reading",
        rf"{AM}{NOW} reading (?P<value>.+)",
        Says("reading", values.title),
        confidence=0.8,
    ),
    rule("collects", r"i collect (?P<value>.+)", Says("collects", values.collection)),
    rule(
        "fear",
        rf"{AM}(?: really| terribly| very)* (?:afraid|scared|terrified) of (?P<value>.+)",
        Says("fear", values.fear),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_FAVOURITES, *_PREFERENCES, *_LIKES, *_PASTIMES)
