"""Putting observations back to work that memory failed to retain."""

from typing import Annotated

import typer
from roxabi_contracts.client import UpkeepClient
from roxabi_contracts.upkeep import RetainRequest

from cortex_local.cli.console import ProjectOption, messages
from cortex_local.cli.requests import as_operator, build
from cortex_local.health import DEFAULT_PROJECT


def retain(
    observations: Annotated[
        list[str] | None, typer.Argument(help="Observation ids; else all whose job has failed.")
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
) -> None:
    """Let memory retain observations again at once, without waiting for the next attempt.

    Example: cortex retain
    """
    request = build(RetainRequest, project=project, observation_ids=tuple(observations or ()))
    reply = as_operator(lambda connection: UpkeepClient(connection).retain(request))
    messages.print(f"{reply.requeued} observations wait to be retained.")
