"""Predicates of one's own: what extends the catalogue, for whom, and what is refused."""

import re
from pathlib import Path
from typing import Final

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from roxabi_contracts.catalogues import Catalogues, catalogues_with
from roxabi_contracts.errors import CatalogueInvalid
from roxabi_contracts.predicates import CatalogueLayer, PredicateCatalogue, bundled_catalogue

SHIPPED: Final = bundled_catalogue()
CREW: Final = '[crew]\ndescription = "Who sails along."\nsynonyms = ["equipage"]\n'
PROJECTS: Final = ("harbour", "garden", "personal")


def canonical(catalogue: PredicateCatalogue, name: str) -> str | None:
    predicate = catalogue.lookup(name)
    return predicate.name if predicate else None


def test_without_a_file_the_shipped_catalogue_holds_everywhere() -> None:
    assert catalogues_with(None).for_project("harbour") is SHIPPED


def test_a_table_is_of_all_projects(tmp_path: Path) -> None:
    file = tmp_path / "predicates.toml"
    file.write_text(CREW)
    for project in PROJECTS:
        catalogue = catalogues_with(file).for_project(project)
        assert canonical(catalogue, "equipage") == "crew"
        assert len(catalogue) == len(SHIPPED) + 1


def test_a_table_of_a_project_is_of_no_other() -> None:
    catalogues = Catalogues.from_toml(CREW.replace("[crew]", "[projects.harbour.crew]"))
    assert canonical(catalogues.for_project("harbour"), "equipage") == "crew"
    assert catalogues.for_project("garden") is catalogues.common
    assert list(catalogues.common) == list(SHIPPED)


def test_a_project_extends_what_all_have() -> None:
    catalogues = Catalogues.from_toml(
        CREW + '[projects.harbour.crew]\nalso = ["hands"]\n[projects.garden.hands]\n'
        'description = "What digs."'
    )
    assert canonical(catalogues.for_project("harbour"), "hands") == "crew"
    assert canonical(catalogues.for_project("harbour"), "equipage") == "crew"
    assert canonical(catalogues.for_project("garden"), "hands") == "hands"
    assert canonical(catalogues.for_project("personal"), "hands") is None


def test_a_table_replaces_a_predicate_with_all_its_names() -> None:
    own = Catalogues.from_toml('[lives_in]\ndescription = "Ours."').common
    lives_in = own.lookup("lives_in")
    assert lives_in is not None
    assert lives_in.description == "Ours."
    assert own.lookup("residence") is None


def test_a_replaced_predicate_frees_its_names() -> None:
    own = Catalogues.from_toml(
        '[shipyard]\ndescription = "Ours."\nsynonyms = ["employer"]\n'
        '[works_at]\ndescription = "Ours."'
    ).common
    assert canonical(own, "employer") == "shipyard"


def test_also_adds_names_and_changes_nothing_else() -> None:
    own = Catalogues.from_toml('[uses]\nalso = ["chosen_tool"]').common
    uses, shipped = own.lookup("chosen_tool"), SHIPPED.lookup("uses")
    assert uses is not None
    assert shipped is not None
    assert uses.synonyms == (*shipped.synonyms, "chosen_tool")
    assert uses.model_copy(update={"synonyms": shipped.synonyms}) == shipped


def test_every_name_tells_who_has_it_in_the_catalogue() -> None:
    own = Catalogues.from_toml(
        CREW + '[projects.harbour.uses]\nalso = ["chosen_tool"]\n'
        '[projects.harbour.keel]\ndescription = "What it stands on."'
    ).for_project("harbour")
    layers = {
        "uses": CatalogueLayer.SHIPPED,
        "outil": CatalogueLayer.SHIPPED,
        "chosen_tool": CatalogueLayer.PROJECT,
        "keel": CatalogueLayer.PROJECT,
        "crew": CatalogueLayer.INSTALLATION,
        "equipage": CatalogueLayer.INSTALLATION,
        "colour_of_the_wind": None,
    }
    assert {name: own.layer_of(name) for name in layers} == layers


def test_a_name_that_was_given_up_is_in_no_layer() -> None:
    own = Catalogues.from_toml(CREW + '[projects.harbour.crew]\ndescription = "Ours."')
    assert own.for_project("harbour").layer_of("equipage") is None


def test_a_predicate_may_be_called_projects() -> None:
    own = Catalogues.from_toml('[projects]\ndescription = "What one works on."').common
    assert canonical(own, "projects") == "projects"


