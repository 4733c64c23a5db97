"""Serving one person's memory to an agent as tools."""

import asyncio
import getpass
from importlib import import_module
from typing import Annotated

import typer
from roxabi_contracts.actor import Identifier

from cortex_local.agent_memory import AgentScope
from cortex_local.cli.clock import now
from cortex_local.cli.console import ProjectOption
from cortex_local.cli.requests import broker_endpoints
from cortex_local.health import DEFAULT_PROJECT


def mcp(
    subject: Annotated[
        str,
        typer.Option("--subject", "-s", help="Whose memory: an e-mail address or scheme:value."),
    ],
    project: ProjectOption = DEFAULT_PROJECT,
    by: Annotated[
        str, typer.Option("--by", help="Who decides when the agent corrects; by default you.")
    ] = "",
    read_only: Annotated[
        bool, typer.Option("--read-only", help="Without remember, correct and forget.")
    ] = False,
) -> None:
    """Serve one person's memory to an agent, over the Model Context Protocol (stdio).

    An agent host starts this itself. The agent gets the tools context, remember, inspect, correct
    and forget; whose memory they work on is fixed here. The stack may be started later.

    Example: claude mcp add cortex -- cortex mcp --subject you@example.com
    """
    try:
        identifier = Identifier.parse(subject)
    except ValueError as error:
        raise typer.BadParameter(f"{subject!r} is no e-mail address or scheme:value.") from error
    # The library takes a second to load, and no other command needs it.
    server = import_module("cortex_local.mcp_server")
    started = now()
    scope = AgentScope(project, identifier, by or getpass.getuser(), f"agent-{started.isoformat()}")
    reaching = server.ReconnectingMemory(scope, broker_endpoints, now, read_only=read_only)
    asyncio.run(server.serve(reaching))
