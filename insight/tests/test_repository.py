"""A repository is read by git, which runs nothing that the repository asks for."""

import json
import os
import subprocess
from pathlib import Path

import pytest
from cortex_insight.cli import application
from cortex_insight.collect import Job, LeftOut, collect
from cortex_insight.files import find_files
from cortex_insight.parsers import load_parsers
from cortex_insight.watch import Watch
from roxabi_contracts import RawEvent
from typer.testing import CliRunner

from tests.lines_source import OWNER

WHO = {
    "GIT_AUTHOR_NAME": "Tom", "GIT_AUTHOR_EMAIL": "tom@example.net", "GIT_COMMITTER_NAME": "Tom",
    "GIT_COMMITTER_EMAIL": "tom@example.net", "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull, "PATH": os.environ["PATH"],
}  # fmt: skip


def git(folder: Path, *arguments: str) -> str:
    command = ["git", "-C", str(folder), *arguments]
    return subprocess.run(command, env=WHO, check=True, capture_output=True, text=True).stdout


def change(folder: Path, name: str) -> None:
    (folder / name).write_text(name)
    git(folder, "add", "--all")
    git(folder, "commit", "-qm", f"Add {name.split()[0]}")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A small repository."""
    path = tmp_path / "harbour"
    path.mkdir()
    git(path, "init", "-q", "-b", "main")
    change(path, "a.txt")
    change(path, "-rf b\n.md")
    git(path, "tag", "-a", "v1.0", "-m", "First")
    return path


def collected(*paths: Path) -> tuple[list[RawEvent], list[LeftOut]]:
    job = Job(load_parsers(), paths, "p", OWNER)
    items = [*collect(job, find_files(paths), lambda _: None)]
    events = [one for one in items if isinstance(one, RawEvent)]
    return events, [one for one in items if isinstance(one, LeftOut)]


def subjects(*paths: Path) -> list[str]:
    bodies = (one.body.to_bytes().decode() for one in collected(*paths)[0] if one.source == "git")
    return [body.partition('"message": "')[2].partition("\\n")[0] for body in bodies]


def test_a_repository_among_files_is_read_as_one_thing(folder: Path) -> None:
    events, left_out = collected(folder.parent)
    assert [one.source for one in events] == ["git"] * 3 + ["markdown"]
    assert subjects(folder) == ["Add a.txt", "Add -rf", "First"]
    assert [Path(one.place).name for one in left_out] == ["a.txt"]
    assert {one.event_id for one in collected(folder)[0]} == {one.event_id for one in events}


def test_it_is_called_as_its_folder_however_that_is_named(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub").mkdir()
    monkeypatch.chdir(folder / "sub")
    for path in (folder, Path(".."), folder.parent, folder / ".git"):
        (one, *_) = collected(path)[0]
        assert '"repository": "harbour"' in one.body.to_bytes().decode()


def test_one_that_is_named_is_read_without_its_files(folder: Path) -> None:
    result = CliRunner().invoke(application, ["parse", "git", str(folder), "--owner", "a@b.org"])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [one["source"] for one in said] == ["git"] * 3


def test_its_history_is_read_from_a_bare_one_a_worktree_and_its_own_folder(
    folder: Path, tmp_path: Path
) -> None:
    bare, tree = tmp_path / "bare" / "harbour.git", tmp_path / "tree" / "harbour"
    git(folder, "clone", "-q", "--bare", str(folder), str(bare))
    git(folder, "worktree", "add", "-q", str(tree), "-b", "side")
    for path in (folder / ".git", bare, tree, tree / ".git"):
        assert subjects(path) == ["Add a.txt", "Add -rf", "First"], path
    assert {one.event_id for one in collected(bare)[0] if one.source == "git"} == {
        one.event_id for one in collected(folder)[0] if one.source == "git"
    }


SIGNED = """tree {tree}
parent {parent}
author Tom <tom@example.net> 1772352000 +0000
committer Tom <tom@example.net> 1772352000 +0000
gpgsig -----BEGIN PGP SIGNATURE-----
 \n x
 -----END PGP SIGNATURE-----

