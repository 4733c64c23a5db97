"""File locks: the truth about who runs, whatever a pid file says."""

import fcntl
import os
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def waiting_lock(path: Path) -> Generator[None]:
    """Hold the lock, waiting for who has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def exclusive_lock(path: Path, patience: float = 0.0) -> Generator[bool]:
    """Hold the lock if it is free, or becomes free within those seconds; yields whether it was."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        deadline = time.monotonic() + patience
        while not (free := _try_lock(descriptor)) and time.monotonic() < deadline:
            time.sleep(0.02)
        yield free
    finally:
        os.close(descriptor)


def is_held(path: Path) -> bool:
    """Whether someone holds the lock now."""
    if not path.exists():
        return False
    with exclusive_lock(path) as free:
        return not free


def _try_lock(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
