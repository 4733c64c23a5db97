"""A file of predicates of one's own is looked at before anything starts."""

from pathlib import Path

import pytest
from cortex_local.control import start_stack
from cortex_local.errors import WrongUsage
from cortex_local.own_predicates import PREDICATES, own_predicates, with_whole_path

CREW = '[projects.harbour.crew]\ndescription = "Who sails along."\n'


@pytest.mark.parametrize("environment", [{}, {PREDICATES: ""}, {"HOME": "/"}])
def test_without_a_file_the_environment_stays_as_it_is(environment: dict[str, str]) -> None:
    assert with_whole_path(environment) == environment
    assert own_predicates(environment).own == {}


def test_a_file_is_found_from_whichever_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.toml").write_text(CREW)

    environment = with_whole_path({PREDICATES: "own.toml", "HOME": "/"})

    assert environment == {PREDICATES: str(tmp_path / "own.toml"), "HOME": "/"}
    assert set(own_predicates(environment).own) == {"harbour"}


def test_a_broken_file_starts_nothing_and_says_where(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(CREW + 'synonyms = ["residence"]')
    with pytest.raises(WrongUsage) as refused:
        start_stack(tmp_path / "stack", {PREDICATES: str(own)}, lambda step: None)

    expected = f"{own}: project harbour: [crew] 'residence' is a name of [lives_in] already."
    assert refused.value.message == expected
    assert PREDICATES in refused.value.hint
    assert not (tmp_path / "stack").exists()
