"""Quarantine: what was said from an untrusted place or too weakly, kept apart until vouched for."""

import typer
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.operations import DecisionAction, FactsRequest, FactStatus

from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.deciding import (
    AtOption,
    ByOption,
    FactArgument,
    ReasonOption,
    Ruling,
    SubjectArgument,
    decide_on,
)
from cortex_local.cli.rendering import facts_view
from cortex_local.cli.requests import as_operator, build
from cortex_local.health import DEFAULT_PROJECT

app = typer.Typer(
    help=(
        "See and judge what is kept apart: said from an untrusted place, or too weakly to count."
        "\n\nWhat is in quarantine is never served until somebody vouches for it.\n\n"
        "Example: cortex quarantine list you@example.com"
    ),
    no_args_is_help=True,
)


@app.command("list")
def list_quarantined(
    subject: SubjectArgument,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """List what is kept apart in someone's memory.

    Example: cortex quarantine list you@example.com
    """
    request = build(
        FactsRequest, project=project, subject=subject, statuses=(FactStatus.QUARANTINED,)
    )
    reply = as_operator(lambda connection: MemoryClient(connection).facts(request))
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif reply.facts:
        answers.print(facts_view(reply, reply.facts, subject))
    else:
        messages.print("Nothing is in quarantine.")


@app.command()
def release(
    subject: SubjectArgument,
    fact: FactArgument,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Vouch for a fact: from now on it counts as if its subject had said it.

    It may replace what held so far, or contradict it. Example:
    cortex quarantine release you@example.com 3f2a91bc --reason "I checked the contract"
    """
    ruling = Ruling(project, by, reason, at)
    decide_on(DecisionAction.RELEASE, subject, fact, ruling, as_json=as_json)


@app.command()
def reject(
    subject: SubjectArgument,
    fact: FactArgument,
    by: ByOption = "",
    reason: ReasonOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Say that a fact is wrong: it leaves the quarantine and is never served.

    A later release, or `cortex decide enable`, takes that back. Example:
    cortex quarantine reject you@example.com 3f2a91bc --reason "spam"
    """
    ruling = Ruling(project, by, reason, at)
    decide_on(DecisionAction.REJECT, subject, fact, ruling, as_json=as_json)
