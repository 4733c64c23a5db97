"""English rules for where somebody lives, lived and means to live."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, HAVE, NO_MORE, NOW, WE_ARE
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_LEFT: Final = (
    rule(
        "no_longer_lives",
        rf"{NO_MORE} live in (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
    ),
    rule(
        "moved_out",
        rf"{HAVE} moved (?:out of|away from) (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
    ),
    rule(
        "used_to_live",
        r"(?:i|we) used to live in (?P<value>.+)",
        Says("lives_in", values.place, RETRACT),
        Says("former_residence", values.place),
    ),
    rule(
        "lived_for_a_period",
        r"(?:i|we) lived in (?P<value>.+? (?:from|between) (?:\w+ )?\d{4} .+)",
        Says("lives_in", values.place),
        Says("former_residence", values.place, lasts=False),
    ),
    rule(
        "lived",
        r"(?:i|we)(?: once| previously)? lived in (?P<value>.+)",
        Says("former_residence", values.place, lasts=False),
    ),
)

_MOVED: Final = (
    rule(
        "lives_by_now",
        r"(?:i|we) live in (?P<value>.+?) now\b",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "moved_from",
        rf"{HAVE} (?:moved|relocated) from (?P<former>.+?) to (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE, former="former"),
    ),
    rule(
        "moved_address",
        rf"{HAVE} moved to (?P<value>.+)",
        Says("home_address", values.address, SUPERSEDE),
    ),
    rule(
        "moved",
        rf"{HAVE} (?:(?:moved|relocated)(?: back)? to|settled(?: down)? in) (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "lives_now",
        r"(?:(?:i|we) (?:now|currently)|now (?:i|we)) live in (?P<value>.+)",
        Says("lives_in", values.place, SUPERSEDE),
    ),
    rule(
        "moving",
        rf"(?:{WE_ARE} |i'll be |i will be |we'll be |we will be )(?:(?:going to|planning to|"
        r"gonna) (?:move|relocate)|moving|relocating)(?: back)? to "
        r"(?P<value>.+)",
        Says("planned_residence", values.place, lasts=False),
        wished=True,
    ),
)

_HOME: Final = (
    rule(
        "lives",
        rf"(?:i|we){NOW} (?:live|reside) in (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule(
        "has_lived",
        r"(?:i|we)(?:'ve| have) (?:lived|been living) in (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule(
        "living",
        rf"(?:{WE_ARE}{NOW} )?(?:living|based|settled|located) (?:in|out of) (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule("home_in", r"(?:my|our) home is (?:in )?(?P<value>.+)", Says("lives_in", values.place)),
    rule(
        "home_address",
        r"(?:my|our)(?: home| postal)? address is (?P<value>.+)",
        Says("home_address", values.address),
    ),
    rule(
        "new_address",
        r"(?:my|our) new(?: home| postal)? address(?: is|:) (?P<value>.+)",
        Says("home_address", values.address, SUPERSEDE),
    ),
    rule(
        "time_zone",
        rf"(?:my time ?zone is|{AM} in) (?P<value>[a-z]+/\w+|(?:utc|gmt)\S*)",
        Says("time_zone", values.thing),
    ),
    rule(
        "house_in",
        r"(?:my|our) (?:house|flat|apartment|place) is in (?P<value>.+)",
        Says("lives_in", values.place),
    ),
    rule(
        "calls_home",
        r"(?:i|we)(?: now)? call (?P<value>.+?) home\b",
        Says("lives_in", values.place),
    ),
    rule(
        "where_one_lives",
        r"(?P<value>[\w' -]{3,40}?) is (?:where i live|my home|home for me)\b",
        Says("lives_in", values.place),
    ),
    rule(
        "has_been_in_since",
        r"(?:i|we)(?:'ve| have) been in (?P<value>.+? since .+)",
        Says("lives_in", values.place),
        confidence=0.8,
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_LEFT, *_MOVED, *_HOME)
