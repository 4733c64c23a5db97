"""Which language a text is in, told by its stop words: cheap, and the same everywhere."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from cortex_memory.lexical.stop_words import STOP_WORDS, Language


def _speaking() -> Mapping[str, tuple[Language, ...]]:
    every = frozenset().union(*STOP_WORDS.values())
    return {
        word: tuple(language for language in Language if word in STOP_WORDS[language])
        for word in sorted(every)
    }


_SPEAKING: Final = _speaking()
_WHOLE: Final = 12
"""What a stop word is worth: divisible by any number of languages that may share it."""


def language_of(words: Iterable[str]) -> Language | None:
    """The language of most stop words among `words`, in lower case; null: none, or not one alone.

    A word that several languages share speaks for each of them a little.
    """
    votes: Counter[Language] = Counter()
    for word in words:
        speaking = _SPEAKING.get(word, ())
        for language in speaking:
            votes[language] += _WHOLE // len(speaking)
    ranked = votes.most_common(2)
    if not ranked or (len(ranked) == 2 and ranked[0][1] == ranked[1][1]):
        return None
    return ranked[0][0]
