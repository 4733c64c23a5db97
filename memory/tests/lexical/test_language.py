"""A language is told by its stop words."""

import pytest
from cortex_memory.lexical.language import language_of
from cortex_memory.lexical.stop_words import Language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("when did she go to the museum", Language.ENGLISH),
        ("quand est-ce que nous avons vu la mer", Language.FRENCH),
        ("ich habe den schlüssel im büro vergessen", Language.GERMAN),
        ("el vuelo sale mañana por la tarde", Language.SPANISH),
        ("uses pnpm", None),
        ("", None),
        ("東京", None),
    ],
)
def test_is_told_by_its_stop_words(text: str, language: Language | None) -> None:
    assert language_of(text.replace("-", " ").split()) is language


def test_of_two_equally_likely_none_is_told() -> None:
    assert language_of(["the", "ich"]) is None
