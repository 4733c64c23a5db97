"""The predicates that a question names by another word than facts are kept under.

"Where did I move to?" asks for `lives_in`, of which `moved_to` is a synonym: the terms of the
canonical name are looked for beside those of the question.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from roxabi_contracts.predicates import PredicateCatalogue

from cortex_memory.lexical.stemming import stem
from cortex_memory.lexical.stop_words import STOP_WORDS, Language
from cortex_memory.lexical.tokens import without_accents

MOST: Final = 8
"""How many predicates a question may name."""

_LANGUAGES: Final = (Language.ENGLISH, Language.FRENCH)
"""Those that the catalogue's names are written in."""
_STOP_WORDS: Final = frozenset[str]().union(*(STOP_WORDS[language] for language in _LANGUAGES))


def named_predicate_terms(asked: Iterable[str], catalogue: PredicateCatalogue) -> tuple[str, ...]:
    """The terms of the predicates that a question names, beyond those that it has.

    Args:
        asked: The terms of the question.
        catalogue: That of the project.
    """
    known = dict.fromkeys(asked)
    terms = dict.fromkeys(
        term for name in _index_of(catalogue).named_by(known) for term in _telling_terms(name)
    )
    return tuple(term for term in terms if term not in known)


@dataclass(frozen=True, slots=True)
class _Name:
    """A name of a predicate: what the predicate is called, and how many words tell of it."""

    canonical: str
    telling: int


class _Index:
    """The names of a catalogue by the terms that their words may go by."""

    def __init__(self, catalogue: PredicateCatalogue) -> None:
        self._names: list[_Name] = []
        self._places: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
        for predicate in catalogue:
            for name in (predicate.name, *predicate.synonyms):
                telling = list(_telling_words(name))
                for place, word in enumerate(telling):
                    for term in sorted(_forms(word)):
                        self._places[term].append((len(self._names), place))
                self._names.append(_Name(predicate.name, len(telling)))

    def named_by(self, asked: Iterable[str]) -> list[str]:
        """The predicates of which a name has all its telling words among the terms asked for.

        Those of the longest names come first, then in the order of the catalogue.
        """
        met: defaultdict[int, set[int]] = defaultdict(set)
        for term in asked:
            for number, place in self._places.get(term, ()):
                met[number].add(place)
        whole = [
            number for number, places in met.items() if len(places) == self._names[number].telling
        ]
        ranked = sorted(whole, key=lambda number: (-self._names[number].telling, number))
        return list(dict.fromkeys(self._names[number].canonical for number in ranked))[:MOST]


@lru_cache(maxsize=64)
def _index_of(catalogue: PredicateCatalogue) -> _Index:
    return _Index(catalogue)


def _telling_terms(name: str) -> Iterator[str]:
    """Canonical names are English; as written they are found where no language shows."""
    for word in _telling_words(name):
        yield from (word, without_accents(stem(word, Language.ENGLISH)))


def _telling_words(name: str) -> Iterator[str]:
    return (word for word in name.split("_") if word not in _STOP_WORDS and not word.isdigit())


def _forms(word: str) -> set[str]:
    return {word} | {without_accents(stem(word, language)) for language in _LANGUAGES}
