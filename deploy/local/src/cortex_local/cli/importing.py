"""Importing a history: progress, counts, and what to do next."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TransferSpeedColumn,
)

from cortex_local.backlog import Backlog, measure_patiently
from cortex_local.cli.console import ProjectOption, environment, messages
from cortex_local.cli.previewing import show_preview
from cortex_local.cli.requests import broker_endpoints
from cortex_local.errors import ExitCode
from cortex_local.health import DEFAULT_PROJECT
from cortex_local.importing import ImportProgress, ImportRequest, running_import
from cortex_local.state import Endpoints

POLL_SECONDS: Final = 0.5


def import_history(
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="[SOURCE] PATHS...",
            help="Files, folders and zip archives; before them the source, if it is to be named.",
        ),
    ],
    owner: Annotated[str, typer.Option(help="Whose memory it becomes: an e-mail address.")],
    owner_account: Annotated[
        list[str] | None,
        typer.Option(
            help="Another identifier of the owner, such as account:telegram:12345; may be repeated."
        ),
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    wait: Annotated[bool, typer.Option(help="Wait until memory has taken everything in.")] = True,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Show what would come out, and import nothing.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on with what is added to the files, until Ctrl-C.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --dry-run: every observation as a JSON line.")
    ] = False,
) -> None:
    """Import a history. It can be interrupted and repeated: what is known is not sent again.

    Each file is read by the source that recognises its content; `cortex sources` lists them.

    Example: cortex import ~/.claude/projects --owner you@example.com

    Example: cortex import message notes.jsonl --owner you@example.com --dry-run
    """
    for name in what[1:]:
        if not Path(name).exists():
            raise typer.BadParameter(f"{name!r} does not exist.")
    request = ImportRequest(what, owner, project, owner_account or (), watch)
    if dry_run:
        show_preview(request, as_json=as_json)
        return
    endpoints = broker_endpoints()
    try:
        done = show_import(request, endpoints)
    except KeyboardInterrupt:
        messages.print("Interrupted. Repeat the same command to go on where it stopped.")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    messages.print(summary(done))
    for line in explanations(done):
        messages.print(line, markup=False)
    if wait and done.published:
        try:
            show_backlog(endpoints, project)
        except KeyboardInterrupt:
            messages.print("Memory goes on in the background; `cortex status` shows it runs.")


def show_import(request: ImportRequest, endpoints: Endpoints) -> ImportProgress:
    """Run an import under a progress bar; its last counts. One that watches ends by Ctrl-C."""
    done = ImportProgress()
    started = time.monotonic()
    with (
        _bar(DownloadColumn(), TransferSpeedColumn()) as bar,
        running_import(request, endpoints, environment()) as progress,
    ):
        task = bar.add_task("importing", total=None, note="")
        for done in progress:
            total = max(done.total_bytes, done.read_bytes)
            rate = done.events / max(time.monotonic() - started, 0.001)
            bar.update(
                task, total=total, completed=done.read_bytes, note=f"{counts(done)}, {rate:.0f}/s"
            )
    return done


def explanations(progress: ImportProgress) -> Iterator[str]:
    """What was left out, where and why, and what no parser knows; a line each."""
    for reason, count in _by_number(progress.reasons):
        first, *others = progress.places.get(reason, [""])
        where = f": {first}" if first else ""
        yield f"  {count} x {reason}{where}{' ...' if count > 1 and others else ''}"
    for kind, count in _by_number(progress.unknown_types):
        yield f"  {count} x unknown record type {kind}"


def _by_number(counted: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counted.items(), key=lambda item: (-item[1], item[0]))


def show_backlog(endpoints: Endpoints, project: str, *, with_vectors: bool = False) -> None:
    """Wait under a progress bar until memory has taken in everything that was published."""
    vectors = asyncio.run(_watch_backlog(endpoints, project, with_vectors))
    if vectors:
        messages.print(
            f"Can be asked now; {vectors} texts are found by their words until they have a vector."
        )


def counts(progress: ImportProgress) -> str:
    """The counts of an import in words."""
    return (
        f"{progress.events} events, {progress.known} known, "
        f"{progress.observations} observations, {progress.rejected} rejected"
        + (f", {progress.skipped} skipped" if progress.skipped else "")
        + (f", {progress.erased} forgotten before" if progress.erased else "")
    )


def summary(progress: ImportProgress) -> str:
    """What an import came to."""
    if progress.events == 0:
        return "Nothing to import was found there."
    if progress.published == 0:
        known = "All" if progress.known == progress.events else f"{progress.known} of"
        forgotten = f" ({progress.erased} of them forgotten)" if progress.erased else ""
        skipped = f", {progress.skipped} skipped" if progress.skipped else ""
        return f"{known} {progress.events} events known{forgotten}{skipped}, nothing new."
    return f"Imported: {counts(progress)}."


async def _watch_backlog(endpoints: Endpoints, project: str, with_vectors: bool) -> int:
    """Wait until nothing is left to take in; how many texts still wait for a vector."""

    def left(backlog: Backlog) -> int:
        return backlog.total + (backlog.vectors if with_vectors else 0)

    with _bar() as bar:
        backlog = await measure_patiently(endpoints, project)
        most = left(backlog)
        task = bar.add_task("taking in", total=most, note="")
        while waiting := left(backlog):
            most = max(most, waiting)
            bar.update(task, total=most, completed=most - waiting, note=f"{waiting} left")
            await asyncio.sleep(POLL_SECONDS)
            backlog = await measure_patiently(endpoints, project)
        bar.update(task, completed=most, total=most, note="done")
    return backlog.vectors


def _bar(*columns: ProgressColumn) -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        *columns,
        TextColumn("{task.fields[note]}"),
        console=messages,
    )
