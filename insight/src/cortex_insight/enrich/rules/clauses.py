"""The clauses of a text in which somebody speaks for themself, with their place in it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cortex_insight.enrich.rules import guards
from cortex_insight.enrich.rules.speakers import spoken

LONGEST_CLAUSE: Final = 400
"""Longer stretches without a full stop are no plain statements."""

_GLANCE: Final = 8
"""As much of what follows a clause as tells who goes on."""

HIDDEN: Final = "\ufffc"
"""Stands where something was said that is not the speaker's own plain words."""

_FOREIGN: Final = (
    re.compile(r"^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|\Z)", re.MULTILINE),
    re.compile(r"^(?:[ \t]*>|\t| {4}).*$", re.MULTILINE),
    re.compile(
        r"^[ \t]*(?:\d{4}-\d\d-\d\d[T ]\d\d:\d\d|(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL)\b|"
        r"[$#%]\s|//|/\*|\{|>>>|Traceback\b|File\s\"|\w*(?:Error|Exception|Warning):|SELECT\s|<\w).*$",
        re.MULTILINE,
    ),
    re.compile(r"`[^`\n]*`"),
    re.compile(r"\"[^\"\n]*\"|“[^“”\n]*”|«[^«»\n]*»|(?<!\w)'[^'\n]*'(?!\w)"),
    re.compile(r"<[^<>\n]{1,200}>|https?://\S+"),
)
"""Code blocks, quoted and indented lines, logs, code of words, quotations, tags, addresses."""

_SPELLING: Final = str.maketrans({"’": "'", "\u00a0": " ", "\u202f": " "})
_MARKUP: Final = str.maketrans({"`": " ", "*": " "})

_FULL_STOP: Final = re.compile(r"[.!?…]+(?=[\s)]|$)", re.MULTILINE)
_BREAK: Final = re.compile(
    r"(?P<opens>(?<!cision)(?<!cision )[:;]\s+)"
    r"(?=(?:always|never|please|from\s+now|don't|do\s+not|toujours|jamais|ne|désormais|utilise)\s)"
    r"|(?:[,;—–]|(?<!cision)(?<!cision ):|\s-|,?\s(?:and|but|so|because|et|mais|donc|car|"
    r"puisque))\s+"
    r"(?=(?:(?:also|now|currently|then|aussi|maintenant|recently|just)\s+)?"
    r"(?:i|i'm|i'll|i've|i'd|we|we've|we're|we'll|my|our|je|j'\w+|nous|on|mon|ma|mes|"
    r"everybody|everyone|people|nobody|you|he|she|it|it's|they|the|this|that|there|"
    r"tu|il|elle|ils|elles|vous|ce|ça|d'où|(?:le|la|les)(?!\s+[\w-]+\s*(?:[.,;!]|$)))\b)"
    r"|,\s(?:but|so|because|mais|donc|car)\s+",
    re.IGNORECASE,
)
"""Where somebody or something else becomes the subject of the sentence."""

