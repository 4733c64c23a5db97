"""The command that imports files, as an operator runs it."""

import json
import signal
import subprocess
from pathlib import Path

from cortex_local.services import INSIGHT, client_environment, service_command
from cortex_local.state import Endpoints
from samples import MESSAGE, OWNER, PROJECT


class Import:
    """A run of the import command, as the operator starts it."""

    def __init__(
        self,
        endpoints: Endpoints,
        environment: dict[str, str],
        path: Path,
        *,
        project: str = PROJECT,
        source: str | None = MESSAGE,
        owner: str = OWNER,
        watch: bool = False,
    ) -> None:
        self._process = subprocess.Popen(
            service_command(
                INSIGHT,
                environment,
                "import",
                *([source] if source else []),
                str(path),
                "--owner",
                owner,
                "--project",
                project,
                *(["--watch"] if watch else []),
            ),
            env=client_environment(endpoints, environment),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def interrupt_after_first_progress(self) -> dict[str, int]:
        """Interrupt it as soon as it reports; what it reported last."""
        assert self._process.stdout is not None
        first = self._process.stdout.readline()
        self._process.send_signal(signal.SIGINT)
        return self._last_report(first)

    def interrupted(self) -> dict[str, int]:
        """Interrupt it; what it reported last."""
        self._process.send_signal(signal.SIGINT)
        return self._last_report("")

    def finished(self) -> dict[str, int]:
        """Wait for its end; what it reported last."""
        report = self._last_report("")
        assert self._process.returncode == 0
        return report

    def complaint(self) -> str:
        """Wait for its failure; what it says of it."""
        _, complained = self._process.communicate()
        assert self._process.returncode not in (None, 0)
        return complained

    def _last_report(self, read: str) -> dict[str, int]:
        printed, complained = self._process.communicate()
        lines = (read + printed).splitlines()
        assert lines, complained
        report: dict[str, int] = json.loads(lines[-1])
        return report
