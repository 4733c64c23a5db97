"""One supervised process: started, watched, started again after a pause, stopped."""

import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Final

from cortex_local.errors import StackError
from cortex_local.leftovers import Child, recognise
from cortex_local.state import PartState

SHORTEST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
STEADY_SECONDS: Final = 60.0

Process = subprocess.Popen[bytes]


def pause_before_restart(failures: int) -> float:
    """Seconds to wait after that many failures in a row: doubling, up to a bound."""
    return min(LONGEST_PAUSE, SHORTEST_PAUSE * 2.0 ** min(failures - 1, 10))


@dataclass
class Part:
    """A process of the stack; `launch` gets the open log to write to."""

    name: str
    log: Path
    launch: Callable[[IO[bytes]], Process]
    terminate: Callable[[Process], None]
    stop_signal: int = signal.SIGTERM
    restarts: int = 0
    _process: Process | None = field(default=None, init=False)
    _failures: int = field(default=0, init=False)
    _started: float = field(default=0.0, init=False)
    _again: float | None = field(default=None, init=False)

    def start(self) -> Process:
        """Start the process now. Raises StackError when there is no such program."""
        try:
            with self.log.open("ab") as log:
                self._process = self.launch(log)
        except OSError as error:
            raise StackError(f"{self.name} cannot be started: {error}.") from error
        self._started = time.monotonic()
        self._again = None
        return self._process

    def stop(self) -> None:
        """Stop the process if it runs, and forget it."""
        if self._process is not None:
            self.terminate(self._process)
        self._process = None

    def watch(self) -> int | None:
        """Start an ended process again when its pause is over; the exit code when it just ended."""
        now = time.monotonic()
        if self._again is not None:
            if now >= self._again:
                self._start_again(now)
            return None
        if self._process is None or (code := self._process.poll()) is None:
            return None
        if now - self._started > STEADY_SECONDS:
            self._failures = 0
        self._process = None
        self._wait_again(now)
        return code

    def _start_again(self, now: float) -> None:
        self.restarts += 1
        try:
            self.start()
        except StackError:  # the program is gone for now; the log of its last run has the rest
            self._wait_again(now)

    def _wait_again(self, now: float) -> None:
        self._failures += 1
        self._again = now + pause_before_restart(self._failures)

    def state(self) -> PartState:
        """The part as the command shows it."""
        return PartState(self._process.pid if self._process else None, self.restarts)

    def child(self) -> Child | None:
        """The record by which a later supervisor recognises the process."""
        if self._process is None:
            return None
        return recognise(self.name, self._process.pid, self.stop_signal)


def terminate(process: Process, grace_seconds: float = 20.0) -> None:
    """Ask the process to end, and end it when it does not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(grace_seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
