"""What the words in names of predicates mean, in English and French."""

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib import resources
from typing import Final, Self


class Language(StrEnum):
    """The languages in which names are read."""

    ENGLISH = "en"
    FRENCH = "fr"


class Part(StrEnum):
    """What a word does in a name."""

    LINK = "link"
    """Hangs a modifier on what stands before it."""
    DIRECTION = "direction"
    """Turns the relation round."""
    CONTENT = "content"


@dataclass(frozen=True, slots=True)
class Word:
    """A word as the lexicon knows it."""

    meaning: str
    part: Part
    languages: frozenset[Language]


LONGEST_PHRASE: Final = 4
"""Of how many words one word of the lexicon may consist."""
PHRASE_MARK: Final = "_"
"""What stands between the words of one that consists of several."""

_COGNATES = (
    ("ologue", "ologist"),
    ("icienne", "ician"),
    ("icien", "ician"),
    ("trice", "tor"),
    ("euse", "or"),
    ("iste", "ist"),
    ("isation", "ization"),
    ("ique", "ic"),
    ("aire", "ary"),
    ("eur", "or"),
    ("our", "or"),
    ("ite", "ity"),
    ("ie", "y"),
)
_STEM_LENGTH = 4


class Lexicon:
    """Words by their spelling, and what their meanings do to a name.

    `opposites` are sets of meanings that exclude each other, `marks` the meanings that change a
    name which has none of them, `modifiers` those that are never what a name speaks of.

    Raises:
        ValueError: a word has two meanings, or a set names a meaning that no word has.
    """

    def __init__(
        self,
        words: Iterable[tuple[str, Word]],
        fillers: Iterable[str],
        opposites: Mapping[str, frozenset[str]],
        marks: frozenset[str],
        modifiers: frozenset[str],
    ) -> None:
        self.fillers = frozenset(fillers)
        self.opposites = opposites
        self.marks = marks
        self.modifiers = modifiers
        self._words: dict[str, Word] = {}
        for spelling, word in words:
            if spelling in self.fillers:
                raise ValueError(f"{spelling!r} says nothing, and means {word.meaning!r}")
            known = self._words.setdefault(spelling, word)
            if (known.meaning, known.part) != (word.meaning, word.part):
                raise ValueError(f"{spelling!r} means {known.meaning!r} and {word.meaning!r}")
            languages = known.languages | word.languages
            self._words[spelling] = Word(word.meaning, word.part, languages)
        meanings = {word.meaning for word in self._words.values() if word.part is Part.CONTENT}
        unknown = marks.union(modifiers, *opposites.values()) - meanings
        if unknown:
            raise ValueError(f"no word means {', '.join(sorted(unknown))}")

    @classmethod
    def from_toml(cls, text: str) -> Self:
        """Read a lexicon file.

        Raises:
            ValueError: it contradicts itself.
        """
        table = tomllib.loads(text)
        opposites = {name: frozenset(said.split()) for name, said in table["opposites"].items()}
        words = [
            *_words(table["links"], Part.LINK),
            *_words(table["directions"], Part.DIRECTION),
            *_words(table["meanings"], Part.CONTENT),
        ]
        return cls(
            words,
            table["fillers"].split(),
            opposites,
            marks=_meanings(table["marks"], opposites),
            modifiers=_meanings(table["modifiers"], opposites),
        )

    def has_phrase(self, words: Sequence[str]) -> bool:
        """Whether these words, one after another, are one of the lexicon's."""
        return PHRASE_MARK.join(words) in self._words

    def lookup(self, spelling: str) -> Word | None:
        """The word of a spelling or of its singular; null: it is not known."""
        for form in (spelling, *_singulars(spelling)):
            if form in self._words:
                return self._words[form]
        return None


def _words(table: Mapping[str, Mapping[str, str]], part: Part) -> Iterable[tuple[str, Word]]:
    for meaning, spellings in table.items():
        for language, said in spellings.items():
            word = Word(meaning, part, frozenset({Language(language)}))
            for spelling in said.split():
                yield spelling, word


def _meanings(table: Mapping[str, str], opposites: Mapping[str, frozenset[str]]) -> frozenset[str]:
    sets = [opposites[name] for name in table["sets"].split()]
    return frozenset(table["meanings"].split()).union(*sets)


def tokens(name: str) -> list[str]:
    """The words and numbers of a name in lower case, without accents."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    return re.findall(r"[^\W\d_]+|\d+", plain)


def stem(spelling: str) -> str:
    """One spelling for the forms of a word that the lexicon does not know.

    It takes off the plural and brings endings that English and French share to one form.
    """
    singular = next(iter(_singulars(spelling)), spelling)
    for ending, common in _COGNATES:
        if singular.endswith(ending) and len(singular) - len(ending) >= _STEM_LENGTH:
            return singular.removesuffix(ending) + common
    return singular


def _singulars(spelling: str) -> list[str]:
    """What a word may be the plural of, the likeliest first."""
    if len(spelling) < _STEM_LENGTH or spelling.endswith(("ss", "us", "is")):
        return []
    if spelling.endswith("ies"):
        return [spelling.removesuffix("ies") + "y", spelling.removesuffix("s")]
    if spelling.endswith(("ches", "shes", "sses", "xes")):
        return [spelling.removesuffix("es"), spelling.removesuffix("s")]
    return [spelling[:-1]] if spelling.endswith(("s", "eaux", "eux")) else []


@cache
def bundled_lexicon() -> Lexicon:
    """The lexicon that the warehouse ships."""
    text = resources.files("cortex_memory.retain").joinpath("lexicon.toml").read_text("utf-8")
    return Lexicon.from_toml(text)
