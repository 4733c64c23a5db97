"""English rules for standing instructions to agents."""

from typing import Final

from cortex_insight.enrich.rules import values
from cortex_insight.enrich.rules.rule import SUPERSEDE, Rule, Says, rule

_INSTRUCTION: Final = Says("instruction", values.sentence)
_NO_ORDER: Final = (
    r"(?!(?:mind|worry|bother|forget|heard|seen|been|had|did|was|were|a|an|the|happy|glad|good|"
    r"nice|again|fun|hurts|knew|know|thought|is|are|"
    r"here|there|saw|came|went|got|felt|made|took|found|told|said|gave|give up|apologi[sz]e|seems?|"
    r"quite|really|too|so|my|our|in|on|at|look on|full|great|fun|available|ready|welcome|"
    r"worth|on|there for|"
    r"and|or|have|let|hesitate|stop|panic|laugh|judge|been|interesting|enough|easy|hard|nice "
    r"to|better|best|more|less|\w+ing|\w*[^e]ed)\b)"
)
_SUBJECT: Final = r"(?!(?:i|i'm|i'll|we|my|it|there|he|she|they)\b)"
_DO: Final = (
    r"(?:please |always |never |only |just )*(?:don't|do not|use|write|answer|reply|respond|"
    r"run|keep|"
    r"add|put|set|make|open|create|show|give|assume|include|format|prefer|start|call|speak|talk|send|"
    r"leave|treat|stick|avoid|ask|check|test|commit|push|merge|sign|name|document|explain|cite|list|"
    r"round|sort|store|save|log|skip|stop|end|begin|follow|address|translate|review|be|go|let|tell|"
    r"consider|track|limit|wrap|indent|import|export|tag|link|quote|verify|confirm|remember|do|refer)\b"
)
"""How an order begins; what else follows `from now on` tells how things are."""
_NO_POINTING: Final = r"(?!.*\b(?:this|that|these|those|it|yet|now|here|today)\b)"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "response_language_from_now_on",
        r"(?:answer|reply|respond|write|speak|talk)(?: to)?(?: me)?(?: only)? in (?P<value>\w+) "
        r"from now on$",
        Says("response_language", values.languages, SUPERSEDE),
        order=True,
    ),
    rule(
        "response_language",
        r"(?:(?:please|from now on|always),? )+(?:answer|reply|respond|write|speak|talk)(?: to)?"
        r"(?: me)?(?: only)? in (?P<value>\w+)(?: from now on)?$",
        Says("response_language", values.languages, SUPERSEDE),
        order=True,
    ),
    rule(
        "always_never",
        r"(?P<value>(?:please )?(?:always|never(?: ever(?= touch| use| run| push| delete| "
        r"commit| change| write))?) "
        rf"{_NO_ORDER}\w.+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "from_now_on",
        r"(?P<value>(?:from now on(?!,? call me)|going forward|by default|for future \w+),? "
        rf"{_DO}.+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "in_this_place",
        r"(?P<value>(?:in|for|on) (?:this|my|our|the) (?:repo|repository|project|code ?base|team|"
        rf"company),? (?:please )?(?:always|never) {_NO_ORDER}\w.+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "ends_from_now_on",
        rf"(?P<value>{_DO}.+ (?:from now on|in (?:the )?future))$",
        _INSTRUCTION,
        confidence=0.8,
        order=True,
    ),
    rule(
        "please_do_not",
        rf"(?P<value>please (?:don't|do not|avoid) {_NO_POINTING}{_NO_ORDER}\w.+)",
        _INSTRUCTION,
        confidence=0.8,
        order=True,
    ),
    rule(
        "do_not_ever",
        r"(?P<value>(?:(?:don't|do not) ever(?= )|(?:please )?(?:make sure|remember)(?: to| you)? "
        rf"(?:always|never)) {_NO_ORDER}\w.+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "you_must",
        r"(?P<value>(?:you (?:must|should|have to|need to)|i(?:'d)? (?:want|need|like) you to) "
        rf"(?:always|never) {_NO_ORDER}\w.+)",
        _INSTRUCTION,
        order=True,
        wished=True,
    ),
    rule(
        "whenever_you",
        r"(?P<value>(?:whenever|every time) you (?!need|want|have|feel|are|get|can|like|come|"
        r"go)[\w -]+, "
        rf"{_SUBJECT}(?!just |let )\w.+)",
        _INSTRUCTION,
        order=True,
    ),
    rule(
        "in_every_answer",
        r"(?P<value>(?:please )?(?:stop|start|keep|add|put|end|begin|include|use|write|avoid|"
        r"don't|do not) "
        r".*\b(?:in|to|at the (?:end|top|start) of|with|for|on) (?:every|each|all(?: of)?(?: "
        r"your| my)?) "
        r"(?:repl(?:y|ies)|answers?|messages?|responses?|commits?(?: messages?)?|prs?|pull "
        r"requests?|"
        r"e?-?mails?|files?|functions?|summar(?:y|ies)))\b",
        _INSTRUCTION,
        confidence=0.8,
        order=True,
    ),
)
