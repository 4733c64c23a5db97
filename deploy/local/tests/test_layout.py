import json
from pathlib import Path

import pytest
from cortex_local.errors import StackError
from cortex_local.layout import claim_layout, find_layout, stack_folder


def test_folder_is_chosen_by_the_environment(tmp_path: Path) -> None:
    assert stack_folder({"CORTEX_HOME": str(tmp_path), "XDG_STATE_HOME": "/x"}) == tmp_path
    assert stack_folder({"XDG_STATE_HOME": "/x"}) == Path("/x/cortex")
    assert stack_folder({}) == Path.home() / ".local" / "state" / "cortex"


def test_relative_folder_is_made_absolute() -> None:
    assert stack_folder({"CORTEX_HOME": "here"}).is_absolute()


def test_claimed_folder_is_found_again_with_its_identity(stack: Path) -> None:
    assert find_layout(stack) is None
    claimed = claim_layout(stack)
    assert find_layout(stack) == claimed
    assert claim_layout(stack) == claimed


def test_two_stacks_have_different_identities(short_folder: Path) -> None:
    first, second = claim_layout(short_folder / "a"), claim_layout(short_folder / "b")
    assert first.identity != second.identity


def test_what_a_stack_keeps_is_private(stack: Path) -> None:
    layout = claim_layout(stack)
    for folder in (layout.folder, layout.secrets, layout.seeds, layout.logs, layout.broker):
        assert folder.stat().st_mode & 0o777 == 0o700
    assert (stack / "stack.json").stat().st_mode & 0o777 == 0o600


def test_empty_folder_of_the_user_is_taken_and_its_mode_kept(stack: Path) -> None:
    stack.mkdir()
    stack.chmod(0o755)
    claim_layout(stack)
    assert stack.stat().st_mode & 0o777 == 0o755


def test_folder_with_other_files_is_refused_and_left_alone(stack: Path) -> None:
    stack.mkdir()
    (stack / "thesis.txt").write_text("precious")
    with pytest.raises(StackError, match="not a Cortex stack") as refused:
        claim_layout(stack)
    assert "CORTEX_HOME" in refused.value.hint
    assert [path.name for path in stack.iterdir()] == ["thesis.txt"]


def test_file_in_place_of_the_folder_is_refused(stack: Path) -> None:
    stack.write_text("")
    with pytest.raises(StackError, match="is a file"):
        claim_layout(stack)


def test_parent_that_is_a_file_is_refused(stack: Path) -> None:
    stack.write_text("")
    with pytest.raises(StackError, match="cannot be created"):
        claim_layout(stack / "below")


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "damaged"),
        ("null", "damaged"),
        ('{"format": 1}', "damaged"),
        (json.dumps({"format": 2, "identity": "x"}), "another version"),
    ],
)
def test_marker_that_cannot_be_used_is_refused(stack: Path, content: str, reason: str) -> None:
    stack.mkdir()
    marker = stack / "stack.json"
    marker.write_text(content)
    with pytest.raises(StackError, match=reason):
        claim_layout(stack)
    marker.unlink()
