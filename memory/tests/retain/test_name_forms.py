"""What names say: equal forms, heads, directions."""

import pytest
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.name_forms import NameForm, name_form
from hypothesis import given
from hypothesis import strategies as st


def form(name: str) -> NameForm:
    return name_form(name, bundled_lexicon())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("date_of_birth", "birth_date"),
        ("date_de_naissance", "birth_date"),
        ("number_of_bassoons", "bassoon_count"),
        ("name_of_the_boat", "boat_name"),
        ("nom_du_bateau", "boat_name"),
        ("has_pet", "pet"),
        ("current_employer", "employeur_actuel"),
        ("colour_of_kite", "kite_color"),
        ("pattern_for_knitting", "knitting_pattern"),
        ("battery_capacity", "capacite_de_la_batterie"),
        ("budget_maximum", "max_budget"),
        ("new_kite_colour", "kite_colour"),
        ("nouveau_prof_de_flute", "flute_teacher"),
        ("password_of_club", "mot_de_passe_du_club"),
        ("breakfast_time", "heure_du_petit_dejeuner"),
        ("appointment_place", "lieu_du_rendez_vous"),
    ],
)
def test_names_of_the_same_words_have_one_form(one: str, other: str) -> None:
    assert form(one) == form(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("name_of_dog_owner", "dog_of_name_owner"),
        ("mentor", "mentor_of"),
        ("mot_de_passe", "mot"),
        ("petit_dejeuner", "dejeuner"),
        ("former_kite_colour", "new_kite_colour"),
        ("works_on", "works_with"),
        ("travaille_chez", "a_travaille_chez"),
        ("address_line_1", "address_line_2"),
        ("pet", "pet_name"),
        ("reviewed", "reviewed_by"),
    ],
)
def test_names_that_say_something_else_have_two(one: str, other: str) -> None:
    assert form(one) != form(other)


@pytest.mark.parametrize(
    ("name", "head"),
    [
        ("boat_name", "name"),
        ("name_of_boat", "name"),
        ("nom_du_bateau", "name"),
        ("adresse_professionnelle", "address"),
        ("work_address", "address"),
        ("budget_maximum", "budget"),
        ("former_employer", "employer"),
        ("lives_on_floor", "live"),
        ("kite_colour", "colour"),
        ("maximum", None),
        ("of_by", None),
    ],
)
def test_the_head_is_what_the_others_describe(name: str, head: str | None) -> None:
    assert form(name).head == head


def test_directions_and_relations() -> None:
    assert form("reviewed_by").directions == {"by"}
    assert form("mentor_of").directions == {"of"}
    assert form("works_at").relations == {"in"}
    assert form("date_of_birth").relations == frozenset()
    assert form("a_vendu").directions == {"opens with in"}


@given(st.text("abcdefu_0123 é", max_size=20))
def test_any_name_has_a_form(name: str) -> None:
    found = form(name)
    assert found == form(name)
    assert found.head is None or found.head in found.content
