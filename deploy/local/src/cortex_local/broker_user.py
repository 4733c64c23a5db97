"""Connections to the broker as one of its users, and the broker's own figures."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from roxabi_contracts.client import BrokerUnavailable, Connection, connect

from cortex_local import accounts
from cortex_local.errors import StackError, StackUnhealthy
from cortex_local.keys import existing_seed

SERVER_FIGURES = "$SYS.REQ.SERVER.PING.VARZ"


@asynccontextmanager
async def connect_as(url: str, seeds: Path, user: str) -> AsyncGenerator[Connection]:
    """An open connection of that user. Raises StackError when the broker does not let it in."""
    seed_file = existing_seed(seeds, user)
    try:
        connection = await connect(
            url,
            name=f"cortex-{user}",
            seed_file=seed_file,
            inbox_prefix=accounts.inbox_prefix(user),
        )
    except BrokerUnavailable as error:
        raise StackError(
            f"The broker at {url} cannot be used as {user}: {error}.",
            "Look at `cortex status`; with a broker of your own, check CORTEX_NATS_URL and the "
            "seeds in CORTEX_NATS_SEED_DIR.",
        ) from error
    try:
        yield connection
    finally:
        await connection.close()


async def server_figures(url: str, seeds: Path) -> dict[str, Any]:
    """What the broker says of itself (its `varz`), asked over the system account."""
    async with connect_as(url, seeds, accounts.SYSTEM) as connection:
        reply = await connection.client.request(SERVER_FIGURES, b"", timeout=5)
    figures: dict[str, Any] = json.loads(reply.data)["data"]
    return figures


def require_synchronous_writes(figures: dict[str, Any]) -> None:
    """Raise StackUnhealthy for a broker that acknowledges a message before it is on disk.

    Read from `sync_always`: `sync_interval` keeps its default figure even with `always`.
    """
    if figures.get("jetstream", {}).get("config", {}).get("sync_always") is not True:
        raise StackUnhealthy(
            "The broker acknowledges messages before they are on disk.",
            "Set `sync_interval: always` in the jetstream section of its configuration.",
        )
