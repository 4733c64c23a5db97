"""A file of predicates of one's own is looked at before anything starts."""

from pathlib import Path

import pytest
from cortex_local.__main__ import main
from cortex_local.cli.console import answers
from cortex_local.control import start_stack
from cortex_local.doctor import check_memory
from cortex_local.errors import ExitCode, WrongUsage
from cortex_local.own_predicates import PREDICATES, own_predicates, with_whole_path

from tests.stand_in_service import CHANGED, STATS

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


def test_doctor_names_the_project_in_which_a_rebuild_is_due() -> None:
    assert check_memory("memory", STATS).well
    due = check_memory("memory", CHANGED)
    assert not due.well
    assert "cortex rebuild --project harbour" in due.hint


def test_a_listing_tells_who_has_each_name_and_that_a_rebuild_is_due(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    monkeypatch.setattr(answers, "width", 200)
    with pytest.raises(SystemExit) as ended:
        main(("predicates", "list", "--project", "harbour"))

    assert ended.value.code == ExitCode.OK
    shown = capsys.readouterr()
    rows = [" ".join(line.split()) for line in shown.out.splitlines()]
    assert "editor chosen_tool, editor 3 2 shipped, chosen_tool: project The program." in rows
    assert "mooring - 0 0 installation The quay." in rows
    assert "whim whim 1 1 - -" in rows
    assert "cortex rebuild --project harbour" in shown.err