NAMES: Final = st.sampled_from(["lives_in", "residence", "crew", "keel", "uses", "tool", "hands"])
TABLES: Final = st.dictionaries(
    NAMES,
    st.one_of(
        st.lists(NAMES, max_size=2).map(lambda names: {"description": "Ours.", "synonyms": names}),
        st.lists(NAMES, min_size=1, max_size=2).map(lambda names: {"also": names}),
        st.sampled_from(["one", "many"]).map(lambda how: {"description": "A.", "cardinality": how}),
    ),
    max_size=3,
)


def toml_of(tables: dict[str, dict[str, object]], prefix: str = "") -> str:
    lines: list[str] = []
    for name, table in tables.items():
        lines.append(f"[{prefix}{name}]")
        lines += [f"{key} = {value!r}" for key, value in table.items()]
    return "\n".join(lines) + "\n"


def read(text: str) -> Catalogues | None:
    try:
        return Catalogues.from_toml(text)
    except ValueError:
        return None


@given(common=TABLES, harbour=TABLES, garden=TABLES)
def test_what_extends_one_project_changes_no_other(
    common: dict[str, dict[str, object]],
    harbour: dict[str, dict[str, object]],
    garden: dict[str, dict[str, object]],
) -> None:
    """Whatever the others have, or whether they have anything, a project's catalogue is its own."""
    of_all, of_garden = toml_of(common), toml_of(garden, "projects.garden.")
    alone = read(of_all + of_garden)
    together = read(of_all + of_garden + toml_of(harbour, "projects.harbour."))
    assume(alone is not None and together is not None)
    assert alone is not None
    assert together is not None
    for project in ("garden", "personal"):
        one, other = alone.for_project(project), together.for_project(project)
        assert list(one) == list(other)
        assert one.digest == other.digest
        for predicate in one:
            for name in (predicate.name, *predicate.synonyms):
                assert one.layer_of(name) == other.layer_of(name)


@given(own=TABLES)
def test_a_project_may_say_whatever_all_may(own: dict[str, dict[str, object]]) -> None:
    of_all, of_one = read(toml_of(own)), read(toml_of(own, "projects.harbour."))
    assert (of_all is None) == (of_one is None)
    if of_all is not None and of_one is not None:
        assert of_one.for_project("harbour").digest == of_all.common.digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (None, "No such file or directory"),
        ('[crew]\ndescription = "A."\ncardinality = "some"', "[crew] cardinality: Input should be"),
        ('[crew]\ndescription = "A."\ncolour = "red"', "[crew] colour: Extra inputs"),
        ('[crew]\nsynonyms = ["one"]', "[crew] description: Field required"),
        (
            '[crew]\ndescription = "A."\nsynonyms = ["residence"]',
            "[crew] 'residence' is a name of [lives_in] already",
        ),
        (
            '[residence]\ndescription = "A."',
            "[residence] 'residence' is a name of [lives_in] already",
        ),
        (
            '[lives_in]\nalso = ["boss"]',
            "[lives_in] 'boss' is a name of [manager] already",
        ),
        ('[residence]\nalso = ["den"]', "[residence] also: it is a synonym; write [lives_in]"),
        ('[crew]\nalso = ["hands"]', "[crew] also: there is no predicate of that name to add to"),
        ('[uses]\nalso = ["hands"]\nchange = "latest"', "[uses] change: Extra inputs"),
        ("[uses]\nalso = []", "[uses] also: Tuple should have at least 1 item"),
        (
            '[projects.harbour.crew]\ndescription = "A."\nsynonyms = ["employer"]',
            "project harbour: [crew] 'employer' is a name of [works_at] already",
        ),
        (
            CREW + '[projects.harbour.team]\ndescription = "A."\nsynonyms = ["equipage"]',
            "project harbour: [team] 'equipage' is a name of [crew] already",
        ),
        ('[projects.harbour.crew]\nchange = "now"', "project harbour: [crew] description: Field"),
        ('[projects.harbour]\ncrew = "A."', "project harbour: 'crew' is no table of a predicate"),
        ('[projects."a b".crew]\ndescription = "A."', "'a b' cannot be a subject token"),
        ("[projects]\nharbour = 1", "[projects] description: Field required"),
        ("[crew\n", "Expected ']' at the end of a table declaration (at line 1"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_the_project_and_the_entry(
    tmp_path: Path, text: str | None, problem: str
) -> None:
    file = tmp_path / "predicates.toml"
    if text is not None:
        file.write_text(text)
    with pytest.raises(CatalogueInvalid, match=re.escape(f"{file}: {problem}")):
        catalogues_with(file)
