"""Processes that a supervisor left behind when it was killed: recognised and stopped."""

import json
import os
import signal
import subprocess
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from cortex_local.files import write_private

STOP_SECONDS: Final = 30.0


@dataclass(frozen=True)
class Child:
    """A process, told from a later one with the same pid by the time it started."""

    name: str
    pid: int
    started: str
    stop_signal: int = signal.SIGTERM


def recognise(name: str, pid: int, stop_signal: int = signal.SIGTERM) -> Child:
    """The record of a process that runs now."""
    return Child(name, pid, _start_time(pid) or "", stop_signal)


def write_children(path: Path, children: list[Child]) -> None:
    """Record the processes, so that a later supervisor can stop what this one could not."""
    write_private(path, json.dumps([asdict(child) for child in children]))


def stop_leftovers(path: Path) -> list[str]:
    """Stop those of the recorded processes that still run, last started first; their names."""
    try:
        records = [Child(**record) for record in json.loads(path.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    alive = [child for child in reversed(records) if _is_alive(child)]
    for child in alive:
        _stop(child)
    path.unlink()
    return [child.name for child in alive]


def _stop(child: Child) -> None:
    _send(child, child.stop_signal)
    deadline = time.monotonic() + STOP_SECONDS
    while _is_alive(child):
        if time.monotonic() > deadline:
            _send(child, signal.SIGKILL)
        time.sleep(0.05)


def _send(child: Child, number: int) -> None:
    try:
        os.kill(child.pid, number)
    except ProcessLookupError:  # it ended in between, which is what was wanted
        return


def _is_alive(child: Child) -> bool:
    return bool(child.started) and _start_time(child.pid) == child.started


def _start_time(pid: int) -> str | None:
    """When the process started, in the system's own terms; None for one that has ended."""
    if Path("/proc/self/stat").exists():
        try:
            fields = (
                Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            )
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None if fields[0] == "Z" else fields[19]
    listing = subprocess.run(  # noqa: S603 - a system tool with a number as its argument
        ["/bin/ps", "-o", "lstart=", "-p", str(pid)], check=False, capture_output=True, text=True
    )
    return listing.stdout.strip() or None
