"""A folder that is followed: what is added to it comes in, and nothing comes in twice."""

import asyncio
import os
from pathlib import Path

import pytest
from cortex_insight import importer, watch
from cortex_insight.files import find_files
from cortex_insight.importer import Importer
from cortex_insight.progress import Progress
from cortex_insight.watch import Settled, Watch

from tests.lines_source import lines_job
from tests.test_importer import FakeLake


def names(files: Watch, folder: Path) -> list[str]:
    return [found.relative for found in files.changed(find_files([folder]))]


def test_a_file_changes_when_it_grows_is_written_again_or_comes_back(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("1")
    files = Watch()
    assert names(files, tmp_path) == ["a", "b"]
    assert names(files, tmp_path) == []
    (tmp_path / "a").write_text("12")
    os.utime(tmp_path / "b", ns=(1, 1))
    (tmp_path / "c").write_text("new")
    assert names(files, tmp_path) == ["a", "b", "c"]
    (tmp_path / "new").write_text("12")
    (tmp_path / "new").rename(tmp_path / "a")
    assert names(files, tmp_path) == ["a"]


def test_what_is_settled_is_remembered_up_to_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "SETTLED_AT_MOST", 2)
    settled = Settled()
    assert settled.is_new("a")
    assert settled.is_new("a")
    settled.remember = True
    assert [settled.is_new(name) for name in ("a", "a", "b", "b", "c", "a")] == [
        True, False, True, False, True, True,
    ]  # fmt: skip


async def test_what_is_added_is_imported_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importer, "WATCH_SECONDS", 0.01)
    monkeypatch.setattr(importer, "POLL_SECONDS", 0.01)
    (tmp_path / "one").write_text("a\n- skipped\n")
    stopping, lake = asyncio.Event(), FakeLake()
    additions = [("one", "b\n"), ("two", "c\n"), ("one", "d\n")]

    def report(progress: Progress) -> None:
        if progress.published < 4 - len(additions) or progress.done is False:
            return
        if not additions:
            stopping.set()
            return
        name, text = additions.pop(0)
        with (tmp_path / name).open("a") as file:
            file.write(text)

    work = Importer(lake, lake, report, stopping)
    progress = await asyncio.wait_for(work.follow(lines_job(tmp_path)), 20)
    assert lake.published == ["a", "b", "c", "d"]
    assert (progress.events, progress.skipped, progress.done) == (4, 1, True)
