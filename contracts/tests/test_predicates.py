"""The bundled catalogue, and what a catalogue refuses."""

import re

import pytest
from roxabi_contracts.payloads import Cardinality, ClaimKind
from roxabi_contracts.predicates import (
    ChangeRule,
    PredicateCatalogue,
    ValueType,
    bundled_catalogue,
)

CATALOGUE = bundled_catalogue()


def canonical(name: str) -> str | None:
    predicate = CATALOGUE.lookup(name)
    return predicate.name if predicate else None


def test_it_covers_lives_and_work() -> None:
    assert len(CATALOGUE) >= 200


def test_every_predicate_is_described_and_has_synonyms() -> None:
    for predicate in CATALOGUE:
        assert predicate.description.endswith("."), predicate.name
        assert predicate.synonyms, predicate.name
        assert predicate.name not in predicate.qualifiers


def test_every_name_is_ascii_snake_case() -> None:
    for predicate in CATALOGUE:
        for name in (predicate.name, *predicate.synonyms, *predicate.qualifiers):
            assert re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name), name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("lives_in", "lives_in"),
        ("residence", "lives_in"),
        ("habite_a", "lives_in"),
        ("employer", "works_at"),
        ("travaille_chez", "works_at"),
        ("date_of_birth", "birth_date"),
        ("ne_a", "birth_place"),
        ("prefere", "prefers"),
        ("favorite_color", "favourite_colour"),
        ("consigne", "instruction"),
        ("due_date", "deadline"),
        ("allergique_a", "allergy"),
        ("colour_of_the_wind", None),
    ],
)
def test_a_synonym_finds_its_predicate(name: str, expected: str | None) -> None:
    assert canonical(name) == expected


@pytest.mark.parametrize(
    "family",
    [
        ("start_date", "end_date", "deadline"),
        ("birth_place", "residence", "origin_place", "current_location", "former_residence"),
        ("birth_date", "birthday", "death_date", "wedding_date"),
        ("employer", "former_employer", "client", "founded"),
        ("employment_start", "employment_end", "start_date"),
        ("departure_date", "return_date"),
        ("likes", "dislikes", "prefers", "avoids"),
        ("uses", "former_tool", "owns", "wants_to_buy"),
        ("instruction", "forbidden_action"),
        ("parent", "child", "grandparent", "sibling"),
        ("spouse", "partner", "friend"),
        ("manager", "direct_report"),
        ("name", "former_name", "nickname", "pet_name"),
        ("speaks", "learning", "native_language", "response_language", "programming_language"),
        ("allergy", "intolerance", "diet", "medication"),
        ("home_address", "work_address", "email_address"),
        ("goal", "plan", "commitment", "decision_status"),
        ("travels_to", "visited", "lives_in"),
        ("job_title", "role", "degree", "former_job_title", "desired_job"),
        ("car", "bicycle", "motorcycle", "vehicle"),
        ("voiture", "velo", "moto", "vehicule"),
        ("car_count", "bike_count", "pet_count", "number_of_children"),
        ("office_phone", "home_phone", "phone_number"),
        ("work_email", "personal_email", "email_address"),
        ("min_value", "max_value", "average_value"),
        ("budget_min", "budget_max", "budget"),
        ("valid_from", "valid_until", "passport_expiry"),
        ("sender", "recipient", "reported_by", "assignee"),
        ("ville_de_depart", "ville_d_arrivee", "lieu_de_naissance", "ville_de_residence"),
        ("planned_start_date", "actual_start_date", "start_date", "planned_end_date"),
        ("cout_prevu", "cout_reel", "prix", "budget"),
        ("estimate", "time_spent", "duration"),
        ("father", "son", "grandson", "grandfather", "father_in_law", "stepson", "godfather"),
        ("wife", "ex_wife", "fiancee", "ex_girlfriend"),
        ("parent_company", "filiale", "employer", "competitor"),
        ("epic", "subtask", "milestone"),
        ("mentor", "mentee", "teacher", "student", "manager"),
        ("weight", "target_weight", "height", "clothing_size"),
        ("income_per_month", "depenses_mensuelles", "epargne", "dette", "savings_goal"),
        ("first_name", "last_name", "full_name", "surnom", "preferred_name"),
        ("reviewed_by", "approved_by", "decided_by", "created_by"),
        ("travels_to", "visited", "dream_destination", "arrives_at", "departs_from"),
        ("new_address", "old_address", "office_address"),
        ("new_boss", "old_boss", "direct_report"),
        ("start_time", "start_date", "end_time", "meeting_time"),
        ("departure_time", "arrival_time", "departure_date", "arrival_date"),
        ("project_start_date", "project_end_date", "project_deadline", "start_date"),
        ("moved_to", "moved_from", "moving_date", "moving_to"),
        ("python_version", "db_version", "latest_release", "version_in_use"),
        ("bedtime", "wake_up_time", "heures_dormies", "heure_de_reunion"),
        ("pointure", "taille_de_vetement", "ring_size", "t_shirt_size"),
        ("dentist", "vet", "opticien", "ophtalmologue", "pediatre", "medecin", "kine", "psy"),
        ("avocat", "notaire", "comptable", "tax_advisor", "conseiller_financier"),
        ("phone_provider", "isp", "fournisseur_d_electricite", "phone_plan", "phone_model"),
        ("health_insurance", "car_insurance", "assurance_habitation", "insurance"),
        ("door_code", "locker_code", "code_d_alarme", "locker_number", "numero_d_employe"),
        ("jours_de_teletravail", "office_days", "day_off", "bin_day", "jour_de_menage"),
        ("heure_du_dejeuner", "dinner_time", "meeting_time"),
        ("favourite_city", "city_of_residence", "favourite_country", "favourite_place"),
        ("favourite_singer", "favourite_band", "favourite_actor", "favourite_song"),
        ("staging_url", "production_url", "docs_url", "api_url", "repo"),
        ("tech_lead", "product_owner", "boss", "ceo", "chef_de_service", "chef_de_projet"),
        ("bff", "friend", "partner"),
        ("nom_de_ma_mere", "father_name", "mother", "nom_du_mari"),
        ("car_brand", "modele_de_voiture", "voiture", "marque_de_velo", "marque_du_pc"),
        ("livre_en_cours", "livre_prefere", "reading"),
    ],
)
def test_what_is_near_in_meaning_stays_apart(family: tuple[str, ...]) -> None:
    names = [canonical(name) for name in family]
    assert None not in names
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", ["lives_in", "works_at", "uses", "prefers", "decision_status"])
def test_what_moves_on_takes_the_latest(name: str) -> None:
    predicate = CATALOGUE.lookup(name)
    assert predicate is not None
    assert predicate.change is ChangeRule.LATEST


