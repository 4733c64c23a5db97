"""What the services refused or failed at: listed, explained, tried again."""

import json
from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, UpkeepClient
from roxabi_contracts.upkeep import DeadLetterRecord, DeadLettersReply, DeadLettersRequest

from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.requests import as_operator, build
from cortex_local.errors import StackError
from cortex_local.health import DEFAULT_PROJECT

app = typer.Typer(
    help=(
        "Look after what insight or memory refused, and what memory failed to retain.\n\n"
        "Nothing that comes in is thrown away: what cannot be read is kept with its reason, and "
        "can be read again once the reason is gone, for example after an upgrade.\n\n"
        "See them: cortex dead-letters list\n\n"
        "Again:    cortex dead-letters retry --all"
    ),
    no_args_is_help=True,
)


class Service(StrEnum):
    """Who refused it."""

    INSIGHT = "insight"
    MEMORY = "memory"


ServiceOption = Annotated[
    Service | None, typer.Option("--service", "-s", help="Only this service; else both.")
]
UnassignedOption = Annotated[
    bool, typer.Option("--unassigned", help="Messages that do not say their project.")
]
LetterArgument = Annotated[str, typer.Argument(help="The id that `list` shows.")]

Replies = Mapping[Service, DeadLettersReply]


@app.command("list")
def list_letters(
    service: ServiceOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    unassigned: UnassignedOption = False,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="At most this many each.")] = 100,
    as_json: JsonOption = False,
) -> None:
    """List what was refused or failed, the newest first.

    Example: cortex dead-letters list --service memory
    """
    request = build(DeadLettersRequest, project=_project(project, unassigned), limit=limit)
    replies = _ask(request, service)
    if as_json:
        _print_json(replies)
        return
    if not any(reply.letters for reply in replies.values()):
        messages.print("There are no dead letters.")
        return
    for name, reply in replies.items():
        for letter in reply.letters:
            answers.print(_letter_lines(name, letter))
        if reply.truncated:
            messages.print(f"Only the newest {len(reply.letters)} of {name} are shown.")


@app.command()
def show(
    letter_id: LetterArgument,
    service: ServiceOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    unassigned: UnassignedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Show all that is known of one.

    Example: cortex dead-letters show 01J...
    """
    request = build(DeadLettersRequest, project=_project(project, unassigned), id=letter_id)
    replies = _ask(request, service)
    if as_json:
        _print_json(replies)
        return
    for name, reply in replies.items():
        for letter in reply.letters:
            answers.print(_letter_view(name, letter))
    if not any(reply.letters for reply in replies.values()):
        raise StackError(f"There is no dead letter {letter_id}.", "See `cortex dead-letters list`.")


@app.command()
def retry(
    letter_id: Annotated[str | None, typer.Argument(help="The id that `list` shows.")] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Everything of the project, up to 1000 of each service.")
    ] = False,
    service: ServiceOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    unassigned: UnassignedOption = False,
    as_json: JsonOption = False,
) -> None:
    """Try one again, or all: today's parsers read it, and failed jobs wait again.

    Example: cortex dead-letters retry --all --service insight
    """
    if (letter_id is None) is not everything:
        raise typer.BadParameter("Name one dead letter, or give --all.")
    request = build(
        DeadLettersRequest,
        project=_project(project, unassigned),
        id=letter_id,
        retry=True,
        limit=1000,
    )
    replies = _ask(request, service)
    if as_json:
        _print_json(replies)
        return
    for name, reply in replies.items():
        more = " or more" if reply.truncated else ""
        messages.print(f"{name}: {reply.retried} taken, {len(reply.letters)}{more} left.")


def _project(project: str, unassigned: bool) -> str:
    return subjects.UNASSIGNED if unassigned else project


def _ask(request: DeadLettersRequest, service: Service | None) -> Replies:
    async def ask(connection: Connection) -> Replies:
        client = UpkeepClient(connection)
        asking = {
            Service.INSIGHT: client.insight_dead_letters,
            Service.MEMORY: client.memory_dead_letters,
        }
        return {
            name: await answer(request)
            for name, answer in asking.items()
            if service is None or name is service
        }

    return as_operator(ask)


def _letter_lines(service: Service, letter: DeadLetterRecord) -> Text:
    """The id in full, to be copied, and why it is one."""
    received = f"{letter.received_at:%Y-%m-%d %H:%M}"
    tries = "once" if letter.attempts == 1 else f"{letter.attempts} times"
    source = "" if letter.source is None else f" of {letter.source}"
    return Text.assemble(
        (letter.id, "bold"),
        f"  {service}{source}, {received}, tried {tries}\n",
        f"  {letter.code}: {letter.reason}",
    )


def _letter_view(service: Service, letter: DeadLetterRecord) -> Table:
    table = Table("dead letter", letter.id, box=None, pad_edge=False)
    table.add_row("service", service)
    for name, value in letter.model_dump(mode="json", exclude={"id"}).items():
        table.add_row(name.replace("_", " "), Text("-" if value is None else str(value)))
    return table


def _print_json(replies: Replies) -> None:
    shown = {name: reply.model_dump(mode="json") for name, reply in replies.items()}
    answers.print_json(json.dumps(shown))
