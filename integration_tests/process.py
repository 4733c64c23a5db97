"""One service as a real process, run from its own environment."""

import os
import signal
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from cortex_local.services import service_command, service_environment
from cortex_local.state import Endpoints
from polling import NotYet, eventually

GRACE_SECONDS: Final = 30.0


class ServiceProcess:
    """One service, run from its own environment; every run appends to the same log."""

    def __init__(
        self, name: str, endpoints: Endpoints, environment: Mapping[str, str], log: Path
    ) -> None:
        self.name = name
        self._environment = environment
        self._endpoints = endpoints
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None

    def environment(self) -> dict[str, str]:
        """What the process sees of its surroundings."""
        return service_environment(self.name, self._endpoints, self._environment)

    def start(self, **settings: str) -> None:
        """Start `serve` with these variables beside the usual ones."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                service_command(self.name, self._environment, "serve"),
                env={**self.environment(), **settings},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
            )

    def run(self, *arguments: str) -> str:
        """Run another command of the service and return what it printed."""
        finished = subprocess.run(
            service_command(self.name, self._environment, *arguments),
            env=self.environment(),
            check=False,
            capture_output=True,
            text=True,
        )
        assert finished.returncode == 0, f"{arguments} failed: {finished.stderr[-2000:]}"
        return finished.stdout

    def is_running(self) -> bool:
        """Whether the process was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """The number of the running process."""
        assert self._process is not None
        return self._process.pid

    def kill(self) -> None:
        """End the process at once."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> int | None:
        """Ask the process to end and return its exit code; None when it never ran."""
        if self._process is None:
            return None
        self._process.terminate()
        try:
            return self._process.wait(GRACE_SECONDS)
        except subprocess.TimeoutExpired as late:
            self.kill()
            raise AssertionError(f"{self.name} ignored SIGTERM; its log:\n{self.log()}") from late

    async def ended(self) -> int:
        """Wait until the process ended by itself; its exit code."""

        async def look() -> int:
            code = None if self._process is None else self._process.poll()
            if code is None:
                raise NotYet(f"it still runs; its log ends with:\n{self.log()}")
            return code

        return await eventually(f"the end of {self.name}", look)

    async def stopped(self) -> None:
        """Wait until the process has stopped itself, as it was told in its environment."""
        assert self._process is not None
        await until_stopped(self._process, self.log)

    def resume(self) -> None:
        """Let the process go on that has stopped itself."""
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def log(self, characters: int = 3000) -> str:
        """The end of what the process wrote."""
        return self._log.read_text("utf-8", "replace")[-characters:] if self._log.exists() else ""


async def until_stopped(process: subprocess.Popen[Any], log: Callable[[], str]) -> None:
    """Wait until a process has stopped itself; each stop is seen once."""

    async def look() -> None:
        code = process.poll()
        assert code is None, f"it ended with {code}:\n{log()}"
        if not _has_stopped(process.pid):
            raise NotYet(f"it still runs:\n{log()}")

    await eventually("a process that stops itself", look)


def _has_stopped(pid: int) -> bool:
    return os.waitid(os.P_PID, pid, os.WSTOPPED | os.WNOHANG) is not None
