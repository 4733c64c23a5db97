"""Files to import: found in a fixed order, and read in pieces."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from roxabi_contracts import ActorRef

from cortex_insight.event import FileContext

PIECE_BYTES: Final = 1024 * 1024


@dataclass(frozen=True)
class FoundFile:
    """A file, and its path relative to the folder that was named."""

    path: Path
    relative: str


@dataclass(frozen=True)
class Passed:
    """Something below a named folder that is not read, and why."""

    path: Path
    reason: str


def unreadable(what: str, error: OSError) -> str:
    """Why a file or folder was not read, in the system's words and without its name."""
    return f"{what} not readable: {error.strerror or type(error).__name__}"


def find_files(paths: Iterable[Path]) -> Iterator[FoundFile | Passed]:
    """Each file named, and all that lies below each folder named; links are not followed.

    Raises:
        OSError: a path does not exist or cannot be read.
    """
    for named in paths:
        if named.is_dir():
            yield from _below(named)
        else:
            yield FoundFile(named.resolve(strict=True), named.name)


def context_of(found: FoundFile, project: str, owner: ActorRef) -> FileContext:
    """What is known of the file.

    Raises:
        OSError: the file is gone.
    """
    modified = datetime.fromtimestamp(found.path.stat().st_mtime, tz=UTC)
    return FileContext(project, owner, found.relative, modified)


def read_pieces(path: Path) -> Iterator[bytes]:
    """The bytes of a file, a piece at a time.

    Raises:
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            yield piece


def _below(folder: Path) -> Iterator[FoundFile | Passed]:
    closed: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=closed.append):
        folders.sort()
        links = (name for name in folders if Path(parent, name).is_symlink())
        for name in sorted([*names, *links]):
            path = Path(parent, name)
            if path.is_symlink():
                yield Passed(path, "links are not followed")
            elif path.is_file():
                yield FoundFile(path, path.relative_to(folder).as_posix())
            else:
                yield Passed(path, "neither a file nor a folder")
    for error in closed:
        yield Passed(Path(error.filename), unreadable("folder", error))
