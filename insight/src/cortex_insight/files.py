"""Files to import: found in a fixed order, also inside archives, and read in pieces."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from roxabi_contracts import ActorRef

from cortex_insight.archive import MAGIC, Member, Refused, members, open_archive
from cortex_insight.errors import ArchiveRefused
from cortex_insight.event import FileContext, FileHead
from cortex_insight.repository import GIT_FOLDER, Repository, repository_in

PIECE_BYTES: Final = 1024 * 1024
_HOMES: Final = (".git", ".obsidian", "logseq/config.edn", ".hg", ".foam", ".zk")
"""Any of these makes a folder a repository or vault, with files that belong together."""


@dataclass(frozen=True)
class FoundFile:
    """A file, by its path or inside the archive at that path; or a repository as one thing."""

    path: Path
    relative: str
    """To the folder or archive that holds it."""
    named: bool = False
    """It was named itself, not found below a folder or in an archive."""
    member: Member | None = None
    repository: Repository | None = None

    @property
    def place(self) -> str:
        """Where it is, for a person."""
        return str(self.path) if self.member is None else f"{self.path}:{self.member.name}"

    @property
    def size(self) -> int:
        """Its bytes, unpacked, as far as the archive tells the truth; of a repository unknown.

        Raises:
            OSError: the file is gone.
        """
        if self.repository is not None:
            return 0
        return self.path.stat().st_size if self.member is None else self.member.info.file_size

    def pieces(self) -> Iterator[bytes]:
        """Its bytes, a piece at a time.

        Raises:
            OSError: the file cannot be read.
            FileRefused: it cannot be unpacked, or is no repository.
        """
        if self.repository is not None:
            yield from self.repository.pieces(PIECE_BYTES)
            return
        if self.member is not None:
            yield from self.member.pieces(PIECE_BYTES)
            return
        with self.path.open("rb") as file:
            while piece := file.read(PIECE_BYTES):
                yield piece

    def head(self, size: int) -> FileHead:
        """Its first bytes.

        Raises:
            OSError, FileRefused: as `pieces`.
        """
        content = b""
        for piece in self.pieces():
            content += piece
            if len(content) > size:
                break
        return FileHead(self.relative, content[:size], complete=len(content) <= size)

    def context(self, project: str, owner: ActorRef) -> FileContext:
        """What is known of it beside its bytes.

        Raises:
            OSError: the file is gone.
        """
        if self.repository is not None:
            return FileContext(project, owner, self.relative, None)
        packed = None if self.member is None else self.member.modified_at()
        modified = packed or datetime.fromtimestamp(self.path.stat().st_mtime, tz=UTC)
        return FileContext(project, owner, self.relative, modified, self.home)

    @property
    def home(self) -> str:
        """Its path inside the repository or vault around it, else inside what was named.

        The name of that folder or archive comes first: two may hold files of the same name.
        """
        if self.member is not None:
            return f"{self.path.stem}/{self.member.name}"
        path = Path(os.path.abspath(self.path))  # noqa: PTH100 - links stay as they are
        top = path.parents[self.relative.count("/")]
        root = next((one for one in path.parents if _is_home(one)), top)
        return f"{root.name}/{path.relative_to(root).as_posix()}"


@dataclass(frozen=True)
class Passed:
    """Something that is not read, and why."""

    place: str
    reason: str


Found = FoundFile | Passed


def unreadable(what: str, error: OSError) -> str:
    """Why a file or folder was not read, in the system's words and without its name."""
    return f"{what} not readable: {error.strerror or type(error).__name__}"


def find_files(paths: Iterable[Path]) -> Iterator[Found]:
    """Each file named, and all that lies below each folder and in each archive.

    Links are not followed. A file of an archive can be read until the next one is asked for.

    Raises:
        OSError: a path does not exist or cannot be read.
    """
    for named in paths:
        if named.is_dir():
            yield from _below(named)
            continue
        if named.name == GIT_FOLDER:
            yield _whole(Repository(named), named.parent)
            continue
        path = named.resolve(strict=True)
        if _begins_like_archive(path):
            yield from _inside(path)
        else:
            yield FoundFile(path, named.name, named=True)


def _below(folder: Path) -> Iterator[Found]:
    closed: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=closed.append):
        repository = repository_in(Path(parent), [*folders, *names])
        if repository is not None:
            yield _whole(repository, folder)
            if repository.folder == Path(parent):
                folders.clear()
                continue
            folders[:], names = (
                [name for name in listed if name != GIT_FOLDER] for listed in (folders, names)
            )
        folders.sort()
        links = (name for name in folders if Path(parent, name).is_symlink())
        for name in sorted([*names, *links]):
            yield from _one(Path(parent, name), folder)
    for error in closed:
        yield Passed(str(error.filename), unreadable("folder", error))


def _whole(repository: Repository, folder: Path) -> FoundFile:
    """A repository under the name of its folder, which is all that it is called by."""
    path, top = (Path(os.path.abspath(one)) for one in (repository.folder, folder))  # noqa: PTH100
    inside = path.relative_to(top).as_posix()
    named = path.parent.name if path.name == GIT_FOLDER else path.name
    relative = f"{named}/{GIT_FOLDER}" if inside in (".", GIT_FOLDER) else inside
    return FoundFile(repository.folder, relative, repository=repository)


def _one(path: Path, folder: Path) -> Iterator[Found]:
    if path.is_symlink():
        yield Passed(str(path), "links are not followed")
    elif not path.is_file():
        yield Passed(str(path), "neither a file nor a folder")
    elif path.suffix.lower() == ".zip":
        yield from _inside(path)
    else:
        yield FoundFile(path, path.relative_to(folder).as_posix())


def _inside(path: Path) -> Iterator[Found]:
    try:
        with open_archive(path) as archive:
            for member in members(archive):
                yield _packed(path, member)
    except ArchiveRefused as error:
        yield Passed(str(path), str(error))
    except OSError as error:
        yield Passed(str(path), unreadable("archive", error))


def _packed(path: Path, member: Member | Refused) -> Found:
    if isinstance(member, Refused):
        return Passed(f"{path}:{member.name}", member.reason)
    if member.name.lower().endswith(".zip"):
        return Passed(f"{path}:{member.name}", "an archive inside an archive is not opened")
    return FoundFile(path, member.name, member=member)


def _is_home(folder: Path) -> bool:
    return any((folder / name).exists() for name in _HOMES)


def _begins_like_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(4) in MAGIC
