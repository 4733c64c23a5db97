"""Asking memory: what bears on a query, and which facts it holds."""

from typing import Annotated

import typer
from roxabi_contracts.client import Connection, MemoryClient
from roxabi_contracts.context import ContextPacket, ContextRequest, ContextTrace, TraceRequest
from roxabi_contracts.operations import FactsReply, FactsRequest, FactStatus

from cortex_local.cli.console import JsonOption, ProjectOption, answers, messages
from cortex_local.cli.deciding import whole_id
from cortex_local.cli.rendering import explanation_view, facts_view, packet_view, trace_view
from cortex_local.cli.requests import as_operator, build, moment
from cortex_local.errors import StackError, StackUnhealthy
from cortex_local.health import DEFAULT_PROJECT

ASK_SECONDS = 15.0


def ask(
    query: Annotated[str, typer.Argument(help="What you want to know, in your words.")],
    subject: Annotated[
        list[str],
        typer.Option("--subject", "-s", help="Whose memory: an e-mail address or scheme:value."),
    ],
    budget: Annotated[int, typer.Option("--budget", "-b", help="At most this many tokens.")] = 900,
    about: Annotated[str | None, typer.Option(help="Only what is said about this entity.")] = None,
    as_of: Annotated[str | None, typer.Option(help="As it was then, e.g. 2026-03-01.")] = None,
    goal: Annotated[
        str | None, typer.Option(help="What it is for: what speaks of it comes first.")
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    trace: Annotated[bool, typer.Option("--trace", help="Show every candidate and why.")] = False,
    as_json: JsonOption = False,
) -> None:
    """Ask memory, as an agent does over the broker, and print the packet it serves.

    Example: cortex ask "what should I cook?" --subject you@example.com --budget 400
    """
    request = build(
        ContextRequest,
        project=project,
        subjects=tuple(subject),
        query=query,
        budget_tokens=budget,
        about=about,
        as_of=None if as_of is None else moment(as_of),
        goal=goal,
    )
    packet, traced = as_operator(lambda connection: _ask(connection, request, trace=trace))
    if as_json:
        answers.print_json((traced or packet).model_dump_json())
    else:
        answers.print(packet_view(packet, subject))
        if traced:
            answers.print()
            answers.print(trace_view(traced))
    if packet.trace_id is None:
        raise StackUnhealthy(
            "Memory did not answer, so the packet is empty.", "See `cortex doctor`."
        )


def facts(
    subject: Annotated[str, typer.Argument(help="An e-mail address or scheme:value.")],
    history: Annotated[
        bool, typer.Option("--history", help="Also what no longer holds, and what is disputed.")
    ] = False,
    project: ProjectOption = DEFAULT_PROJECT,
    as_of: Annotated[str | None, typer.Option(help="As it was then, e.g. 2026-03-01.")] = None,
    status: Annotated[
        list[FactStatus] | None, typer.Option(help="Only those; may be repeated.")
    ] = None,
    why: Annotated[
        str | None,
        typer.Option(help="Explain this fact: its id, or its beginning.", metavar="FACT"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """List the facts of someone's memory, or show all that is behind one of them.

    Example: cortex facts you@example.com --history

    Why it holds: cortex facts you@example.com --why 3f2a91bc
    """
    request = build(
        FactsRequest,
        project=project,
        subject=subject,
        history=history,
        statuses=tuple(status or ()),
        why=why,
        as_of=None if as_of is None else moment(as_of),
    )
    reply = as_operator(lambda connection: _facts(MemoryClient(connection), request))
    if as_json:
        answers.print_json(reply.model_dump_json())
    else:
        _print_facts(reply, subject)


def _print_facts(reply: FactsReply, subject: str) -> None:
    if not reply.facts:
        messages.print("No facts yet.")
        return
    answers.print(facts_view(reply, reply.facts, subject))
    if reply.explanation is not None:
        answers.print(explanation_view(reply.explanation))
    if reply.truncated:
        messages.print(f"Only the first {len(reply.facts)} are shown.")


async def _facts(memory: MemoryClient, request: FactsRequest) -> FactsReply:
    if request.why is None:
        return await memory.facts(request)
    fact_id = await whole_id(memory, request.project, request.subject, request.why)
    return await memory.facts(request.model_copy(update={"why": fact_id}))


async def _ask(
    connection: Connection, request: ContextRequest, *, trace: bool
) -> tuple[ContextPacket, ContextTrace | None]:
    memory = MemoryClient(connection)
    packet = await memory.context(request, ASK_SECONDS)
    if not trace:
        return packet, None
    if packet.trace_id is None:
        raise StackError("Memory did not answer, so there is no trace.", "See `cortex doctor`.")
    wanted = TraceRequest(project=request.project, trace_id=packet.trace_id)
    return packet, await memory.trace(wanted)
