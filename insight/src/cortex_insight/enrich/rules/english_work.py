"""English rules for what somebody does: work, tools, preferences, instructions."""

from typing import Final

from roxabi_contracts.payloads import ClaimKind

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_AM: Final = r"(?:i'm|i am|im)"
_NOW: Final = r"(?: (?:now|currently|actually|still|also|just|mostly|mainly|usually|generally))*"
_HAVE: Final = r"(?:i|we)(?:'ve| have)?(?: just| recently| finally| now)*"
_NO_MORE: Final = r"(?:i|we) (?:no longer|do not|don't|dont|never)"
_PREFER: Final = r"i(?: (?:much|really|strongly|definitely|still|now|generally|also))* prefer"
_PREFERENCE: Final = ClaimKind.PREFERENCE
_ORDER: Final = ClaimKind.INSTRUCTION

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
        Says("works_on", values.organisation),
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
        rf"{_HAVE} (?:switched|migrated|moved|changed) from (?P<former>.+?) to (?P<value>.+)",
        Says("uses", values.product, former="former"),
    ),
    rule(
        "switched_back",
        rf"{_HAVE} (?:switched|migrated|moved) to (?P<value>.+?) "
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
        rf"{_NO_MORE} use (?P<value>.+)",
        Says("uses", values.products, RETRACT),
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

PREFERENCE: Final = (
    rule(
        "favourite",
        r"my favou?rite (?P<domain>[\w-]+(?: [\w-]+)?) is (?P<value>.+)",
        Says("prefers", values.possession, kind=_PREFERENCE),
    ),
    rule(
        "prefers_over",
        rf"{_PREFER} (?P<value>.+?) (?:over|to|rather than|instead of|than) (?P<other>.+)",
        Says("prefers", values.thing, kind=_PREFERENCE),
    ),
    rule("prefers", rf"{_PREFER} (?P<value>.+)", Says("prefers", values.thing, kind=_PREFERENCE)),
    rule(
        "prefers_for",
        rf"{_PREFER} (?P<value>.+?) (?:for|in|at) (?P<domain>.+)",
        Says("prefers", values.thing, kind=_PREFERENCE),
    ),
    rule(
        "prefers_something",
        rf"{_PREFER} (?P<value>.+)",
        Says("likes", values.thing, kind=_PREFERENCE),
        confidence=0.7,
    ),
    rule(
        "no_longer_likes",
        r"i (?:no longer (?:like|love|enjoy) (?P<value>.+)"
        r"|(?:don't|do not) (?:like|love|enjoy) (?P<also>.+) any ?more$)",
        Says("likes", values.things, RETRACT),
        Says("likes", values.things, RETRACT, value="also"),
    ),
    rule(
        "dislikes",
        r"i(?: really| absolutely| also| still)* "
        r"(?:hate|dislike|can't stand|cannot stand|detest|don't like|do not like) (?P<value>.+)",
        Says("dislikes", values.things, kind=_PREFERENCE),
    ),
    rule(
        "likes",
        r"i(?: really| absolutely| also| still)* (?:like|love|enjoy|adore) (?P<value>.+)",
        Says("likes", values.things, kind=_PREFERENCE),
    ),
)

_NO_ORDER: Final = (
    r"(?!(?:mind|worry|bother|forget|heard|seen|been|had|did|was|were|a|an|the|happy|glad|good|"
    r"nice|again|ever|fun|hurts|knew|know|thought|worked|happened|is|are|\w+ing|\w*[^e]ed)\b)"
)
_SUBJECT: Final = r"(?!(?:i|i'm|i'll|we|my|it|there|he|she|they)\b)"
_NO_POINTING: Final = r"(?!.*\b(?:this|that|these|those|it|yet|now|here|today)\b)"

INSTRUCTION: Final = (
    rule(
        "response_language",
        r"(?:(?:please|from now on|always),? )+(?:answer|reply|respond|write)(?: to)?(?: me)?"
        r"(?: only)? in (?P<value>\w+)$",
        Says("response_language", values.languages, SUPERSEDE, kind=_PREFERENCE),
        order=True,
    ),
    rule(
        "always_never",
        rf"(?P<value>(?:please )?(?:always|never) {_NO_ORDER}\w.+)",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
    rule(
        "from_now_on",
        rf"(?P<value>(?:from now on|going forward),? {_SUBJECT}\w.+)",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
    rule(
        "please_do_not",
        rf"(?P<value>please (?:don't|do not|avoid) {_NO_POINTING}{_NO_ORDER}\w.+)",
        Says("instruction", values.sentence, kind=_ORDER),
        confidence=0.8,
        order=True,
    ),
    rule(
        "do_not_ever",
        rf"(?P<value>(?:(?:don't|do not) ever|make sure (?:to|you) (?:always|never)) "
        rf"{_NO_ORDER}\w.+)",
        Says("instruction", values.sentence, kind=_ORDER),
        order=True,
    ),
)

RULES: Final[tuple[Rule, ...]] = (
    *INSTRUCTION,
    *WORK,
    *USE,
    *PREFERENCE,
)
