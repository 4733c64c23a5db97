"""One hop further: the names that the chosen facts share and the query did not ask for."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from roxabi_contracts.context import PacketFact
from roxabi_contracts.render import render_value

MAXIMUM_NAMES: Final = 2
FACTS_PER_NAME: Final = 5

_NAME = re.compile(r"[A-ZÀ-Ý][a-zà-ÿ]{2,}")
_WORD = re.compile(r"\w+")
_SENTENCE_STARTERS: Final = frozenset(
    _WORD.findall("""
    about after all also although always and any are because been before but can could did does
    each every for from had has have her here his how however its just let may maybe more most
    never not now often one only our please she should since some sometimes that the their then
    there these they this those though today tomorrow until use was were what when where which
    while who why will with would yes yesterday you your
    alors après aujourd aussi avant avec bien car ceci cela ces cet cette chaque comme comment dans
    demain depuis des donc elle elles est hier ils les leur leurs lorsque mais merci mes mon non
    nos notre nous oui par parce pas peut plus pour pourquoi puis quand que quel quelle qui sans
    ses son sur tes ton toujours tous tout toute très une vos votre vous
    """)
)


def names_to_follow(facts: Iterable[PacketFact], query: str) -> tuple[str, ...]:
    """At most two names of the facts, most frequent first, then by the alphabet.

    A fact counts a name once; words of the query and common starts of a sentence are no names. Nor
    is what the owner of the memory is called: nearly every fact is about them.
    """
    left_out = _SENTENCE_STARTERS | {word.casefold() for word in _WORD.findall(query)}
    counts = Counter(
        name
        for fact in facts
        for name in set(_NAME.findall(_text(fact)))
        if name.casefold() not in left_out
    )
    ordered: Sequence[tuple[str, int]] = sorted(
        counts.items(), key=lambda counted: (-counted[1], counted[0])
    )
    return tuple(name for name, _ in ordered[:MAXIMUM_NAMES])


def _text(fact: PacketFact) -> str:
    about_name = None if fact.about == fact.subject else fact.about_name
    return f"{about_name or ''} {render_value(fact.value)}"
