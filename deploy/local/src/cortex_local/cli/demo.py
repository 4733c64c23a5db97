"""The demo: a stack of its own that learns, answers, shows what is gone, and leaves nothing."""

import asyncio
import shutil
import tempfile
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest
from roxabi_contracts.operations import FactRecord, FactsReply, FactsRequest, FactStatus

from cortex_local import accounts, control
from cortex_local.broker_user import connect_as
from cortex_local.cli.console import answers, environment, messages, steps
from cortex_local.cli.importing import show_backlog, show_import, summary
from cortex_local.cli.lifecycle import ANSWER_SECONDS
from cortex_local.cli.rendering import facts_view, packet_view
from cortex_local.confinement import SystemFolders, forget_home
from cortex_local.demo_script import Demo, Question, load_demo
from cortex_local.errors import ExitCode, StackError
from cortex_local.health import wait_for_services
from cortex_local.layout import find_layout
from cortex_local.state import Endpoints, read_endpoints

QUESTION_SECONDS: Final = 30.0
_OF_THE_USER: Final = ("CORTEX_HOME", "CORTEX_POSTGRES_URL", "CORTEX_NATS_URL")


def demo(
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave the stack running, to look around in it.")
    ] = False,
) -> None:
    """Watch Cortex learn from two sample histories and answer, in a stack of its own.

    Your own memory is not touched. Example: cortex demo
    """
    script = load_demo()
    try:
        with _temporary_stack(keep=keep) as endpoints:
            _learn(script, endpoints)
            packets = asyncio.run(_converse(script, endpoints))
            history = asyncio.run(_history(script, endpoints))
            _show_what_is_gone(script, history, packets)
            _show_conflicts(script, history, packets)
    except KeyboardInterrupt:
        messages.print("Interrupted.")
        raise typer.Exit(ExitCode.INTERRUPTED) from None


@contextmanager
def _temporary_stack(*, keep: bool) -> Generator[Endpoints]:
    parent = Path(tempfile.mkdtemp(prefix="cortex-demo-"))
    folder = parent / "stack"
    try:
        with steps() as progress:
            control.start_stack(folder, _own_environment(environment()), progress)
            layout = control.running_stack(folder)
            progress("waiting for the services to answer")
            endpoints = read_endpoints(layout)
            asyncio.run(wait_for_services(layout, endpoints, ANSWER_SECONDS))
        yield endpoints
    finally:
        if keep:
            messages.print(f"\nThe stack runs on. Look around with: export CORTEX_HOME={folder}")
        else:
            with steps() as progress:
                _remove(parent, folder, progress)
            messages.print("\nStopped, and removed what the demo had made.")


def _remove(parent: Path, folder: Path, progress: Callable[[str], None]) -> None:
    control.stop_stack(folder, progress)
    if (layout := find_layout(folder)) is not None:
        forget_home(layout, SystemFolders())
    shutil.rmtree(parent)


def _own_environment(variables: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in variables.items() if name not in _OF_THE_USER}


def _learn(script: Demo, endpoints: Endpoints) -> None:
    for history in script.histories:
        _heading(f"Importing {history.title}")
        answers.print(summary(show_import(script.request(history), endpoints)))
    show_backlog(endpoints, script.project, with_vectors=True)


async def _converse(script: Demo, endpoints: Endpoints) -> list[ContextPacket]:
    async with connect_as(endpoints.broker, endpoints.seeds, accounts.OPERATOR) as connection:
        return [await _ask(script, question, connection) for question in script.questions]


async def _ask(script: Demo, question: Question, connection: Connection) -> ContextPacket:
    _heading(question.text)
    answers.print(f"[dim]{escape(question.shows)}[/]")
    request = ContextRequest(
        project=script.project,
        subjects=(script.owner,),
        query=question.text,
        budget_tokens=question.budget,
        as_of=script.asked_at,
    )
    packet = await MemoryClient(connection).context(request, QUESTION_SECONDS)
    answers.print(packet_view(packet, [script.owner]))
    return packet


async def _history(script: Demo, endpoints: Endpoints) -> FactsReply:
    async with connect_as(endpoints.broker, endpoints.seeds, accounts.OPERATOR) as connection:
        request = FactsRequest(project=script.project, subject=script.owner, history=True)
        return await MemoryClient(connection).facts(request)


def _show_what_is_gone(script: Demo, history: FactsReply, packets: Sequence[ContextPacket]) -> None:
    _heading("What was true once (cortex facts --history)")
    gone = [f for f in history.facts if f.status in (FactStatus.SUPERSEDED, FactStatus.ENDED)]
    answers.print(facts_view(history, gone, script.owner))
    if not any(fact.status is FactStatus.SUPERSEDED for fact in gone):
        raise StackError("No value was superseded, though the histories hold a change.")
    _require_unserved(gone, packets)
    answers.print("[green]None of these was served.[/]")


def _show_conflicts(script: Demo, history: FactsReply, packets: Sequence[ContextPacket]) -> None:
    _heading("What contradicts itself")
    disputed = [fact for fact in history.facts if fact.conflict_id]
    answers.print(facts_view(history, disputed, script.owner))
    if not disputed or not any(packet.warnings for packet in packets):
        raise StackError("No conflict was named, though the histories contradict each other.")
    _require_unserved(disputed, packets)
    answers.print("[green]None of these was served; the packets name the conflict instead.[/]")


def _require_unserved(facts: Sequence[FactRecord], packets: Sequence[ContextPacket]) -> None:
    served = {fact.id for packet in packets for fact in packet.facts}
    if leaked := served & {fact.id for fact in facts}:
        raise StackError(f"A packet served {len(leaked)} facts that it had to keep back.")


def _heading(text: str) -> None:
    answers.print(f"\n[bold cyan]{escape(text)}[/]")
