"""Names of people, as they are compared and as they are found."""

import pytest
from cortex_memory.retain.person_names import (
    behind_list,
    folded_name,
    is_full_name,
    is_machine,
    mixes_scripts,
    searched_name,
    spoken_name,
)

FOLDED = [
    ("Bee, Ann", "ann bee"),
    ("ANN  BEE ", "ann bee"),
    ("Ann Bee (External)", "ann bee"),
    ("[Garden] Ann Bee", "ann bee"),
    ("\u201cAnn Bee\u201d", "ann bee"),
    ("Ann Bee \U0001f41d", "ann bee"),
    ("'Ann Bee' via garden-list", "ann bee"),
    ("Bee, Jr.", "bee jr"),
    ("Bee, Ann, PhD", "bee ann phd"),
    ("Garden Tools, Inc.", "garden tools inc"),
    ("O\u2019Brien, Pat", "pat o\u2019brien"),
    ("Gro\u00df, Uwe", "uwe gross"),
    ("Rene\u0301 Roux", "ren\u00e9 roux"),
    ("J. Smith", "j smith"),
]


@pytest.mark.parametrize(("name", "folded"), FOLDED)
def test_a_name_is_compared_in_the_order_of_speech_without_remarks(name: str, folded: str) -> None:
    assert folded_name(name) == folded


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ren\u00e9 Roux", "Roux Rene"),
        ("\u0130lker \u00c7elik", "Celik Ilker"),
        ("S\u00f8ren \u0141uk", "Soren Luk"),
        ("Jean-Luc Roux", "Jean Luc Roux"),
    ],
)
def test_a_name_is_found_without_accents_in_any_order(one: str, other: str) -> None:
    assert searched_name(one) == searched_name(other)


def test_only_one_comma_without_a_suffix_turns_a_name_round() -> None:
    assert spoken_name("Bee, Ann") == "Ann Bee"
    for kept in ("Bee, Ph.D.", "Bee, Ann, Jr.", "Bee,", ", Ann", "Ann Bee"):
        assert spoken_name(kept) == kept


@pytest.mark.parametrize("name", ["Ann", "", "\U0001f41d", "A B", "Unknown User", "Deploy Bot"])
def test_what_may_be_anybody_is_no_full_name(name: str) -> None:
    assert not is_full_name(name)


def test_a_word_of_two_scripts_only_looks_like_a_name() -> None:
    assert mixes_scripts("\u0410nn Bee")
    assert not is_full_name("\u0410nn Bee")
    assert is_full_name("\u0410\u043d\u043d\u0430 Bee")


def test_a_bot_says_so() -> None:
    assert is_machine("renovate[bot]")
    assert is_machine("Deploy Bot")
    assert not is_machine("Abbot")


def test_a_list_replaces_the_sender_and_names_the_writer() -> None:
    assert behind_list('"Ann Bee" via garden-list') == "Ann Bee"
    assert behind_list("Ann Bee via Garden") == "Ann Bee"
    assert behind_list("Anna Via Costa") is None
    assert behind_list("via garden-list") is None