@pytest.mark.parametrize("name", ["birth_date", "birth_place", "name", "allergy", "blood_type"])
def test_what_never_moves_is_contested(name: str) -> None:
    predicate = CATALOGUE.lookup(name)
    assert predicate is not None
    assert predicate.change is ChangeRule.CONTEST


def test_identifying_qualifiers() -> None:
    expected = {
        "prefers": ("domain",),
        "decision_status": ("decision",),
        "deadline": ("task",),
        "language_level": ("language",),
    }
    for name, qualifiers in expected.items():
        predicate = CATALOGUE.lookup(name)
        assert predicate is not None
        assert predicate.qualifiers == qualifiers


def test_kinds_and_value_types() -> None:
    by_name = {predicate.name: predicate for predicate in CATALOGUE}
    assert by_name["prefers"].kind is ClaimKind.PREFERENCE
    assert by_name["instruction"].kind is ClaimKind.INSTRUCTION
    assert by_name["instruction"].cardinality is Cardinality.MANY
    assert by_name["birth_date"].value_type is ValueType.DATE
    assert by_name["salary"].value_type is ValueType.AMOUNT
    assert by_name["estimated_effort"].value_type is ValueType.DURATION


def test_a_name_cannot_stand_for_two_predicates() -> None:
    text = """
    [first]
    description = "One."
    synonyms = ["shared"]
    [second]
    description = "Two."
    synonyms = ["shared"]
    """
    with pytest.raises(ValueError, match=r"\[second\] 'shared' is a name of \[first\]"):
        PredicateCatalogue.from_toml(text)


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(ValueError, match="colour"):
        PredicateCatalogue.from_toml('[first]\ndescription = "One."\ncolour = "red"')


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('[First]\ndescription = "One."', "First"),
        ('[first]\ndescription = ""', "description"),
        ('[first]\nsynonyms = ["one"]', "description"),
        ('[first]\ndescription = "One."\nsynonyms = ["Être né"]', "synonyms"),
        ('[first]\ndescription = "One."\nqualifiers = ["a b"]', "qualifiers"),
        ('[first]\ndescription = "One."\nsynonyms = ["first"]', "is a name of"),
        ('[first]\ndescription = "One."\ncardinality = "some"', "cardinality"),
        ('[first]\ndescription = "One."\nvalue_type = "colour"', "value_type"),
        ('first = "One."', "no table"),
        ("[first", "Expected"),
    ],
)
def test_a_broken_catalogue_is_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        PredicateCatalogue.from_toml(text)


@pytest.mark.parametrize(
    ("text", "is_the_same"),
    [
        ('[crew]\ndescription = "Whoever."\nsynonyms = ["hands", "equipage"]', True),
        ('[crew]\ndescription = "Who sails."\nsynonyms = ["equipage"]', False),
        ('[crew]\ndescription = "A."\nsynonyms = ["equipage", "hands"]\nchange = "latest"', False),
    ],
)
def test_the_digest_is_of_what_decides(text: str, *, is_the_same: bool) -> None:
    crew = '[crew]\ndescription = "Who sails."\nsynonyms = ["equipage", "hands"]'
    digest = PredicateCatalogue.from_toml(crew).digest
    assert (PredicateCatalogue.from_toml(text).digest == digest) is is_the_same