_OPENING: Final = re.compile(
    r"(?:\s|[-+•#(]|\d{1,2}[.)]\s"
    r"|(?:hi|hello|hey|thanks|ok|okay|well|so|also|and|but|actually|btw|by\s+the\s+way|fyi|"
    r"for\s+the\s+record|note|reminder|these\s+days|honestly|personally|yes|no|"
    r"yeah|yep|yup|nope|oh|ah|right|good\s+morning|big\s+news|sorry|correction|update|nah|omg|haha|"
    r"ngl|tbh|imo|imho|lowkey|just\s+so\s+you\s+know|for\s+context|as\s+you\s+know|as\s+for\s+me|"
    r"(?:(?:please|kindly|just)\s+)?(?:note|remember|keep\s+in\s+mind|be\s+aware|mind\s+you)(?:\s+that)?(?!\s+to\b)|"
    r"(?:i\s+(?:am\s+writing|'m\s+writing|just\s+wanted|wanted|want)\s+to|i\s+(?:can|should|must)|let\s+me)\s+"
    r"(?:let\s+you\s+know|inform\s+you|say|add|confirm|mention|note)(?:\s+that)?|"
    r"je\s+(?:(?:te|vous)\s+)?(?:précise|signale|rappelle|informe|note|confirme)\s+que|"
    r"(?:sache|sachez|note|notez|retiens|retenez|rappelle-toi|n'oublie\s+pas)\s+que|à\s+noter(?:\s+que)?|"
    r"petit\s+contexte|pour\s+contexte|chez\s+nous|au\s+bureau|à\s+la\s+maison|perso|franchement|"
    r"in\s+my\s+(?:team|company|job)|over\s+here|finally|"
    r"before\s+that|previously|formerly|today|hello\s+team|team|all|both|"
    r"at\s+(?:work|home|the\s+moment)|fun\s+fact|guess\s+what|"
    r"(?:last|this|the\s+other)\s+(?:week|weekend|month|year|spring|summer|autumn|fall|winter|night|"
    r"day|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday|lately|recently|plus|"
    r"these\s+days|since\s+then|in\s+the\s+meantime|nowadays|so\s+far|of\s+course|again|"
    r"(?:a\s+few|a\s+couple\s+of|two|three|four|five|\d{1,2})\s+(?:days|weeks|months|years)\s+ago|"
    r"(?:in|on|since)\s+(?:(?:19|20)\d\d|january|february|march|april|may|june|july|august|"
    r"september|october|november|december)(?:\s+(?:19|20)\d\d)?|"
    r"(?:en|depuis)\s+(?:(?:19|20)\d\d|janvier|février|mars|avril|mai|juin|juillet|août|"
    r"septembre|octobre|novembre|décembre)(?:\s+(?:19|20)\d\d)?|hier|récemment|depuis|"
    r"l'an(?:née)?\s+derni(?:er|ère)|le\s+mois\s+dernier|la\s+semaine\s+dernière|"
    r"à\s+propos|avant|auparavant|au\s+(?:boulot|travail)|bof|ça\s+y\s+est|"
    r"bonjour|salut|coucou|alors|bon|"
    r"donc|et|mais|en\s+fait|au\s+fait|d'ailleurs|pour\s+info|aujourd'hui|"
    r"personnellement|finalement|oui|non|pardon|merci(?!\s+de))\b[\s,:!.-]*){0,6}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A stretch of a text: `text` is fit for matching, `start:end` is where it was said."""

    text: str
    lead: str
    """What of its sentence stands before it and after the clause before: `Last May, `."""
    start: int
    end: int
    opens_sentence: bool
    supposed: bool
    """Its sentence holds under a condition only."""
    wished: bool
    """It tells what may or shall be."""


def clauses(text: str) -> Iterator[Clause]:
    """The clauses that state something: no questions, reports, wishes, jokes or quotations."""
    plain = hide_foreign(text)
    for line in re.finditer(r"[^\n]+", plain):
        if guards.joking(line[0]):
            continue
        for start, end in _sentences(plain, line.start(), line.end()):
            if not guards.unasserted(plain[start:end]):
                yield from _clauses_of(plain, start, end)


def hide_foreign(text: str) -> str:
    """The text, of the same length, without what the speaker quotes."""
    plain = text.translate(_SPELLING)
    for pattern in _FOREIGN:
        plain = pattern.sub(_hidden, plain)
    return plain.translate(_MARKUP)


def _hidden(found: re.Match[str]) -> str:
    said = found[0]
    if said.startswith("`") and not said.startswith("```") and len(said.split()) == 1:
        return said
    return re.sub(r"[^\n]", HIDDEN, said)


def _sentences(plain: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for stop in _FULL_STOP.finditer(plain, start, end):
        yield start, stop.end()
        start = stop.end()
    if start < end:
        yield start, end


def _clauses_of(plain: str, start: int, end: int) -> Iterator[Clause]:
    supposed = guards.supposing(plain[start:end])
    last = start + len(plain[start:end].rstrip(" \t\r.!…"))
    breaks = list(_BREAK.finditer(plain, start, last))
    starts = [(start, True), *((found.end(), bool(found["opens"])) for found in breaks)]
    ends = [*(found.start() for found in breaks), last]
    led_from: int | None = None
    for (first, opens), stop in zip(starts, ends, strict=True):
        opening = _OPENING.match(plain, first, stop)
        begin = opening.end() if opening else first
        opens = opens or led_from is not None
        led = first if led_from is None else led_from
        led_from = led if opens and begin >= stop else None
        if begin < stop <= begin + LONGEST_CLAUSE and plain[begin].isalpha():
            lead, follows = plain[led:begin], plain[stop : stop + _GLANCE]
            for part in spoken(plain[begin:stop], follows, opens=opens):
                wished = guards.wishing(part.said)
                yield Clause(part.said, lead, begin, begin + part.end, opens, supposed, wished)
