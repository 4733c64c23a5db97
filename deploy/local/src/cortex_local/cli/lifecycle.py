"""Starting and stopping the stack, and seeing how it stands."""

import asyncio
import json
import os
import shutil
import subprocess
from collections import deque
from dataclasses import asdict
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text
from roxabi_contracts.errors import ContractError

from cortex_local import control
from cortex_local.backlog import measure_backlog
from cortex_local.cli.console import (
    JsonOption,
    ProjectOption,
    answers,
    environment,
    folder,
    messages,
    steps,
)
from cortex_local.errors import ExitCode, StackError, StackNotRunning
from cortex_local.health import DEFAULT_PROJECT, Figures, ask_services, wait_for_services
from cortex_local.layout import StackLayout, find_layout
from cortex_local.locks import is_held
from cortex_local.services import SERVICES
from cortex_local.state import Endpoints, Phase, StackState, read_endpoints, read_state
from cortex_local.supervisor import supervise

ANSWER_SECONDS = 60.0
LOGS = ("postgres", "nats", *SERVICES, "supervisor")


def up() -> None:
    """Start the stack in the background: Postgres, the broker, insight and memory.

    A stack that runs already is shared. Everything lives in one folder:
    CORTEX_HOME, else ~/.local/state/cortex.

    CORTEX_POSTGRES_URL, and CORTEX_NATS_URL with CORTEX_NATS_SEED_DIR, use
    servers of your own.

    Example: cortex up && cortex status
    """
    with steps() as progress:
        started = control.start_stack(folder(), environment(), progress)
        layout = control.running_stack(folder())
        progress("waiting for the services to answer")
        asyncio.run(wait_for_services(layout, read_endpoints(layout), ANSWER_SECONDS))
    messages.print("Cortex is up." if started else "Cortex was up already.")
    messages.print(f"  Folder: {layout.folder}")
    messages.print("  Next:   cortex import ~/.claude/projects --owner you@example.com")


def down() -> None:
    """Stop the stack cleanly. What was stored stays; `cortex up` goes on from there.

    Example: cortex down
    """
    with steps() as progress:
        stopped = control.stop_stack(folder(), progress)
    messages.print("Cortex is down." if stopped else "Cortex was not up.")


def status(project: ProjectOption = DEFAULT_PROJECT, as_json: JsonOption = False) -> None:
    """Show the parts of the stack, and what waits in the queues of a project.

    Exit code 3: it does not run; 4: a part of it is down.

    Example: cortex status --json
    """
    layout = find_layout(folder())
    state = read_state(layout) if layout and is_held(layout.supervisor_lock) else None
    if as_json:
        answers.print_json(json.dumps(_status_object(layout, state, project)))
    elif layout is None or state is None:
        raise StackNotRunning(f"No stack runs in {folder()}.", "Start it with `cortex up`.")
    else:
        _print_status(layout, state, project)
    raise typer.Exit(_status_code(state))


def logs(
    service: Annotated[str, typer.Argument(help=f"One of: {', '.join(LOGS)}.")],
    lines: Annotated[int, typer.Option("--lines", "-n", min=1, help="How many lines.")] = 50,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as it grows.")] = False,
) -> None:
    """Show the end of a log.

    Example: cortex logs memory --follow
    """
    if service not in LOGS:
        raise typer.BadParameter(f"{service} has no log; choose one of {', '.join(LOGS)}.")
    layout = find_layout(folder())
    path = layout.log(service) if layout else None
    if path is None or not path.is_file():
        raise StackError(f"There is no log of {service} yet.", "Start the stack with `cortex up`.")
    if follow and (tail := shutil.which("tail")):
        try:
            subprocess.run([tail, "-n", str(lines), "-f", str(path)], check=False)  # noqa: S603 - a system tool on our own file
        except KeyboardInterrupt:
            raise typer.Exit(ExitCode.OK) from None
        return
    with path.open(encoding="utf-8", errors="replace") as stream:
        answers.out("".join(deque(stream, maxlen=lines)), end="", highlight=False)


def supervise_stack() -> None:
    """Be the background process of `cortex up`: in a session of its own, below the root folder."""
    if os.getpgrp() != os.getpid():
        os.setsid()
    os.chdir("/")
    raise typer.Exit(supervise(folder(), environment()))


def _status_object(
    layout: StackLayout | None, state: StackState | None, project: str
) -> dict[str, object]:
    if layout is None or state is None:
        return {"folder": str(folder()), "running": False}
    endpoints = read_endpoints(layout) if state.phase is Phase.READY else None
    return {
        "folder": str(layout.folder),
        "running": True,
        "phase": state.phase,
        "broker": endpoints.broker if endpoints else None,
        "seeds": str(endpoints.seeds) if endpoints else None,
        "parts": {name: asdict(part) for name, part in state.parts.items()},
        "queues": _queues_object(endpoints, project) if endpoints else None,
    }


def _queues_object(endpoints: Endpoints, project: str) -> dict[str, object]:
    """The queues of each service, or why there is no answer."""
    figures = asyncio.run(ask_services(endpoints, project))
    return {
        service: answer
        if isinstance(answer, str)
        else [queue.model_dump(mode="json") for queue in answer.queues]
        for service, answer in figures.items()
    }


def _print_status(layout: StackLayout, state: StackState, project: str) -> None:
    table = Table("part", "state", "pid", "restarts", box=None, pad_edge=False)
    for name, part in state.parts.items():
        shown = "[green]up[/]" if part.pid else "[red]down[/]"
        table.add_row(name, shown, str(part.pid or "-"), str(part.restarts))
    answers.print(table)
    answers.print(f"\nphase   {state.phase}\nfolder  {layout.folder}")
    if state.phase is Phase.READY:
        endpoints = read_endpoints(layout)
        answers.print(f"broker  {endpoints.broker}\nkeys    {endpoints.seeds}")
        answers.print(f"waiting {_waiting(endpoints, project)}\n")
        answers.print(_queues_view(asyncio.run(ask_services(endpoints, project))))


def _queues_view(figures: Figures) -> Table:
    """One line for each queue of each service."""
    table = Table("service", "queue", "waiting", "oldest", "failed", box=None, pad_edge=False)
    for service, answer in figures.items():
        if isinstance(answer, str):
            table.add_row(service, Text(f"unknown: {answer}"))
            continue
        for queue in answer.queues:
            age = queue.oldest_seconds
            table.add_row(
                *(service, queue.name, _figure(queue.waiting)),
                *("-" if age is None else f"{age:.0f} s", _figure(queue.failed)),
            )
    return table


def _figure(count: int | None) -> str:
    return "-" if count is None else str(count)


def _waiting(endpoints: Endpoints, project: str) -> str:
    try:
        backlog = asyncio.run(measure_backlog(endpoints, project))
    except (StackError, ContractError) as error:
        return f"unknown: {error}"
    return str(backlog.total)


def _status_code(state: StackState | None) -> ExitCode:
    if state is None:
        return ExitCode.NOT_RUNNING
    healthy = state.phase is Phase.READY and all(part.pid for part in state.parts.values())
    return ExitCode.OK if healthy else ExitCode.UNHEALTHY
