"""Who is who: seeing whom memory knows, and saying which keys are of one person."""

import getpass
from collections.abc import Mapping
from typing import Annotated, Final

import typer
from roxabi_contracts.client import MemoryClient
from roxabi_contracts.identities import (
    EntitiesReply,
    EntitiesRequest,
    EntitiesView,
    LinkAction,
    LinkReply,
    LinkRequest,
)

from cortex_local.cli.clock import now
from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.deciding import AtOption, ByOption
from cortex_local.cli.people_views import candidates_view, entities_view, links_view
from cortex_local.cli.requests import as_operator, build, moment
from cortex_local.health import DEFAULT_PROJECT

MOST: Final = 1000

KeyArgument = Annotated[
    str, typer.Argument(help="A key: an e-mail address, scheme:value, or (the beginning of) an id.")
]
OtherArgument = Annotated[str, typer.Argument(help="The other key.")]
LimitOption = Annotated[int, typer.Option(help="At most so many.", min=1, max=MOST)]
WhyOption = Annotated[
    str | None, typer.Option("--reason", help="Why; shown by cortex entities show.")
]

app = typer.Typer(
    help=(
        "See who is who, and say which keys are of one person.\n\n"
        "Keys join by themselves only where a record or the owner says so; whatever is merely "
        "likely is a candidate, and waits for you. Facts follow at once, and back again.\n\n"
        "Judge:    cortex entities candidates\n\n"
        "They are: cortex entities link ann@example.com account:github:17\n\n"
        "Not so:   cortex entities unlink ann@example.com account:github:17"
    ),
    no_args_is_help=True,
)


@app.command()
def find(
    text: Annotated[str, typer.Argument(help="A part of a name or of a key.")],
    limit: LimitOption = 100,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """List whose name or key holds a text, those first that are named most.

    Example: cortex entities find ann
    """
    reply = _ask(project, EntitiesView.FIND, text, limit)
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif reply.entities:
        answers.print(entities_view(reply.entities))
        _say_if_more(reply)
    else:
        messages.print("Nobody is known by that.")


@app.command()
def show(
    key: KeyArgument, project: ProjectOption = DEFAULT_PROJECT, as_json: JsonOption = False
) -> None:
    """Show one entity: its keys, and every link of them with its rule and who made it.

    Example: cortex entities show ann@example.com
    """
    reply = _ask(project, EntitiesView.SHOW, key, MOST)
    if as_json:
        answers.print_json(reply.model_dump_json())
        return
    answers.print(entities_view(reply.entities))
    if reply.links:
        answers.print(links_view(reply.links))


@app.command()
def candidates(
    of: Annotated[str | None, typer.Option("--of", help="Only of whom this key is.")] = None,
    limit: LimitOption = 50,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """List who may be whom, the likeliest first, each with its reason.

    Say what you know of a pair: link, reject or distinct. What you have judged is not listed
    again. Example: cortex entities candidates --of ann@example.com
    """
    reply = _ask(project, EntitiesView.CANDIDATES, of, limit)
    if as_json:
        answers.print_json(reply.model_dump_json())
    elif reply.candidates:
        answers.print(candidates_view(reply.candidates))
        _say_if_more(reply)
    else:
        messages.print("Nobody seems to be anybody else.")
    if reply.compared is not None and not as_json:
        messages.print(f"Only the {reply.compared} keys that are named most were compared.")


def _add_command(action: LinkAction, teaching: str) -> None:
    """A command that says something of two keys."""

    def said(
        first: KeyArgument,
        second: OtherArgument,
        by: ByOption = "",
        reason: WhyOption = None,
        at: AtOption = None,
        project: ProjectOption = DEFAULT_PROJECT,
        as_json: JsonOption = False,
    ) -> None:
        of_both = {"first": first, "second": second, "reason": reason}
        show_said(say(action, project, of_both, by=by, at=at), as_json=as_json)

    app.command(action.value, help=teaching)(said)


_add_command(
    LinkAction.LINK,
    "Say that two keys are one person's: their facts are folded together.\n\n"
    'Example: cortex entities link ann@example.com account:github:17 --reason "she told me"',
)
_add_command(
    LinkAction.UNLINK,
    "Take back what stands between two keys, whoever said it: a link, or that they are distinct."
    "\n\nExactly what it joined is two again. Example:\n"
    "cortex entities unlink ann@example.com account:github:17",
)
_add_command(
    LinkAction.DISTINCT,
    "Say that two keys are two people's: no record joins them, not even through a third key.\n\n"
    "Example: cortex entities distinct john@example.com john@example.org",
)
_add_command(
    LinkAction.REJECT,
    "Do not propose two keys again; a weaker word than distinct.\n\n"
    "Example: cortex entities reject ann@example.com account:chat:22",
)


@app.command("undo-rule")
def undo_rule(
    rule: Annotated[str, typer.Argument(help="The rule, as cortex entities show names it.")],
    version: Annotated[
        int | None, typer.Option("--rule-version", help="Only what this version linked.")
    ] = None,
    by: ByOption = "",
    reason: WhyOption = None,
    at: AtOption = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Take back every link that stands under a rule now; later ones stand again.

    Example: cortex entities undo-rule same_name
    """
    said = {"rule": rule, "rule_version": version, "reason": reason}
    reply = say(LinkAction.UNDO_RULE, project, said, by=by, at=at)
    if as_json:
        answers.print_json(reply.model_dump_json())
    else:
        messages.print(f"Took back {reply.links} links.")


def show_said(reply: LinkReply, *, as_json: bool) -> None:
    """Who is who after something was said."""
    if as_json:
        answers.print_json(reply.model_dump_json())
        return
    if not reply.links:
        messages.print("That was known already; nothing has changed.")
    if reply.entities:
        answers.print(entities_view(reply.entities))
    else:
        messages.print("Nobody has been named by these keys yet; it counts as soon as they are.")


def say(
    action: LinkAction, project: str, said: Mapping[str, object], *, by: str = "", at: str | None
) -> LinkReply:
    """Tell memory who is who."""
    request = build(
        LinkRequest,
        project=project,
        action=action,
        decided_by=by or getpass.getuser(),
        decided_at=now() if at is None else moment(at),
        **said,
    )
    return as_operator(lambda connection: MemoryClient(connection).link(request))


def _ask(project: str, view: EntitiesView, text: str | None, limit: int) -> EntitiesReply:
    request = build(EntitiesRequest, project=project, view=view, text=text, limit=limit)
    return as_operator(lambda connection: MemoryClient(connection).entities(request))


def _say_if_more(reply: EntitiesReply) -> None:
    if reply.truncated:
        messages.print("There are more; ask for more with --limit.")
