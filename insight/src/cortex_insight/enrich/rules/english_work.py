"""English rules for what somebody does: work and tools."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_AM: Final = r"(?:i'm|i am|im)"
_NOW: Final = r"(?: (?:now|currently|actually|still|also|just|mostly|mainly|usually|generally))*"
_HAVE: Final = r"(?:i|we)(?:'ve| have)?(?: just| recently| finally| now)*"
_NO_MORE: Final = r"(?:i|we) (?:no longer|do not|don't|dont|never)"


WORK: Final = (
    rule(
        "no_longer_works",
        rf"{_NO_MORE} work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "used_to_work",
        r"i used to work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
        Says("former_employer", values.organisation),
    ),
    rule(
        "left_for",
        rf"{_HAVE} left (?P<former>.+?) (?:for|to join|and joined) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE, former="former"),
    ),
    rule(
        "quit_job",
        rf"{_HAVE} (?:quit|resigned from|left) my job at (?P<value>.+)",
        Says("works_at", values.organisation, RETRACT),
    ),
    rule(
        "joined",
        rf"{_HAVE} (?:started(?: working)? (?:at|for)|got an? (?:new )?job at) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE),
    ),
    rule(
        "works_now",
        r"i (?:now|currently) work (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation, SUPERSEDE),
    ),
    rule(
        "works_as_at",
        rf"(?:i{_NOW} work|{_AM}{_NOW} working) as (?P<title>an? .+?) (?:at|for) (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "works_at_as",
        rf"(?:i{_NOW} work|{_AM}{_NOW} working) (?:at|for) (?P<value>.+?) as (?P<title>an? .+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "is_at",
        rf"{_AM}{_NOW} (?P<title>an? .+?) at (?P<value>.+)",
        Says("works_at", values.organisation),
        Says("job_title", values.possession, value="title"),
    ),
    rule(
        "works_at",
        rf"(?:i{_NOW} work|{_AM}{_NOW} (?:working|employed)) (?:at|for|by) (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "employer",
        r"my(?: new| current)? employer is (?P<value>.+)",
        Says("works_at", values.organisation),
    ),
    rule(
        "works_as",
        rf"(?:i{_NOW} work|{_AM}{_NOW} working) as (?P<value>an? .+)",
        Says("job_title", values.possession),
    ),
    rule(
        "job_title",
        r"my (?:job title|profession|occupation) is (?P<value>.+)",
        Says("job_title", values.possession),
    ),
    rule(
        "works_on",
        rf"(?:{_AM}{_NOW} working|i{_NOW} work) on (?P<value>.+)",
        Says("works_on", values.project),
        confidence=0.8,
    ),
    rule(
        "manager",
        r"my (?:manager|boss) is (?:called )?(?P<value>.+)",
        Says("manager", values.person),
    ),
)

USE: Final = (
    rule(
        "switched",
        rf"{_HAVE} (?:switched|migrated) from (?P<former>.+?) to (?P<value>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "moved_tool",
        rf"{_HAVE} moved from (?P<former>.+?) to (?P<value>.+)",
        Says("uses", values.listed_product, former="former"),
    ),
    rule(
        "switched_back",
        rf"{_HAVE} (?:switched|migrated) to (?P<value>.+?) "
        r"(?:from|instead of) (?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "replaced",
        rf"{_HAVE} replaced (?P<former>.+?) (?:with|by) (?P<value>.+)",
        Says("uses", values.known_product, former="former"),
        confidence=0.8,
    ),
    rule(
        "switched_to",
        rf"{_HAVE} (?:switched|migrated) to (?P<value>.+)",
        Says("uses", values.products),
    ),
    rule(
        "uses_instead",
        rf"(?:i|we){_NOW} use (?P<value>.+?) (?:instead of|rather than) (?P<former>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "no_longer_uses",
        r"(?:i|we) no longer use (?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule(
        "does_not_use",
        rf"{_NO_MORE} use (?P<value>.+?)(?: any ?more| any longer| at all)?$",
        Says("uses", values.products_alone, RETRACT),
    ),
    rule(
        "stopped_using",
        rf"{_HAVE} (?:stopped using|gave up on|given up on|ditched) (?P<value>.+)",
        Says("uses", values.products, RETRACT),
    ),
    rule(
        "used_to_use",
        r"(?:i|we) used to use (?P<value>.+)",
        Says("uses", values.products, RETRACT),
        Says("former_tool", values.products),
    ),
    rule("uses", rf"i{_NOW} use (?P<value>.+)", Says("uses", values.products)),
    rule(
        "using",
        rf"(?:{_AM}|we're|we are){_NOW} using (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "we_use",
        rf"we{_NOW} use (?P<value>.+)",
        Says("uses", values.known_products),
        confidence=0.8,
    ),
    rule(
        "codes_in",
        rf"i{_NOW} (?:code|program|write (?:my )?code) in (?P<value>.+)",
        Says("programming_language", values.known_products),
    ),
    rule("editor", r"my (?:editor|ide) is (?P<value>.+)", Says("editor", values.product)),
)

RULES: Final[tuple[Rule, ...]] = (*WORK, *USE)
