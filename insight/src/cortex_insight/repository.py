"""Repositories of git, read by its own program; nothing that they configure is run."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from cortex_insight.errors import RepositoryRefused
from cortex_insight.parsers.git.splitting import COMMIT_FORMAT, TAG_FORMAT

GIT_FOLDER: Final = ".git"
_BARE: Final = frozenset(("HEAD", "objects", "refs"))

_OVERRULED: Final = (
    "core.fsmonitor=false", "core.hooksPath=/dev/null", "diff.external=", "mailmap.file=",
    "log.follow=false", "diff.renameLimit=1000", "safe.directory=*",
)  # fmt: skip
"""Settings of a repository that name programs or files; what stands on the command line counts."""
_ENVIRONMENT: Final = {
    "LC_ALL": "C",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_ALLOW_PROTOCOL": "none",
}
"""Of the caller's only the search path is kept.

An old git knows no ban on fetching what is missing: no protocol is allowed either.
"""
_PRIVATE_REFS: Final = (
    "refs/stash", "refs/notes/*", "refs/remotes/*", "refs/pull/*", "refs/original/*",
    "refs/replace/*", "refs/bisect/*", "refs/prefetch/*",
)  # fmt: skip
"""What is no branch or tag of this repository itself."""
_LOG: Final = (
    "log", *(f"--exclude={one}" for one in _PRIVATE_REFS), "--all", "--reverse", "-z", "-M",
    "--name-status", "--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-notes",
    "--no-color", "--encoding=UTF-8", "--date=raw", f"--format={COMMIT_FORMAT}", "--",
)  # fmt: skip
_TAGS: Final = ("for-each-ref", "refs/tags", f"--format={TAG_FORMAT}")


@dataclass(frozen=True)
class Repository:
    """A repository on this machine.

    Args:
        folder: Its `.git`, a folder or the file that names one, or the whole if it has no files.
    """

    folder: Path

    def pieces(self, size: int) -> Iterator[bytes]:
        """Its history in the format of the source `git`, a piece at a time.

        Raises:
            RepositoryRefused: git cannot read it, or there is no git.
        """
        empty = True
        for arguments in (_LOG, _TAGS):
            for piece in self._output(arguments, size):
                empty = False
                yield piece
        if empty:
            raise RepositoryRefused("a repository without commits")

    def state(self) -> tuple[tuple[str, int, int], ...]:
        """What changes with every commit and every tag."""
        return tuple(
            (str(path), status.st_size, status.st_mtime_ns)
            for path in self._marks()
            if path.is_file() and (status := path.stat())
        )

    def _output(self, arguments: Sequence[str], size: int) -> Iterator[bytes]:
        program = shutil.which("git")
        if program is None:
            raise RepositoryRefused("git is not installed: no history can be read")
        settings = [part for one in _OVERRULED for part in ("-c", one)]
        command = [program, "--no-pager", *settings, *arguments]
        with tempfile.TemporaryFile() as errors:
            process = subprocess.Popen(  # noqa: S603 - git itself, found on the search path
                command,
                cwd=self._work_folder,
                env=self._environment(),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
            assert process.stdout is not None
            try:
                while piece := process.stdout.read(size):
                    yield piece
                failed = process.wait() != 0
            finally:
                process.kill()
                process.stdout.close()
                process.wait()
            if failed:
                raise RepositoryRefused(f"git cannot read it: {_last_words(errors)}")

    @property
    def _work_folder(self) -> Path:
        """Where its map of names lies."""
        return self.folder.parent if self.folder.name == GIT_FOLDER else self.folder

    def _environment(self) -> dict[str, str]:
        own = {"PATH": os.environ.get("PATH", os.defpath), "GIT_DIR": str(self.folder.absolute())}
        if self.folder.name == GIT_FOLDER:
            own["GIT_WORK_TREE"] = str(self._work_folder.absolute())
        return _ENVIRONMENT | own

    def _marks(self) -> Iterator[Path]:
        folder = self.folder
        if folder.is_file():
            named = folder.read_text("utf-8", "replace").removeprefix("gitdir:").strip()
            folder = folder.parent / named
        yield folder / "HEAD"
        shared = folder / "commondir"
        if shared.is_file():
            folder = folder / shared.read_text("utf-8", "replace").strip()
        yield folder / "packed-refs"
        for parent, _, names in os.walk(folder / "refs"):
            yield from (Path(parent, name) for name in sorted(names))


def repository_in(parent: Path, names: Sequence[str]) -> Repository | None:
    """The repository that a folder is, or whose files it holds.

    Args:
        parent: The folder.
        names: What lies in it.
    """
    if GIT_FOLDER in names:
        return Repository(parent / GIT_FOLDER)
    return Repository(parent) if set(names) >= _BARE else None


def _last_words(errors: IO[bytes]) -> str:
    """The last line of what a program complained of."""
    errors.seek(0)
    lines = errors.read(10_000).decode("utf-8", "replace").strip().splitlines()
    return lines[-1].removeprefix("fatal: ")[:300] if lines else "it gives no reason"
