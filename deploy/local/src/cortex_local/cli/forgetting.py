"""Forgetting: asked for once, confirmed, followed until nothing is left, with a receipt."""

import asyncio
import getpass
from collections.abc import Callable
from typing import Annotated, Final

import typer
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text
from roxabi_contracts.client import BrokerUnavailable, Connection, MemoryClient, NoAnswer
from roxabi_contracts.errors import RequestRefused
from roxabi_contracts.upkeep import ForgetMode, ForgetReceipt, ForgetRequest, ForgetScope

from cortex_local.cli.clock import now
from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages, steps
from cortex_local.cli.requests import as_operator, build
from cortex_local.health import DEFAULT_PROJECT

POLL_SECONDS: Final = 0.5
PATIENCE_SECONDS: Final = 120.0

_WHAT: Final = {
    ForgetScope.FACT: "the fact {target} in the memory of {subject}",
    ForgetScope.OBSERVATION: "the observation {target} in the memory of {subject}",
    ForgetScope.SOURCE: "all that {target} has said so far in the memory of {subject}",
    ForgetScope.SUBJECT: "the whole memory of {subject} as it is now",
}
_CONSEQUENCE: Final = {
    ForgetMode.ERASE: "Erase {what}? Its content goes for good, here and in the lake.",
    ForgetMode.DISABLE: "Disable {what}? It is not served until you enable it again.",
    ForgetMode.ENABLE: "Enable {what} again?",
}


def forget(
    scope: Annotated[ForgetScope, typer.Argument(help="How much.")],
    target: Annotated[
        str, typer.Argument(help="The id of the fact or observation, the source, or whose memory.")
    ],
    subject: Annotated[
        str | None,
        typer.Option("--subject", "-s", help="Whose memory: an e-mail address or scheme:value."),
    ] = None,
    mode: Annotated[
        ForgetMode, typer.Option(help="Erase for good, or disable and enable again.")
    ] = ForgetMode.ERASE,
    project: ProjectOption = DEFAULT_PROJECT,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Forget a fact, an observation, a source or a whole memory, and print a receipt.

    An erased fact keeps its effect: what it had replaced does not come back. What is erased does
    not return when it is imported again. Example: cortex forget fact FACT_ID -s you@example.com
    """
    request = _request(scope, target, subject, mode, project)
    if not yes:
        what = _WHAT[scope].format(target=target, subject=request.subject)
        typer.confirm(_CONSEQUENCE[mode].format(what=what), abort=True, err=True)
    with steps() as progress:
        receipt = as_operator(lambda connection: _forget(connection, request, progress))
    if as_json:
        answers.print_json(receipt.model_dump_json())
    else:
        answers.print(receipt_view(receipt))
    if not receipt.finished:
        messages.print(
            "Memory has forgotten; the lake or the streams do not answer yet. "
            "It goes on by itself: see `cortex doctor`."
        )


def _request(
    scope: ForgetScope, target: str, subject: str | None, mode: ForgetMode, project: str
) -> ForgetRequest:
    if scope is ForgetScope.SUBJECT:
        if subject not in (None, target):
            raise typer.BadParameter("The whole memory of a subject: name the subject once.")
        subject = target
    elif subject is None:
        raise typer.BadParameter("Whose memory? Name it with --subject.")
    return build(
        ForgetRequest,
        project=project,
        subject=subject,
        scope=scope,
        target=None if scope is ForgetScope.SUBJECT else target,
        mode=mode,
        requested_by=getpass.getuser(),
        requested_at=now(),
    )


async def _forget(
    connection: Connection, request: ForgetRequest, progress: Callable[[str], None]
) -> ForgetReceipt:
    """Repeat the request until it is finished; in the end what came of it so far."""
    progress("asking memory to forget")
    memory = MemoryClient(connection)
    receipt = await memory.forget(request)
    deadline = asyncio.get_running_loop().time() + PATIENCE_SECONDS
    while not receipt.finished and asyncio.get_running_loop().time() < deadline:
        progress("waiting for the lake and the streams")
        await asyncio.sleep(POLL_SECONDS)
        try:
            receipt = (await memory.forget(request)).model_copy(update={"known": receipt.known})
        except (NoAnswer, BrokerUnavailable):
            continue
        except RequestRefused as refusal:
            if not refusal.reply.retryable:
                raise
    return receipt


def receipt_view(receipt: ForgetReceipt) -> RenderableType:
    """What was removed, by what it was."""
    again = ", as was asked before" if receipt.known else ""
    state = "Finished" if receipt.finished else "Not finished yet"
    table = Table("removed", "count", box=None, pad_edge=False)
    for what, count in receipt.removed.items():
        table.add_row(what.replace("_", " "), str(count))
    table.add_row("digests that keep it away", str(receipt.kept_digests))
    title = f"{receipt.mode.value.capitalize()} {receipt.scope.value}{again}: {state.lower()}."
    parts: list[RenderableType] = [Text(title, style="bold"), table]
    if receipt.mode is ForgetMode.ERASE:
        parts.append(Text("Backups that you keep elsewhere are not touched.", style="dim"))
    return Group(*parts, Text(f"Receipt {receipt.forget_id}", style="dim"))
