"""The stem of a word, by the Snowball stemmer of a language."""

import importlib
import threading
from functools import lru_cache
from typing import Final, Protocol

from cortex_memory.lexical.stop_words import Language


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str: ...


class _Stemmers(threading.local):
    """One for each language; a stemmer must not be shared by threads."""

    def __init__(self) -> None:
        library = importlib.import_module("Stemmer")
        self.of: dict[Language, _Stemmer] = {
            language: library.Stemmer(language.value) for language in Language
        }


_STEMMERS: Final = _Stemmers()


@lru_cache(maxsize=16_384)
def stem(word: str, language: Language) -> str:
    """The stem of a word in lower case; a word with digits has none."""
    return word if any(map(str.isdigit, word)) else _STEMMERS.of[language].stemWord(word)
