"""What words keep apart, each reason with its families."""

import pytest
from cortex_memory.retain.lexical_guard import Difference, difference
from cortex_memory.retain.lexicon import bundled_lexicon
from cortex_memory.retain.name_forms import name_form

LEXICON = bundled_lexicon()


def reason(first: str, second: str) -> Difference | None:
    return difference(name_form(first, LEXICON), name_form(second, LEXICON), LEXICON)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("address_line_1", "address_line_2", Difference.NUMBERS),
        ("goals_2025", "goals", Difference.NUMBERS),
        ("race_start_time", "race_end_time", Difference.OPPOSITES),
        ("date_de_debut_du_cours", "date_de_fin_du_cours", Difference.OPPOSITES),
        ("minimum_dive_depth", "max_dive_depth", Difference.OPPOSITES),
        ("profondeur_minimale", "max_depth", Difference.OPPOSITES),
        ("planned_yield", "actual_yield", Difference.OPPOSITES),
        ("bike_helmet", "car_helmet", Difference.OPPOSITES),
        ("helmet_size", "helmet_colour", Difference.OPPOSITES),
        ("work_kettle", "home_kettle", Difference.OPPOSITES),
        ("parent_node", "child_node", Difference.OPPOSITES),
        ("birth_certificate", "death_certificate", Difference.OPPOSITES),
        ("monday_class", "cours_du_mardi", Difference.OPPOSITES),
        ("sails_from", "sails_to", Difference.DIRECTIONS),
        ("curates", "curated_by", Difference.DIRECTIONS),
        ("apprentice", "apprentice_of", Difference.DIRECTIONS),
        ("skates_on", "skates_with", Difference.DIRECTIONS),
        ("vend", "a_vendu", Difference.DIRECTIONS),
        ("rows_at", "rowed_at", Difference.TENSES),
        ("dances_at", "danced_at", Difference.TENSES),
        ("net_worth", "gross_worth", Difference.OPPOSITES),
        ("lunch_menu", "dinner_menu", Difference.OPPOSITES),
        ("carte_de_casier", "code_du_casier", Difference.HEADS),
        ("nage_dans", "nageait_dans", Difference.TENSES),
        ("former_skipper", "captain", Difference.MARKS),
        ("does_not_eat", "eats", Difference.MARKS),
        ("yacht_name", "sloop", Difference.MARKS),
        ("skipper", "kite_skipper", Difference.PARTS),
        ("kite", "kite_string", Difference.PARTS),
        ("dog_of_friend", "friend_of_dog", Difference.HEADS),
        ("canoe_website", "canoe_friend", Difference.HEADS),
    ],
)
def test_what_is_kept_apart(first: str, second: str, expected: Difference) -> None:
    assert reason(first, second) is expected
    assert reason(second, first) is expected


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("skipper", "helmsman"),
        ("yacht_name", "sloop_name"),
        ("lives_in", "dwells_at"),
        ("kite_colour", "couleur_du_cerf_volant"),
        ("rowed_at", "sailed_at"),
    ],
)
def test_what_words_leave_open(first: str, second: str) -> None:
    assert reason(first, second) is None
