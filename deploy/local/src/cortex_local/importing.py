"""Running the lake's import program and reading the progress it writes."""

import signal
import subprocess
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from pydantic import BaseModel, ConfigDict, ValidationError

from cortex_local.errors import StackError
from cortex_local.services import INSIGHT, client_environment, service_command
from cortex_local.state import Endpoints


class ImportProgress(BaseModel):
    """One line of the program's output: counts so far; `total` is None until it is known."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    total: int | None = None
    events: int = 0
    known: int = 0
    observations: int = 0
    rejected: int = 0


@dataclass(frozen=True)
class ImportRequest:
    """What to import, for whom."""

    source: str
    paths: Sequence[Path]
    owner: str
    project: str


@contextmanager
def running_import(
    request: ImportRequest, endpoints: Endpoints, environment: Mapping[str, str]
) -> Generator[Generator[ImportProgress]]:
    """The progress of an import while it runs.

    Leaving early interrupts it, which is safe: repeating it publishes what is missing. Raises
    StackError with what the program says when it fails.
    """
    command = service_command(
        INSIGHT,
        environment,
        "import",
        request.source,
        *(str(path) for path in request.paths),
        "--owner",
        request.owner,
        "--project",
        request.project,
    )
    process = subprocess.Popen(  # noqa: S603 - the service's own program
        command,
        env=client_environment(endpoints, environment),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield _progress(process)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate()


def _progress(process: subprocess.Popen[bytes]) -> Generator[ImportProgress]:
    for line in _opened(process.stdout):
        if (progress := parse_progress(line)) is not None:
            yield progress
    said = _opened(process.stderr).read().decode("utf-8", "replace").strip().splitlines()
    if process.wait() != 0:
        raise StackError(said[-1] if said else "The import ended without saying why.")


def parse_progress(line: bytes) -> ImportProgress | None:
    """The progress in a line of output, or None in a line that is something else."""
    try:
        return ImportProgress.model_validate_json(line)
    except ValidationError:
        return None


def _opened(stream: IO[bytes] | None) -> IO[bytes]:
    if stream is None:
        raise StackError("The output of the import cannot be read.")
    return stream