Signed
"""


@pytest.fixture
def hostile(folder: Path, tmp_path: Path) -> Path:
    """The repository with every setting that names a program naming one that leaves a trace."""
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\ntouch '{tmp_path / 'ran'}'\nexit 1\n")
    script.chmod(0o755)
    run = str(script)
    for name, value in {
        "core.fsmonitor": run, "core.pager": run, "pager.log": run, "log.showSignature": "true",
        "gpg.program": run, "gpg.ssh.program": run, "diff.external": run, "diff.x.textconv": run,
        "diff.x.command": run, "core.sshCommand": run, "core.hooksPath": str(tmp_path),
        "core.repositoryformatversion": "1", "extensions.partialClone": "origin",
        "remote.origin.url": f"ext::{run}", "remote.origin.promisor": "true",
        "protocol.ext.allow": "always", "alias.log": f"!{run}",
    }.items():  # fmt: skip
        git(folder, "config", name, value)
    (folder / ".git" / "info" / "attributes").write_text("* diff=x filter=x\n")
    return folder


def test_what_a_repository_configures_is_not_run(hostile: Path, tmp_path: Path) -> None:
    head, tree = (git(hostile, "rev-parse", name).strip() for name in ("HEAD", "HEAD^{tree}"))
    (tmp_path / "commit").write_text(SIGNED.format(tree=tree, parent=head))
    signed = git(hostile, "hash-object", "-t", "commit", "-w", str(tmp_path / "commit")).strip()
    git(hostile, "update-ref", "refs/heads/signed", signed)
    assert "Signed" in subjects(hostile)
    assert not (tmp_path / "ran").exists()


def test_what_a_repository_lacks_is_not_fetched(hostile: Path, tmp_path: Path) -> None:
    lost = git(hostile, "rev-parse", "HEAD^{tree}").strip()
    (hostile / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    (left_out,) = (one for one in collected(hostile)[1] if one.place.endswith(".git"))
    assert left_out.reason.startswith("git cannot read it: ")
    assert not (tmp_path / "ran").exists()


def test_the_map_of_names_of_the_repository_counts(folder: Path, tmp_path: Path) -> None:
    (folder / ".mailmap").write_text("Tom Reed <tom@new.org> <tom@example.net>\n")
    (tmp_path / "other").write_text("Eve <eve@example.org> <tom@example.net>\n")
    git(folder, "config", "mailmap.file", str(tmp_path / "other"))
    git(folder, "config", "core.worktree", str(tmp_path))
    body = collected(folder)[0][0].body.to_bytes().decode()
    assert '"mapped_email": "tom@new.org"' in body
    assert '"email": "tom@example.net"' in body


def test_what_is_not_the_repositorys_own_is_left_out(folder: Path) -> None:
    (folder / "a.txt").write_text("changed")
    git(folder, "stash")
    git(folder, "notes", "add", "-m", "note")
    git(folder, "update-ref", "refs/remotes/origin/x", git(folder, "commit-tree", "-m", "theirs",
                                                         "HEAD^{tree}").strip())  # fmt: skip
    assert subjects(folder) == ["Add a.txt", "Add -rf", "First"]


def test_one_without_commits_or_without_git_says_so(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "init", "-q", "empty")
    (empty,) = collected(tmp_path / "empty")[1]
    assert empty.reason == "a repository without commits"
    (tmp_path / "broken" / ".git").mkdir(parents=True)
    (broken,) = collected(tmp_path / "broken")[1]
    assert broken.reason.startswith("git cannot read it: not a git repository")
    monkeypatch.setenv("PATH", str(tmp_path))
    (none, _) = collected(folder)[1]
    assert none.reason == "git is not installed: no history can be read"


def test_a_commit_and_a_tag_are_changes_to_follow(folder: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(folder, "worktree", "add", "-q", str(tree), "-b", "side")
    for path in (folder, tree):
        watch = Watch()

        def changed(path: Path = path, watch: Watch = watch) -> bool:
            found = watch.changed(find_files([path]))
            return any(one.repository for one in found)

        assert changed()
        assert not changed()
        change(path, f"{path.name}.txt")
        assert changed()
        git(path, "tag", f"t-{path.name}")
        assert changed()
        assert not changed()
