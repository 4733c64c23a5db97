"""Whether the services answer, asked over the broker as an operator would."""

import asyncio
import time
from typing import Final

from roxabi_contracts.client import Connection, LakeClient, MemoryClient
from roxabi_contracts.errors import ContractError
from roxabi_contracts.operations import MemoryStats, SourcesReply, SourcesRequest, StatsRequest

from cortex_local import accounts
from cortex_local.broker_user import connect_as
from cortex_local.errors import StackUnhealthy
from cortex_local.layout import StackLayout
from cortex_local.services import INSIGHT, MEMORY
from cortex_local.state import Endpoints, read_state

DEFAULT_PROJECT: Final = "personal"
FAILED_STARTS: Final = 3

Figures = dict[str, MemoryStats | SourcesReply | str]
"""What each service answered, or why there is no answer."""


async def ask_services(endpoints: Endpoints, project: str = DEFAULT_PROJECT) -> Figures:
    """The figures of both services, or the reason why one has none."""
    async with connect_as(endpoints.broker, endpoints.seeds, accounts.OPERATOR) as connection:
        return {
            INSIGHT: await _lake_figures(connection, project),
            MEMORY: await _memory_figures(connection, project),
        }


async def wait_for_services(layout: StackLayout, endpoints: Endpoints, seconds: float) -> None:
    """Wait until both services answer. Raises StackUnhealthy naming the one that does not."""
    deadline = time.monotonic() + seconds
    while True:
        silent = {
            service: answer
            for service, answer in (await ask_services(endpoints)).items()
            if isinstance(answer, str)
        }
        if not silent:
            return
        service, reason = next(iter(silent.items()))
        if time.monotonic() > deadline or _keeps_ending(layout, service):
            raise StackUnhealthy(
                f"{service} does not answer: {reason}.",
                f"Look into its log with `cortex logs {service}`.",
            )
        await asyncio.sleep(0.2)


def _keeps_ending(layout: StackLayout, service: str) -> bool:
    state = read_state(layout)
    part = state.parts.get(service) if state else None
    return part is not None and part.restarts >= FAILED_STARTS


async def _lake_figures(connection: Connection, project: str) -> SourcesReply | str:
    try:
        return await LakeClient(connection).sources(SourcesRequest(project=project))
    except ContractError as error:
        return str(error)


async def _memory_figures(connection: Connection, project: str) -> MemoryStats | str:
    try:
        return await MemoryClient(connection).stats(StatsRequest(project=project))
    except ContractError as error:
        return str(error)
