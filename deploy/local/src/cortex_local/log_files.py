"""Keeps logs small: a log that has grown is set aside under a number, and begins anew."""

import os
import shutil
from pathlib import Path
from typing import Final

LARGEST: Final = 16 * 2**20
"""Bytes of a log before it is set aside."""
KEPT: Final = 3
"""How many older parts of a log are kept."""


def set_aside(log: Path, largest: int = LARGEST) -> bool:
    """Whether the log was larger, and is empty now; its older part is then `<log>.1`.

    The file stays the same one, since processes hold it open for appending. What they write
    between the copy and the cut is lost: a few lines at most.
    """
    if not log.is_file() or log.stat().st_size <= largest:
        return False
    for number in range(KEPT, 1, -1):
        younger = _part(log, number - 1)
        if younger.exists():
            younger.replace(_part(log, number))
    shutil.copy2(log, _part(log, 1))
    os.truncate(log, 0)
    return True


def _part(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")
