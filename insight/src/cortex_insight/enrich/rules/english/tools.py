"""English rules for the tools that somebody uses."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.english.phrases import AM, ANY_MORE, HAVE, NO_MORE, NOW
from cortex_insight.enrich.rules.rule import RETRACT, Rule, Says, rule

_CHANGED: Final = (
    rule(
        "switched",
        rf"{HAVE} (?:switched|migrated)(?: over)? from (?P<former>.+?) to (?P<value>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "moved_tool",
        rf"{HAVE} moved from (?P<former>.+?) to (?P<value>.+)",
        Says("uses", values.listed_product, former="former"),
    ),
    rule(
        "switched_back",
        rf"{HAVE} (?:switched|migrated) to (?P<value>.+?) (?:from|instead of) (?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "replaced",
        rf"{HAVE} replaced (?P<former>.+?) (?:with|by) (?P<value>.+)",
        Says("uses", values.known_product, former="former"),
        confidence=0.8,
    ),
    rule(
        "dropped_for",
        rf"{HAVE} (?:dropped|ditched|abandoned) (?P<former>.+?) (?:in favou?r of|for) "
        r"(?P<value>.+)",
        Says("uses", values.known_product, former="former"),
        confidence=0.8,
    ),
    rule(
        "switched_to",
        rf"{HAVE} (?:switched|migrated) to (?P<value>.+)",
        Says("uses", values.products),
    ),
    rule(
        "uses_instead",
        rf"(?:i|we){NOW} use (?P<value>.+?) (?:instead of|rather than) (?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
)

_ENDED: Final = (
    rule(
        "no_longer_uses",
        rf"(?:(?:i|we) no longer use|{AM} no longer using) (?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule(
        "does_not_use",
        rf"{NO_MORE} use (?P<value>.+?){ANY_MORE}",
        Says("uses", values.products_alone, RETRACT),
    ),
    rule(
        "stopped_using",
        rf"{HAVE} (?:stopped using|gave up on|given up on|ditched) (?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule(
        "got_rid_of",
        rf"{HAVE} (?:got rid of|uninstalled|deleted|cancelled|dropped) (?P<value>.+)",
        Says("uses", values.known_products, RETRACT),
    ),
    rule(
        "used_to_use",
        r"(?:i|we) used to use (?P<value>.+)",
        Says("uses", values.products, RETRACT),
        Says("former_tool", values.products),
    ),
)

_USES: Final = (
    rule(
        "uses",
        rf"(?:i{NOW} (?:use|rely on)|i(?:'ve| have) been using) (?P<value>.+)",
        Says("uses", values.products),
    ),
    rule(
        "using",
        rf"(?:{AM}|we're|we are){NOW} using (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "we_use",
        rf"(?:we{NOW} (?:use|rely on)|we(?:'ve| have) been using) (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "is_on",
        r"(?:we're|we are) (?:all )?on (?P<value>.+)",
        Says("uses", values.listed_product),
        confidence=0.8,
    ),
    rule(
        "codes_in",
        rf"i{NOW} (?:code|program|write (?:my |most of my )?code)(?: mostly| mainly)? in "
        r"(?P<value>.+)",
        Says("programming_language", values.known_products),
    ),
    rule(
        "editor",
        r"my (?:editor|ide)(?: of choice)? is (?P<value>.+)",
        Says("editor", values.known_product),
    ),
    rule(
        "browser",
        r"my (?:web )?browser(?: of choice)? is (?P<value>.+)",
        Says("browser", values.known_product),
    ),
    rule("shell", r"my shell(?: of choice)? is (?P<value>.+)", Says("shell", values.known_product)),
    rule(
        "stack",
        r"(?:my|our) (?:tech )?stack is (?P<value>.+)",
        Says("uses", values.products),
    ),
    rule(
        "standardised_on",
        r"(?:we|(?:my|our) (?:team|company|shop))(?: have|'ve| has)? (?:standardi[sz]ed on|"
        r"all use|uses) "
        r"(?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "runs_on",
        r"(?:my|our) (?:\w+ ){1,2}(?:runs on|runs in|is hosted on|is written in|is built on|"
        r"is built with) (?P<value>.+)",
        Says("uses", values.known_product),
        confidence=0.8,
    ),
    rule(
        "ours_is",
        r"(?:my|our) (?:\w+ ){1,2}(?:is|lives in) (?P<value>.+)",
        Says("uses", values.listed_product),
        confidence=0.8,
    ),
    rule(
        "deploys_to",
        r"(?:i|we) (?:deploy|host|store|keep|track|build|ship|test|develop|run "
        r"everything)(?: \w+)? "
        r"(?:to|on|with|in) "
        r"(?P<value>.+)",
        Says("uses", values.listed_products),
        confidence=0.8,
    ),
    rule(
        "takes_notes_in",
        r"i (?:take|keep|write)(?: all)? (?:my )?notes (?:in|with) (?P<value>.+)",
        Says("uses", values.known_products),
    ),
    rule(
        "runs_system",
        r"(?:i(?: run|'ve been on| have been on|'m running|'m on| am on|m on)) (?P<value>.+)",
        Says("uses", values.system),
        confidence=0.8,
    ),
    rule(
        "mainly_writes",
        r"i (?:mainly|mostly|usually|only|primarily) (?:write|code|program)(?: in)? (?P<value>.+)",
        Says("programming_language", values.listed_products),
    ),
    rule(
        "is_a_shop",
        r"(?:we're|we are) an? (?P<value>\w+) shop\b",
        Says("uses", values.listed_product),
    ),
)

RULES: Final[tuple[Rule, ...]] = (*_CHANGED, *_ENDED, *_USES)
