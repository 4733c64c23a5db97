"""Names of persons in a pattern: capitalised words, which `values.introduced` has to confirm."""

from typing import Final

_WORD: Final = r"(?-i:[A-ZÀ-ÖØ-Þ][\w-]*[a-zß-öø-ÿ])"

NAME: Final = rf"{_WORD}(?: {_WORD}){{0,2}}"
"""One to three words with a capital each, in whatever case the rest of the pattern is."""

SOMEBODY: Final = rf"(?P<who>{NAME})"
"""A third person, about whom the clause speaks."""
