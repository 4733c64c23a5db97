"""English rules for what somebody wishes: preferences, and instructions to agents."""

from typing import Final

from roxabi_contracts.payloads import ClaimKind

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import RETRACT, SUPERSEDE, Rule, Says, rule

_PREFER: Final = (
    r"i(?: (?:much|really|strongly|definitely|still|now|generally|also))* prefer(?: to use| using)?"
)
_PREFERENCE: Final = ClaimKind.PREFERENCE
_ORDER: Final = ClaimKind.INSTRUCTION

PREFERENCE: Final = (
    rule(
        "favourite",
        r"my favou?rite (?P<domain>[\w-]+(?: [\w-]+)?) is (?:now |currently )?(?P<value>.+)",
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
    r"nice|again|ever|fun|hurts|knew|know|thought|is|are|here|there|saw|came|went|got|felt|made|"
    r"took|found|told|said|gave|give up|apologi[sz]e|seems?|quite|really|too|so|my|our|in|on|at|"
    r"\w+ing|\w*[^e]ed)\b)"
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

RULES: Final[tuple[Rule, ...]] = (*INSTRUCTION, *PREFERENCE)
