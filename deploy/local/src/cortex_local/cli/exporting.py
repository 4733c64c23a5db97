"""Taking along what the journal holds of somebody."""

import json
import sys
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from roxabi_contracts.client import Connection, UpkeepClient
from roxabi_contracts.upkeep import ExportPage, ExportRequest

from cortex_local.cli.console import ProjectOption, messages, steps
from cortex_local.cli.requests import as_operator, build
from cortex_local.errors import StackError
from cortex_local.files import PRIVATE_FILE
from cortex_local.health import DEFAULT_PROJECT


def export(
    subject: Annotated[str, typer.Argument(help="An e-mail address or scheme:value.")],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file to write; else stdout.")
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
) -> None:
    """Write all that memory's journal holds of somebody, one JSON object a line.

    The field `set` says what a line is: project (with the key of its digests: keep the file as
    secret as the memory), observation, candidate, predicate_verdict, identity_link, decision,
    erasure. Everything memory knows follows from these.

    Example: cortex export you@example.com --output memory.jsonl
    """
    request = build(ExportRequest, project=project, subject=subject)
    with steps() as progress:

        async def write(connection: Connection) -> int:
            written = 0
            with _opened(output) as file:
                async for page in _pages(connection, request):
                    for record in page.records:
                        line = json.dumps(record, ensure_ascii=False, sort_keys=True)
                        file.write(line.encode() + b"\n")
                    written += len(page.records)
                    progress(f"exported {written} of {page.total} records")
            return written

        written = as_operator(write)
    messages.print(f"Exported {written} records" + (f" to {output}." if output else "."))


def _pages(connection: Connection, request: ExportRequest) -> AsyncIterator[ExportPage]:
    return UpkeepClient(connection).export(request)


@contextmanager
def _opened(output: Path | None) -> Generator[BinaryIO]:
    """Stdout, or the file: readable by its owner alone, and there only once it is complete."""
    if output is None:
        yield sys.stdout.buffer
        sys.stdout.flush()
        return
    partial = output.with_name(f"{output.name}.partial")
    file = _created(partial)
    try:
        with file:
            yield file
        partial.replace(output)
    finally:
        partial.unlink(missing_ok=True)


def _created(path: Path) -> BinaryIO:
    """A new file for its owner alone, whatever the one that was there let others do."""
    try:
        path.unlink(missing_ok=True)
        path.touch(mode=PRIVATE_FILE, exist_ok=False)
        return path.open("wb")
    except OSError as error:
        raise StackError(
            f"{path} cannot be written: {error.strerror}.", "Name another file with --output."
        ) from error
