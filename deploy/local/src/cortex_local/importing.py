"""Running the lake's import program and reading the progress it writes."""

import signal
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from cortex_local.errors import ExitCode, StackError, WrongUsage
from cortex_local.services import INSIGHT, client_environment, service_command
from cortex_local.state import Endpoints

INTERRUPT_SECONDS: Final = 5.0
"""How long the program may take to end, each time it is told to."""


class ImportProgress(BaseModel):
    """One line of the program's output: the counts so far.

    `reasons` says how often each, `places` where it was first.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    files: int = 0
    events: int = 0
    known: int = 0
    published: int = 0
    erased: int = 0
    observations: int = 0
    rejected: int = 0
    skipped: int = 0
    read_bytes: int = 0
    total_bytes: int = 0
    sources: dict[str, int] = {}
    reasons: dict[str, int] = {}
    places: dict[str, list[str]] = {}
    unknown_types: dict[str, int] = {}


@dataclass(frozen=True)
class ImportRequest:
    """What to import, for whom.

    Args:
        what: A source, if it is named, then paths.
        owner: Whose memory it becomes.
        project: The tenant.
        accounts: More identifiers of the owner.
        watch: Go on with what is added to the files.
    """

    what: Sequence[str]
    owner: str
    project: str
    accounts: Sequence[str] = ()
    watch: bool = False

    def arguments(self, command: str = "import") -> list[str]:
        """The command line of the program, which may also `parse` without importing."""
        return [
            command,
            *self.what,
            f"--owner={self.owner}",
            *(f"--owner-account={account}" for account in self.accounts),
            f"--project={self.project}",
            *(["--watch"] if self.watch else []),
        ]


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
            _interrupt(process)


def _interrupt(process: subprocess.Popen[bytes]) -> None:
    """End the program, if it runs: where a shell started all this in its background, programs
    hear no interrupt.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        if process.poll() is None:
            process.send_signal(number)
        try:
            process.communicate(timeout=INTERRUPT_SECONDS)
        except subprocess.TimeoutExpired:
            continue
        return
    process.kill()
    process.communicate()


class KnownSource(BaseModel):
    """A source that the lake's program can read."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    source: str
    title: str
    version: int


def known_sources(environment: Mapping[str, str]) -> list[KnownSource]:
    """The sources that can be read, by name. Raises StackError as `running_import`."""
    lines = _lines(service_command(INSIGHT, environment, "sources"), environment)
    return [KnownSource.model_validate_json(line) for line in lines]


def parsed_lines(request: ImportRequest, environment: Mapping[str, str]) -> Iterator[str]:
    """What the files say, as JSON lines. Raises StackError as `running_import`."""
    return _lines(service_command(INSIGHT, environment, *request.arguments("parse")), environment)


def _lines(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[str]:
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(  # noqa: S603 - the service's own program
            command, env=dict(environment), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=errors,
        )  # fmt: skip
        with process:
            for line in process.stdout or ():
                yield line.decode().rstrip("\n")
        if process.returncode != 0:
            raise _said(process.returncode, errors)


def _progress(process: subprocess.Popen[bytes], errors: IO[bytes]) -> Generator[ImportProgress]:
    if process.stdout is None:
        raise StackError("The output of the import cannot be read.")
    for line in process.stdout:
        if (progress := parse_progress(line)) is not None:
            yield progress
    if process.wait() != 0:
        raise _said(process.returncode, errors)


def _said(code: int, errors: IO[bytes]) -> StackError:
    errors.seek(0)
    lines = errors.read().decode("utf-8", "replace").strip().splitlines() or [
        "The program of insight ended without saying why."
    ]
    message = lines[-1].removeprefix("cortex-insight: ")
    return WrongUsage(message) if code == ExitCode.USAGE else StackError(message)


def parse_progress(line: bytes) -> ImportProgress | None:
    """The progress in a line of output, or None in a line that is something else."""
    try:
        return ImportProgress.model_validate_json(line)
    except ValidationError:
        return None
