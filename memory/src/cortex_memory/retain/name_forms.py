"""Names of predicates by what they say: their words' meanings, their head, their direction."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile, takewhile
from typing import Final

from cortex_memory.retain.lexicon import (
    LONGEST_PHRASE,
    PHRASE_MARK,
    Language,
    Lexicon,
    Part,
    Word,
    stem,
    tokens,
)

_TURNING: Final = frozenset({"of"})
"""Links that, at the end of a name, turn it round."""


@dataclass(frozen=True, slots=True)
class NameForm:
    """What a name says, however it is spelled: equal forms are the same words.

    `meanings` are those of words that the lexicon knows, `stems` the other words, both sorted.
    `head` is the word that the others describe; null: none stands out. `relations` are the links
    that end the name, `directions` what turns it round: who is a mentor is not a mentor of.
    """

    meanings: tuple[str, ...]
    stems: tuple[str, ...]
    head: str | None
    numbers: tuple[str, ...]
    relations: frozenset[str]
    directions: frozenset[str]

    @property
    def content(self) -> frozenset[str]:
        """All of its words that say something."""
        return frozenset(self.meanings).union(self.stems)


@dataclass(frozen=True, slots=True)
class _Token:
    word: Word | None
    sense: str

    @property
    def is_content(self) -> bool:
        return self.word is None or self.word.part is Part.CONTENT


def name_form(name: str, lexicon: Lexicon) -> NameForm:
    """Read a name in snake_case; words that say nothing are left out."""
    spelled = [token for token in _spelled(name, lexicon) if token not in lexicon.fillers]
    numbers = tuple(token for token in spelled if token.isdigit())
    read = [_read(token, lexicon) for token in spelled if not token.isdigit()]
    content = [token for token in read if token.is_content]
    relations = _closing_links(read)
    return NameForm(
        meanings=tuple(sorted(token.sense for token in content if token.word)),
        stems=tuple(sorted(token.sense for token in content if not token.word)),
        head=_head(read, lexicon),
        numbers=numbers,
        relations=relations - _TURNING,
        directions=_directions(read) | (relations & _TURNING),
    )


def _spelled(name: str, lexicon: Lexicon) -> Iterator[str]:
    """The words of a name; several that the lexicon has as one are one."""
    rest = tokens(name)
    while rest:
        longest = range(min(len(rest), LONGEST_PHRASE), 1, -1)
        size = next((n for n in longest if lexicon.has_phrase(rest[:n])), 1)
        yield PHRASE_MARK.join(rest[:size])
        rest = rest[size:]


def _read(token: str, lexicon: Lexicon) -> _Token:
    word = lexicon.lookup(token)
    return _Token(word, stem(token) if word is None else word.meaning)


def _directions(read: Sequence[_Token]) -> frozenset[str]:
    """Also a link that opens the name counts: in French it is the `a` of a past tense."""
    turning = {token.sense for token in read if token.word and token.word.part is Part.DIRECTION}
    opened = {f"opens with {read[0].sense}"} if read and _is_link(read[0]) else set[str]()
    return frozenset(turning | opened)


def _is_link(token: _Token) -> bool:
    return token.word is not None and token.word.part is Part.LINK


def _closing_links(read: Sequence[_Token]) -> frozenset[str]:
    last = max((index for index, token in enumerate(read) if token.is_content), default=-1)
    return frozenset(token.sense for token in read[last + 1 :] if _is_link(token))


def _head(read: Sequence[_Token], lexicon: Lexicon) -> str | None:
    """The word that is described: the last one in English, the first one in French.

    Either way before a link, and never a mark such as `former` or `maximum`.
    """
    begun = list(dropwhile(lambda token: not token.is_content, read))
    described = takewhile(lambda token: token.is_content, begun)
    nouns = [token.sense for token in described if token.sense not in lexicon.modifiers]
    if not nouns:
        return None
    return nouns[0] if _is_french(read) else nouns[-1]


def _is_french(read: Sequence[_Token]) -> bool:
    known = [token.word.languages for token in read if token.word]
    french = sum(languages == {Language.FRENCH} for languages in known)
    return french > sum(languages == {Language.ENGLISH} for languages in known)
