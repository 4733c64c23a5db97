"""Following files: which of them changed, and what of them was dealt with before."""

from collections.abc import Hashable, Iterable
from pathlib import Path
from typing import Final

from cortex_insight.files import Found, FoundFile

SETTLED_AT_MOST: Final = 500_000
"""Records that are remembered; beyond it all are forgotten, and the lake is asked again."""


class Watch:
    """Remembers the state of each file. What lies in archives is not followed."""

    def __init__(self) -> None:
        self._states: dict[Path, Hashable] = {}

    def changed(self, files: Iterable[Found]) -> list[FoundFile]:
        """Those of the files that are new, or other than at the last look."""
        return [found for found in files if isinstance(found, FoundFile) and self._is_new(found)]

    def _is_new(self, found: FoundFile) -> bool:
        if found.member is not None:
            return False
        try:
            state = _state(found)
        except OSError:
            self._states.pop(found.path, None)
            return False
        if self._states.get(found.path) == state:
            return False
        self._states[found.path] = state
        return True


def _state(found: FoundFile) -> Hashable:
    if found.repository is not None:
        return found.repository.state()
    status = found.path.stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


class Settled:
    """What was dealt with: a file that grows is read again, and is mostly known."""

    def __init__(self) -> None:
        self.remember = False
        self._seen: set[Hashable] = set()

    def is_new(self, item: Hashable) -> bool:
        """Whether the item was not asked about since remembering began."""
        if not self.remember:
            return True
        if item in self._seen:
            return False
        if len(self._seen) >= SETTLED_AT_MOST:
            self._seen.clear()
        self._seen.add(item)
        return True
