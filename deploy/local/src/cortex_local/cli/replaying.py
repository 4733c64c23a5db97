"""Having the lake read a source again with today's parsers, and what that changed."""

import json
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.table import Table
from rich.text import Text
from roxabi_contracts.client import Connection, UpkeepClient
from roxabi_contracts.errors import ContractError
from roxabi_contracts.upkeep import (
    ReplayChange,
    ReplayChangeKind,
    ReplayCounts,
    ReplayPage,
    ReplayRequest,
)

from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.importing import show_backlog
from cortex_local.cli.requests import as_operator, broker_endpoints, build, moment
from cortex_local.errors import ExitCode, StackError
from cortex_local.health import DEFAULT_PROJECT

_MEANING = {
    "events": "events read",
    "kept": "  kept as later versions read them",
    "readable_now": "  refused before, and readable now",
    "unreadable": "  not readable: see `cortex dead-letters list`",
    "made": "observations made",
    "changed": "  changed: they supersede what was said",
    "withdrawn": "  withdrawn: no parser says them any more",
    "unchanged": "  unchanged",
}


@dataclass
class Replayed:
    """What a replay came to so far."""

    counts: ReplayCounts = field(default_factory=ReplayCounts)
    changes: list[ReplayChange] = field(default_factory=list[ReplayChange])
    passed: int = 0
    total: int | None = None
    cursor: str | None = None

    @property
    def changed_records(self) -> int:
        """How many records are read in another way than before."""
        return self.counts.made + self.counts.changed + self.counts.withdrawn

    def add(self, page: ReplayPage) -> None:
        """Count a page in."""
        names = ReplayCounts.model_fields
        self.counts = ReplayCounts(
            **{name: getattr(self.counts, name) + getattr(page.counts, name) for name in names}
        )
        self.changes += page.changes
        self.passed += page.passed
        self.total = page.total if page.total is not None else self.total
        self.cursor = page.cursor


def replay(
    source: Annotated[str, typer.Argument(help="The source, for example claude-code-jsonl.")],
    since: Annotated[
        str | None, typer.Option(help="Only what reached the lake then or later, in ISO 8601.")
    ] = None,
    after: Annotated[
        str | None, typer.Option(help="Go on where an interrupted replay says that it stopped.")
    ] = None,
    changes: Annotated[bool, typer.Option("--changes", help="List every change.")] = False,
    project: ProjectOption = DEFAULT_PROJECT,
    wait: Annotated[bool, typer.Option(help="Wait until memory has taken everything in.")] = True,
    as_json: JsonOption = False,
) -> None:
    """Read a source of the lake again, after an upgrade of its parser.

    What today's parsers say supersedes what earlier ones said, in memory, too; what they do not
    say any more is withdrawn. Nothing that was forgotten comes back. It can be interrupted and
    repeated: what is read as before changes nothing.

    Example: cortex replay claude-code-jsonl --since 2026-03-01
    """
    request = build(
        ReplayRequest,
        project=project,
        source=source,
        since=None if since is None else moment(since),
        cursor=after,
    )
    done = Replayed(cursor=after)
    _run(request, done)
    if done.total == 0:
        raise StackError(
            f"The lake has no such events of {source} in {project}.", "See `cortex import --help`."
        )
    if as_json:
        answers.print_json(json.dumps(_as_json(done)))
    else:
        _show(done, list_changes=changes)
    if wait and done.changed_records:
        show_backlog(broker_endpoints(), project)


def _run(request: ReplayRequest, done: Replayed) -> None:
    """Replay to the end; wherever it stops before, say how to go on."""
    try:
        as_operator(lambda connection: _replay(connection, request, done))
    except KeyboardInterrupt:
        _say_where_it_stopped(request, done)
        raise typer.Exit(ExitCode.INTERRUPTED) from None
    except ContractError:
        _say_where_it_stopped(request, done)
        raise


async def _replay(connection: Connection, request: ReplayRequest, done: Replayed) -> None:
    with _bar() as bar:
        task = bar.add_task("reading again", total=None, note="")
        async for page in UpkeepClient(connection).replay(request):
            done.add(page)
            note = f"{done.passed} events, {done.counts.changed} changed"
            bar.update(task, completed=done.passed, total=done.total, note=note)


def _bar() -> Progress:
    return Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[note]}"),
        console=messages,
    )


def _say_where_it_stopped(request: ReplayRequest, done: Replayed) -> None:
    messages.print(f"Stopped after {done.passed} events; these are done.")
    if done.cursor is not None:
        command = ["cortex replay", request.source, "--project", request.project]
        since = [] if request.since is None else ["--since", request.since.isoformat()]
        messages.print("Go on with:", *command, *since, "--after", done.cursor, markup=False)


def _as_json(done: Replayed) -> dict[str, object]:
    changes = [change.model_dump(mode="json") for change in done.changes]
    return {**done.counts.model_dump(), "changes": changes}


def _show(done: Replayed, *, list_changes: bool) -> None:
    if list_changes:
        for change in done.changes:
            answers.print(_line(change))
        if len(done.changes) < done.changed_records:
            messages.print(f"Only {len(done.changes)} of {done.changed_records} are listed.")
    answers.print(_table(done.counts))


def _line(change: ReplayChange) -> Text:
    ids = {
        ReplayChangeKind.MADE: change.after,
        ReplayChangeKind.CHANGED: f"{change.before} -> {change.after}",
        ReplayChangeKind.WITHDRAWN: change.before,
    }
    return Text.assemble(
        (f"{change.kind:<9}", "bold"), f"  {change.source_ref}  {ids[change.kind]}"
    )


def _table(counts: ReplayCounts) -> Table:
    table = Table("replay", "count", box=None, pad_edge=False)
    for name, meaning in _MEANING.items():
        table.add_row(meaning, str(getattr(counts, name)))
    return table
