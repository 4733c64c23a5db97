"""Conflicts: which values contradict each other, and settling which of them holds."""

from typing import Annotated

import typer
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.decisions import (
    ConflictRecord,
    ConflictsReply,
    ConflictsRequest,
    DecisionReply,
)
from roxabi_contracts.operations import DecisionAction

from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.deciding import (
    AtOption,
    ByOption,
    ReasonOption,
    Ruling,
    only_match,
    show_decision,
)
from cortex_local.cli.rendering import conflicts_view, fact_rows
from cortex_local.cli.requests import as_operator, build
from cortex_local.errors import StackError
from cortex_local.health import DEFAULT_PROJECT

MOST_CONFLICTS = 2000

ConflictArgument = Annotated[str, typer.Argument(help="The id of the conflict, or its beginning.")]

app = typer.Typer(
    help=(
        "See which facts contradict each other, and settle which of them holds.\n\n"
        "None of them is served until then; agents are told of the conflict instead.\n\n"
        "See them: cortex conflicts list\n\n"
        "Settle:   cortex conflicts resolve 3f2a91bc --keep 9c0d12ab"
    ),
    no_args_is_help=True,
)


@app.command("list")
def list_conflicts(
    subject: Annotated[
        str | None, typer.Option("--subject", "-s", help="Only in this one's memory.")
    ] = None,
    settled: Annotated[
        bool, typer.Option("--settled", help="Also those that are settled.")
    ] = False,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """List the conflicts, the oldest first.

    Example: cortex conflicts list --subject you@example.com
    """
    request = build(ConflictsRequest, project=project, subject=subject, settled=settled)
    reply = as_operator(lambda connection: MemoryClient(connection).conflicts(request))
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif not reply.conflicts:
        messages.print("Nothing contradicts itself.")
    else:
        answers.print(conflicts_view(reply.conflicts))
        if reply.truncated:
            messages.print(f"Only the first {len(reply.conflicts)} are shown.")


@app.command()
def show(
    conflict: ConflictArgument,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Show every fact of a conflict, settled or not.

    Example: cortex conflicts show 3f2a91bc
    """
    found = as_operator(lambda connection: _find(MemoryClient(connection), project, conflict))
    if as_json:
        answers.print_json(found.model_dump_json())
        return
    answers.print(fact_rows(found.members))
    if found.settled_at is None:
        messages.print(f"Settle it: cortex conflicts resolve {conflict} --keep FACT")
    else:
        messages.print(f"Settled on {found.settled_at.date().isoformat()}.")


@app.command()
def resolve(
    conflict: ConflictArgument,
    keep: Annotated[str, typer.Option(help="The fact that holds: its id, or its beginning.")],
    lose: Annotated[
        list[str] | None,
        typer.Option(help="A fact that does not; may be repeated. By default all the others."),
    ] = None,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Settle a conflict: one fact holds from now on, the others are superseded.

    Example: cortex conflicts resolve 3f2a91bc --keep 9c0d12ab --reason "she told me"
    """
    ruling = Ruling(project, by, reason, at)

    async def send(connection: Connection) -> DecisionReply:
        memory = MemoryClient(connection)
        found = await _find(memory, project, conflict)
        members = [member.id for member in found.members]
        kept, *lost = (only_match(given, members) for given in (keep, *(lose or ())))
        request = ruling.request(DecisionAction.RESOLVE, found.subject, kept, lost)
        return await memory.decide(request)

    show_decision(as_operator(send), as_json=as_json)


async def _find(memory: MemoryClient, project: str, given: str) -> ConflictRecord:
    request = build(ConflictsRequest, project=project, settled=True, limit=MOST_CONFLICTS)
    reply: ConflictsReply = await memory.conflicts(request)
    known = {conflict.id: conflict for conflict in reply.conflicts}
    identity = only_match(given, known)
    if identity not in known:
        raise StackError(f"There is no conflict {given!r}.", "See `cortex conflicts list`.")
    return known[identity]
