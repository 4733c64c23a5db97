"""One kind of secret: where it may stand, and the mark that takes its place."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

Accepts = Callable[[str], bool]

_KEPT: Final = "kept"
_NOWHERE: Final = r"(?!)"
_BEFORE: Final = ' \t\r\n"=:'
_AFTER: Final = ' \t\r\n"'
"""What a pattern may take along to find the ends of a secret."""


def anything(_: str) -> bool:
    """Whatever the pattern finds is a secret."""
    return True


@dataclass(frozen=True)
class Rule:
    """How one kind of secret is found."""

    kind: str
    """Shown in its place."""
    words: tuple[frozenset[str], ...]
    """In lower case: all of one of these sets occur wherever the pattern can match.

    Searching for words first is what makes ordinary text cheap. None: it is always tried.
    """
    pattern: re.Pattern[str]
    """What repeats in it is bounded, so that no text is expensive.

    The secret is its only group, or what follows the group `kept`, or else the whole match.
    """
    accepts: Accepts = anything
    """Tells a secret from what looks like one."""

    def redact(self, text: str) -> str:
        """The text with a mark for each secret of the kind."""
        return self.pattern.sub(self._mark, text)

    def _mark(self, match: re.Match[str]) -> str:
        start, end = self._place(match)
        text = match.string
        if not self.accepts(text[start:end]):
            return match.group()
        return f"{text[match.start() : start]}[redacted:{self.kind}]{text[end : match.end()]}"

    def _place(self, match: re.Match[str]) -> tuple[int, int]:
        if _KEPT in self.pattern.groupindex:
            return match.end(_KEPT), match.end()
        if self.pattern.groups == 1 and match.group(1) is not None:
            return match.span(1)
        found = match.group()
        start = match.start() + len(found) - len(found.lstrip(_BEFORE))
        return start, match.end() - len(found) + len(found.rstrip(_AFTER))


def rule(kind: str, words: str, regex: str, accepts: Accepts = anything) -> Rule:
    """A rule of our own; see `words_of`."""
    return Rule(kind, words_of(words), re.compile(regex), accepts)


def words_of(words: str) -> tuple[frozenset[str], ...]:
    """Words parted by spaces, any of which may occur; those joined by `+` occur together."""
    return tuple(frozenset(each.split("+")) for each in words.split())


class WordFinder:
    """Finds which of some words occur in a text, in one pass."""

    def __init__(self, words: Collection[str]) -> None:
        self._pattern = re.compile(_any_of(words) or _NOWHERE)
        self._beginnings = {
            word: frozenset(each for each in words if word.startswith(each)) for word in words
        }

    def any_in(self, text: str) -> bool:
        """Whether one occurs."""
        return self._pattern.search(text) is not None

    def all_in(self, text: str) -> set[str]:
        """All that occur; they may overlap."""
        found: set[str] = set()
        place = 0
        while match := self._pattern.search(text, place):
            found |= self._beginnings[match.group()]
            place = match.start() + 1
        return found


def _any_of(words: Collection[str]) -> str:
    """A pattern that decides letter by letter, and takes the longest of the words."""
    by_first: defaultdict[str, set[str]] = defaultdict(set)
    for word in filter(None, words):
        by_first[word[0]].add(word[1:])
    forms = [re.escape(first) + _any_of(rest) for first, rest in sorted(by_first.items())]
    together = f"(?:{'|'.join(forms)})" if forms else ""
    return f"{together}?" if together and "" in words else together
