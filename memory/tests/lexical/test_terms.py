"""What a text is found by, and what a query looks for."""

import pytest
from cortex_memory.lexical.terms import MAXIMUM_ASKED, MAXIMUM_TERMS, query_terms, terms_of
from cortex_memory.lexical.tokens import LONGEST
from hypothesis import given
from hypothesis import strategies as st


def finds(query: str, text: str) -> bool:
    return bool(set(query_terms(query)) & set(terms_of(text)))


@pytest.mark.parametrize(
    ("query", "text"),
    [
        ("Did you go running?", "I ran the marathon and I was running again."),
        ("Avez-vous des enfants ?", "Mon enfant est à l'école."),
        ("Wo sind die Schlüssel?", "Ich habe den Schlüssel vergessen."),
        ("¿Dónde están las llaves?", "La llave está en la mesa."),
        ("which package manager do I use", "uses pnpm"),
        ("ecole", "L'école de la rue d'à côté"),
        ("l’école", "l'école"),
    ],
)
def test_a_word_is_found_in_its_other_forms(query: str, text: str) -> None:
    assert finds(query, text)


@pytest.mark.parametrize(
    "query",
    [
        "src/app/main_page.py",
        "main_page.py",
        "page",
        "parseDateTime",
        "date",
        "v3.11.7",
        "11",
        "2026-05-03",
        "2026",
        "a.smith@example.org",
        "example",
        "40000",
        "40,000",
        "x86-64",
    ],
)
def test_what_is_joined_is_found_whole_and_in_parts(query: str) -> None:
    text = (
        "See src/app/main_page.py and parseDateTime (v3.11.7) of 2026-05-03, says "
        "a.smith@example.org: 40,000 on x86-64."
    )
    assert finds(query, text)


@pytest.mark.parametrize("query", ["東京", "京都", "서울", "ロンドン"])
def test_scripts_without_spaces_are_found_by_two_signs(query: str) -> None:
    assert finds(query, "彼は東京と京都、서울시、ロンドンに住んでいた。")
    assert not finds(query, "大阪")


@pytest.mark.parametrize(
    ("query", "note"),
    [
        ("What is she collecting?", "collections"),
        ("Est-ce que nous avons des réunions ?", "réunion"),
        ("Welche Zeitungen lesen wir?", "zeitung"),
        ("¿Qué canciones le gustan?", "canción"),
    ],
)
def test_a_note_that_shows_no_language_is_found_in_any(query: str, note: str) -> None:
    assert finds(query, note)


def test_a_word_of_one_sign_is_found_among_others() -> None:
    text = "私の猫は黒い。佐々木さんの猫。"
    assert finds("猫", text)
    assert not finds("犬", text)
    assert terms_of(text).count("猫") == 1
    assert query_terms("佐々木") == ("佐々", "々木")
    assert finds("佐々木", text)


@pytest.mark.parametrize("separator", [",", ".", "\u2019", "\u00a0", "\u202f"])
def test_a_number_is_found_however_its_thousands_are_set_apart(separator: str) -> None:
    text = f"It costs 12{separator}500 euros."
    assert finds("12500", text)
    assert finds(f"12{separator}500", "12500 euros")
    assert not finds("12500", "12 500 euros")


def test_the_whole_of_a_path_is_rarer_than_its_parts() -> None:
    assert "src/app/main.py" in terms_of("src/app/main.py")
    assert "src/app/main.py" not in terms_of("src app main py")


def test_stop_words_are_left_out() -> None:
    assert terms_of("what is the time of the train") == ("time", "train")
    assert query_terms("what is the time of the train") == ("time", "train")


def test_a_query_of_stop_words_alone_looks_for_them() -> None:
    assert query_terms("to be or not to be") != ()


def test_a_term_is_repeated_as_often_as_it_occurs() -> None:
    assert terms_of("the cat and the cats") == ("cat", "cat")


@pytest.mark.parametrize(
    "query", ['"', "-", "foo OR", '"unclosed -(', "a & | ! :* <->", "\0", "''"]
)
def test_signs_of_other_searches_never_raise(query: str) -> None:
    assert all(term for term in query_terms(query))


@given(st.text(max_size=300))
def test_any_text_has_terms_that_can_be_stored_side_by_side(text: str) -> None:
    for term in (*terms_of(text), *query_terms(text)):
        assert term
        assert not any(map(str.isspace, term))
        assert "\0" not in term


def test_long_texts_and_words_are_cut() -> None:
    assert len(terms_of("word " * 10_000)) <= MAXIMUM_TERMS
    assert len(query_terms(" ".join(f"word{number}" for number in range(200)))) == MAXIMUM_ASKED
    assert max(map(len, terms_of("x" * 500))) == LONGEST
