"""What keeps two names of predicates apart by their words alone, however near their meaning."""

import re
from enum import StrEnum
from typing import Final

from cortex_memory.retain.lexicon import Lexicon
from cortex_memory.retain.name_forms import NameForm

_PAST: Final = re.compile(r"(?<=\w{3})(ed|ait)$")


class Difference(StrEnum):
    """Why two names are not the same."""

    EMPTY = "one of them says nothing"
    NUMBERS = "different numbers"
    OPPOSITES = "words that exclude each other"
    DIRECTIONS = "different directions"
    TENSES = "one is past, the other is not"
    MARKS = "a word of one changes what it says"
    PARTS = "one is a part or a kind of the other"
    HEADS = "they speak of different things"


def difference(first: NameForm, second: NameForm, lexicon: Lexicon) -> Difference | None:
    """The first reason to keep two names apart; null: their words allow them to be the same."""
    if not first.content or not second.content:
        return Difference.EMPTY
    if first.numbers != second.numbers:
        return Difference.NUMBERS
    if _are_opposed(first, second, lexicon):
        return Difference.OPPOSITES
    if _are_turned(first, second):
        return Difference.DIRECTIONS
    if _differ_in_tense(first, second) or _differ_in_tense(second, first):
        return Difference.TENSES
    if (set(first.meanings) ^ set(second.meanings)) & lexicon.marks:
        return Difference.MARKS
    if first.content < second.content or second.content < first.content:
        return Difference.PARTS
    if _have_other_heads(first, second):
        return Difference.HEADS
    return None


def _are_opposed(first: NameForm, second: NameForm, lexicon: Lexicon) -> bool:
    one = set(first.meanings) - set(second.meanings)
    other = set(second.meanings) - set(first.meanings)
    return any(one & excluded and other & excluded for excluded in lexicon.opposites.values())


def _are_turned(first: NameForm, second: NameForm) -> bool:
    """A closing link may be missing, but not be another one."""
    relations = first.relations, second.relations
    return first.directions != second.directions or (all(relations) and len(set(relations)) > 1)


def _differ_in_tense(first: NameForm, second: NameForm) -> bool:
    """Whether a word of `first` is the past of one of `second`; irregular pasts go unseen.

    A known word may be a verb too: a coach coaches.
    """
    present = [word for word in second.content - first.content if not _PAST.search(word)]
    roots = [_PAST.sub("", word) for word in first.stems if _PAST.search(word)]
    return any(word.startswith(root) for word in present for root in roots)


def _have_other_heads(first: NameForm, second: NameForm) -> bool:
    heads_known = first.head in first.meanings and second.head in second.meanings
    return heads_known and first.head != second.head
