"""Predicates: which names are in use, which of them are one, and saying so yourself."""

import getpass
from typing import Annotated

import typer
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.names import PredicatesReply, PredicatesRequest, VerdictReply, VerdictRequest
from roxabi_contracts.operations import StatsRequest

from cortex_local.cli.clock import now
from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.deciding import AtOption, ByOption
from cortex_local.cli.rendering import predicates_view, verdicts_view
from cortex_local.cli.requests import as_operator, build, moment
from cortex_local.health import DEFAULT_PROJECT

FirstArgument = Annotated[str, typer.Argument(help="A name, such as favourite_tea.")]
SecondArgument = Annotated[str, typer.Argument(help="The other name.")]
ReasonOption = Annotated[
    str | None, typer.Option("--reason", help="Why; shown by cortex predicates pairs NAME.")
]

app = typer.Typer(
    help=(
        "See under which names facts are kept, and say which names mean the same.\n\n"
        "Names join by the catalogue, by their words, by a measured model, or by your word, which "
        "stands over all. What joins shares one place: a new value replaces the old one there.\n\n"
        "See them: cortex predicates list\n\n"
        "Why two are (not) one: cortex predicates pairs favourite_tea\n\n"
        "Join:  cortex predicates link favourite_tea tea_of_choice"
    ),
    no_args_is_help=True,
)


@app.command("list")
def list_predicates(
    name: Annotated[
        str | None, typer.Argument(help="Only this one and what was judged with it.")
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """List the predicates in use or of your own, and who has their names in the catalogue.

    From: shipped, installation (your file, for all projects), project (your file, for this one).

    Example: cortex predicates list
    """
    reply = _ask(build(PredicatesRequest, project=project, name=name))
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif not reply.predicates:
        messages.print("Nothing is said yet." if name is None else f"Nothing is said as {name}.")
    else:
        answers.print(predicates_view(reply.predicates))
        _say_if_cut(reply)
    _say_if_changed(project)


@app.command()
def pairs(
    name: Annotated[
        str | None,
        typer.Argument(help="How this name stands to all others; else what was ever decided."),
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Show which names were judged to be one or two, by whom and why.

    Example: cortex predicates pairs favourite_tea
    """
    reply = _ask(build(PredicatesRequest, project=project, name=name))
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif not reply.verdicts:
        messages.print("No two names were judged.")
    else:
        answers.print(verdicts_view(reply.verdicts))
        _say_if_cut(reply)


@app.command()
def link(
    first: FirstArgument,
    second: SecondArgument,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Say that two names mean the same; their facts come together.

    Example: cortex predicates link favourite_tea tea_of_choice

    Take it back: cortex predicates unlink favourite_tea tea_of_choice
    """
    request = _request(project, first, second, same=True, by=by, reason=reason, at=at)
    reply = as_operator(lambda connection: MemoryClient(connection).judge(request))
    _show(reply, same=True, as_json=as_json)


@app.command()
def unlink(
    first: FirstArgument,
    second: SecondArgument,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Say that two names mean different things; their facts part as if never joined.

    Example: cortex predicates unlink favourite_tea tea_of_choice --reason "one is the cup"
    """
    request = _request(project, first, second, same=False, by=by, reason=reason, at=at)
    reply = as_operator(lambda connection: MemoryClient(connection).judge(request))
    _show(reply, same=False, as_json=as_json)


def _request(
    project: str,
    first: str,
    second: str,
    *,
    same: bool,
    by: str,
    reason: str | None,
    at: str | None,
) -> VerdictRequest:
    return build(
        VerdictRequest,
        project=project,
        first=first,
        second=second,
        same=same,
        decided_by=by or getpass.getuser(),
        decided_at=now() if at is None else moment(at),
        reason=reason,
    )


def _ask(request: PredicatesRequest) -> PredicatesReply:
    return as_operator(lambda connection: MemoryClient(connection).predicates(request))


def _show(reply: VerdictReply, *, same: bool, as_json: bool) -> None:
    if as_json:
        answers.print_json(reply.model_dump_json())
        return
    if reply.known:
        messages.print("This was said already; nothing has changed.")
        return
    verb = "mean the same" if same else "are different"
    answers.print(
        f"{reply.first} and {reply.second} {verb} from now on: {reply.groups} groups of facts are "
        "folded anew, which takes a moment."
    )
    if reply.still_joined:
        messages.print(
            "They stay together all the same, through other names that both are one with: see "
            f"`cortex predicates pairs {reply.first}`."
        )


def _say_if_changed(project: str) -> None:
    request = StatsRequest(project=project)
    stats = as_operator(lambda connection: MemoryClient(connection).stats(request))
    if stats.catalogue_changed:
        messages.print(
            f"The facts of {project} follow from another catalogue of predicates: "
            f"`cortex rebuild --project {project}` applies this one."
        )


def _say_if_cut(reply: PredicatesReply) -> None:
    if reply.truncated:
        messages.print("There are more; ask for one name.")
