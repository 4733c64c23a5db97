"""Importing a history: progress, counts, and what to do next."""

import asyncio
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn

from cortex_local import control
from cortex_local.backlog import Backlog, measure_patiently
from cortex_local.cli.console import ProjectOption, environment, folder, messages
from cortex_local.errors import ExitCode
from cortex_local.health import DEFAULT_PROJECT
from cortex_local.importing import ImportProgress, ImportRequest, running_import
from cortex_local.state import Endpoints, read_endpoints

POLL_SECONDS: Final = 0.5


def import_history(
    source: Annotated[
        str, typer.Argument(help="What it is: claude-code-jsonl, or message for JSON messages.")
    ],
    paths: Annotated[list[Path], typer.Argument(help="Files or folders.", exists=True)],
    owner: Annotated[str, typer.Option(help="Whose memory it becomes: an e-mail address.")],
    owner_account: Annotated[
        list[str] | None,
        typer.Option(help="Another identifier of the owner, as scheme:value; may be repeated."),
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    wait: Annotated[bool, typer.Option(help="Wait until memory has taken everything in.")] = True,
) -> None:
    """Import a history. It can be interrupted and repeated: what is known is not sent again.

    Example: cortex import claude-code-jsonl ~/.claude/projects --owner you@example.com
    """
    endpoints = read_endpoints(control.running_stack(folder()))
    request = ImportRequest(source, paths, owner, project, owner_account or ())
    try:
        done = show_import(request, endpoints)
    except KeyboardInterrupt:
        messages.print("Interrupted. Repeat the same command to go on where it stopped.")
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    messages.print(summary(done))
    for reason, count in sorted(done.reasons.items(), key=lambda item: (-item[1], item[0])):
        messages.print(f"  {count} x {reason}", markup=False)
    if wait and done.published:
        try:
            show_backlog(endpoints, project)
        except KeyboardInterrupt:
            messages.print("Memory goes on in the background; `cortex status` shows it runs.")


def show_import(request: ImportRequest, endpoints: Endpoints) -> ImportProgress:
    """Run an import under a progress bar; its last counts."""
    done = ImportProgress()
    with (
        _bar() as bar,
        running_import(request, endpoints, environment()) as progress,
    ):
        task = bar.add_task("importing", total=request.count_files(), note="")
        for done in progress:
            bar.update(task, completed=done.files, note=counts(done))
    return done


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


def _bar() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        console=messages,
    )
