"""Running the lake's import program and reading the progress it writes."""

import os
import signal
import subprocess
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pydantic import BaseModel, ConfigDict, ValidationError

from cortex_local.errors import ExitCode, StackError, WrongUsage
from cortex_local.services import INSIGHT, client_environment, service_command
from cortex_local.state import Endpoints


class ImportProgress(BaseModel):
    """One line of the program's output: the counts so far, `reasons` by how often."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    files: int = 0
    events: int = 0
    known: int = 0
    published: int = 0
    erased: int = 0
    observations: int = 0
    rejected: int = 0
    skipped: int = 0
    reasons: dict[str, int] = {}


@dataclass(frozen=True)
class ImportRequest:
    """What to import, for whom; `accounts` are more identifiers of the owner."""

    source: str
    paths: Sequence[Path]
    owner: str
    project: str
    accounts: Sequence[str] = ()

    def arguments(self) -> list[str]:
        """The command line of the program."""
        return [
            "import",
            self.source,
            *map(str, self.paths),
            f"--owner={self.owner}",
            *(f"--owner-account={account}" for account in self.accounts),
            f"--project={self.project}",
        ]

    def count_files(self) -> int:
        """How many files there are to read."""
        return sum(_count_files(path) for path in self.paths)


@contextmanager
def running_import(
    request: ImportRequest, endpoints: Endpoints, environment: Mapping[str, str]
) -> Generator[Generator[ImportProgress]]:
    """The progress of an import while it runs.

    Leaving early interrupts it, which is safe: repeating it publishes what is missing. Raises
    StackError with what the program says when it fails, WrongUsage when it was asked wrongly.
    """
    command = service_command(INSIGHT, environment, *request.arguments())
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - the service's own program
            command,
            env=client_environment(endpoints, environment),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            start_new_session=True,
        )
        try:
            yield _progress(process, errors)
        finally:
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
            process.communicate()


def _progress(process: subprocess.Popen[bytes], errors: IO[bytes]) -> Generator[ImportProgress]:
    if process.stdout is None:
        raise StackError("The output of the import cannot be read.")
    for line in process.stdout:
        if (progress := parse_progress(line)) is not None:
            yield progress
    if process.wait() != 0:
        errors.seek(0)
        raise _failure(process.returncode, errors.read().decode("utf-8", "replace"))


def _failure(code: int, said: str) -> StackError:
    lines = said.strip().splitlines() or ["The import ended without saying why."]
    message = lines[-1].removeprefix("cortex-insight: ")
    return WrongUsage(message) if code == ExitCode.USAGE else StackError(message)


def parse_progress(line: bytes) -> ImportProgress | None:
    """The progress in a line of output, or None in a line that is something else."""
    try:
        return ImportProgress.model_validate_json(line)
    except ValidationError:
        return None


def _count_files(path: Path) -> int:
    if not path.is_dir():
        return 1
    return sum(len(names) for _, _, names in os.walk(path))
