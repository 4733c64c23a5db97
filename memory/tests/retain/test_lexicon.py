"""Words and their meanings, and what a lexicon refuses."""

from itertools import combinations

import pytest
from cortex_memory.retain.lexicon import (
    Language,
    Lexicon,
    Part,
    bundled_lexicon,
    stem,
    tokens,
)
from hypothesis import given
from hypothesis import strategies as st

LEXICON = bundled_lexicon()
TOML = """
fillers = "the"
[links]
of = {{ en = "of", fr = "de" }}
[directions]
to = {{ en = "to" }}
[meanings]
start = {{ en = "start" }}
end = {{ en = "end", fr = "fin" }}
{meanings}
[opposites]
edges = "{edges}"
[marks]
sets = "edges"
meanings = ""
[modifiers]
sets = ""
meanings = "{modifiers}"
"""


def meaning(spelling: str) -> str | None:
    word = LEXICON.lookup(spelling)
    return word.meaning if word else None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("date_of_birth", ["date", "of", "birth"]),
        ("né_à", ["ne", "a"]),
        ("Date de Naissance", ["date", "de", "naissance"]),
        ("python3_version", ["python", "3", "version"]),
        ("address_line_2", ["address", "line", "2"]),
        ("__", []),
    ],
)
def test_a_name_is_its_words_without_accents(name: str, expected: list[str]) -> None:
    assert tokens(name) == expected


@pytest.mark.parametrize(
    ("english", "french"),
    [("bikes", "velos"), ("cities", "villes"), ("birth", "naissance"), ("former", "ancienne")],
)
def test_both_languages_mean_the_same(english: str, french: str) -> None:
    assert meaning(english) == meaning(french) is not None


def test_a_word_of_both_languages_is_of_both() -> None:
    word = LEXICON.lookup("date")
    assert word is not None
    assert word.languages == {Language.ENGLISH, Language.FRENCH}
    assert word.part is Part.CONTENT


def test_an_unknown_word_means_nothing() -> None:
    assert LEXICON.lookup("colophon") is None


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("batteries", "batterie"),
        ("battery", "batterie"),
        ("capacity", "capacite"),
        ("organisation", "organization"),
        ("harbour", "harbors"),
        ("director", "directeurs"),
        ("boxes", "box"),
        ("gateaux", "gateau"),
        ("cellist", "celliste"),
        ("musicologist", "musicologue"),
        ("academician", "academicienne"),
        ("narrator", "narratrice"),
        ("danseur", "danseuse"),
    ],
)
def test_forms_of_an_unknown_word_have_one_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize(("one", "other"), [("glass", "glas"), ("bus", "bu"), ("row", "rows_")])
def test_what_only_looks_like_a_plural_stays(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.text())
def test_any_name_can_be_read(name: str) -> None:
    for token in tokens(name):
        assert stem(token)
        LEXICON.lookup(token)


def test_what_is_opposed_is_opposed_to_something() -> None:
    assert all(len(members) > 1 for members in LEXICON.opposites.values())


@pytest.mark.parametrize(
    "pair",
    [
        ("start", "end"),
        ("birth", "residence"),
        ("bicycle", "car"),
        ("work", "home"),
        ("minimum", "maximum"),
        ("planned", "actual"),
        ("parent", "child"),
        ("sender", "recipient"),
        ("monday", "friday"),
    ],
)
def test_families_that_must_stay_apart_have_two_meanings(pair: tuple[str, str]) -> None:
    assert all(meaning(word) for word in pair)
    assert meaning(pair[0]) != meaning(pair[1])


def test_no_set_excludes_what_another_word_of_the_same_meaning_allows() -> None:
    for one, other in combinations(LEXICON.opposites.values(), 2):
        assert one != other


def test_a_word_with_two_meanings_is_refused() -> None:
    text = TOML.format(meanings='stop = { en = "end" }', edges="start end", modifiers="")
    with pytest.raises(ValueError, match="'end' means 'end' and 'stop'"):
        Lexicon.from_toml(text)


def test_a_word_cannot_both_say_nothing_and_mean_something() -> None:
    text = TOML.format(meanings='article = { en = "the" }', edges="start end", modifiers="")
    with pytest.raises(ValueError, match="'the' says nothing, and means 'article'"):
        Lexicon.from_toml(text)


@pytest.mark.parametrize(("edges", "modifiers"), [("start finish", ""), ("start end", "finish")])
def test_a_set_of_meanings_that_no_word_has_is_refused(edges: str, modifiers: str) -> None:
    text = TOML.format(meanings="", edges=edges, modifiers=modifiers)
    with pytest.raises(ValueError, match="no word means finish"):
        Lexicon.from_toml(text)
