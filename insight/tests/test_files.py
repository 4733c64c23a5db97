"""Files are found in a fixed order, and nothing outside the named folder is read."""

import os
from pathlib import Path
from zipfile import ZipFile

import pytest
from cortex_insight.files import PIECE_BYTES, FoundFile, Passed, find_files

from tests.lines_source import OWNER


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/two", "a", "b/one", "b.jsonl"):
        path = tmp_path / "named" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    (tmp_path / "outside").write_text("secret")
    (tmp_path / "named" / "link").symlink_to(tmp_path / "outside")
    return tmp_path / "named"


def files_of(path: Path) -> list[FoundFile]:
    return [found for found in find_files([path]) if isinstance(found, FoundFile)]


def test_a_folder_gives_its_files_relative_to_itself(folder: Path) -> None:
    assert [found.relative for found in files_of(folder)] == ["a", "b.jsonl", "b/one", "b/two"]


def test_what_is_passed_over_below_a_folder_is_told(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    (folder / "broken").symlink_to("nowhere")
    (folder / "elsewhere").symlink_to(folder.parent)
    passed = [found for found in find_files([folder]) if isinstance(found, Passed)]
    assert {Path(found.place).name: found.reason for found in passed} == {
        "broken": "links are not followed",
        "elsewhere": "links are not followed",
        "link": "links are not followed",
        "pipe": "neither a file nor a folder",
    }


def test_a_folder_that_cannot_be_listed_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listing = os.scandir

    def refuse(path: str) -> object:  # as for root no mode closes a folder
        if path == str(folder / "b"):
            raise PermissionError(13, "Permission denied", path)
        return listing(path)

    monkeypatch.setattr(os, "scandir", refuse)
    (passed,) = (found for found in find_files([folder]) if found.place == str(folder / "b"))
    assert passed == Passed(str(folder / "b"), "folder not readable: Permission denied")
    assert [found.relative for found in files_of(folder)] == ["a", "b.jsonl"]


def test_a_named_file_gives_its_name(folder: Path) -> None:
    (found,) = files_of(folder / "b" / "one")
    assert found.relative == "one"
    assert [*found.pieces()] == [b"b/one"]


def homes(path: Path) -> list[str]:
    return [found.home for found in files_of(path)]


def test_a_file_is_at_home_in_its_vault_else_in_what_was_named(folder: Path) -> None:
    assert homes(folder)[2:] == ["named/b/one", "named/b/two"]
    assert homes(folder / "b" / "one") == ["b/one"]
    (folder / "b" / ".obsidian").mkdir()
    assert homes(folder)[2:] == homes(folder / "b") == ["b/one", "b/two"]
    assert homes(folder / "b" / "one") == ["b/one"]
    with ZipFile(folder.parent / "vault.zip", "w") as packed:
        packed.writestr("a/note.md", "x")
    assert homes(folder.parent / "vault.zip") == ["vault/a/note.md"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        list(find_files([tmp_path / "absent"]))


def test_a_large_file_comes_in_pieces(tmp_path: Path) -> None:
    (tmp_path / "large").write_bytes(b"x" * (PIECE_BYTES + 1))
    (found,) = files_of(tmp_path / "large")
    assert [len(piece) for piece in found.pieces()] == [PIECE_BYTES, 1]


def test_the_time_of_a_file_is_in_utc(folder: Path) -> None:
    (found,) = files_of(folder / "a")
    context = found.context("p", OWNER)
    assert context.modified_at is not None
    assert context.modified_at.utcoffset() is not None
    assert (context.project, context.path) == ("p", "a")
