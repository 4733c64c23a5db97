"""The terms by which a text is found, and those by which a query looks for them.

A word of a text goes by its stem in the text's language. Where no language shows, as in a name or
a note of three words, it goes by its stem in every language that we know, and as it is written:
then a query finds it whatever its own language is. A query looks for stems and for the words as
they are written.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from cortex_memory.lexical.language import language_of
from cortex_memory.lexical.stemming import stem
from cortex_memory.lexical.stop_words import STOP_WORDS, Language
from cortex_memory.lexical.tokens import Token, single_signs, tokens_of, without_accents

MAXIMUM_TERMS: Final = 2_000
"""How many terms of a text are kept."""
MAXIMUM_ASKED: Final = 64
"""How many terms of a query are looked for."""


@lru_cache(maxsize=4_096)
def terms_of(text: str) -> tuple[str, ...]:
    """The terms of a text, repeated as often as they occur; none of them holds a space."""
    tokens = list(tokens_of(text))
    language = language_of(token.text for token in tokens if token.is_word)
    terms = [
        term
        for token in _telling(tokens, language)
        for term in sorted(set(_forms(token, language)))
    ]
    return (*terms, *single_signs(text))[:MAXIMUM_TERMS]


def query_terms(query: str) -> tuple[str, ...]:
    """The terms that a query looks for, each once, in the order of the query.

    A query of stop words alone looks for these. Signs that other searches read as operators mean
    nothing here.
    """
    tokens = list(tokens_of(query))
    language = language_of(token.text for token in tokens if token.is_word)
    asked = list(_telling(tokens, language)) or tokens
    terms = dict.fromkeys(
        term for token in asked for term in (*_forms(token, language), without_accents(token.text))
    )
    return tuple(terms)[:MAXIMUM_ASKED]


def _telling(tokens: list[Token], language: Language | None) -> Iterator[Token]:
    stop_words = frozenset[str]() if language is None else STOP_WORDS[language]
    return (token for token in tokens if not (token.is_word and token.text in stop_words))


def _forms(token: Token, language: Language | None) -> Iterator[str]:
    if not token.is_word:
        yield without_accents(token.text)
    elif language is not None:
        yield without_accents(stem(token.text, language))
    else:
        yield without_accents(token.text)
        for each in Language:
            yield without_accents(stem(token.text, each))
