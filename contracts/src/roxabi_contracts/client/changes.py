"""Following what changes in a project."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Final

from nats.aio.msg import Msg
from nats.errors import Error as NatsError

from roxabi_contracts import codec, subjects
from roxabi_contracts.changes import Change
from roxabi_contracts.client.connection import Connection
from roxabi_contracts.client.errors import BrokerUnavailable, NoDurable
from roxabi_contracts.client.pull import Puller

FETCH_SECONDS: Final = 5.0
RETRY_SECONDS: Final = 1.0
PATIENCE_SECONDS: Final = 30.0
"""How long a durable may be missing: a broker that starts serves it after a while."""


async def follow_changes(
    connection: Connection, client: str, patience: float = PATIENCE_SECONDS
) -> AsyncGenerator[Change]:
    """Every change in the client's project, from when the client was set up, in order and for ever.

    The broker keeps the place: who comes back goes on after the last change that it was done with,
    which is when it asked for the next. A change may come twice, and one that is older than a week
    no more. A broker that is away is waited for.

    Args:
        connection: An open connection of the client.
        client: The client's name on the broker, as its key file is called.
        patience: Seconds for which its durable may be missing.

    Raises:
        PermissionViolation: this user is another client.
        NoDurable: nothing was set up for this client.
        DecodeError: an announcement is of a later version of the contract.
    """
    puller = Puller(connection.client, subjects.STREAM_CHANGES, subjects.changes_durable(client))
    clock = asyncio.get_running_loop().time
    seen, undone = clock(), list[Msg]()
    try:
        while True:
            try:
                undone = await puller.fetch(FETCH_SECONDS)
            except BrokerUnavailable as error:
                violation = connection.violation_on(puller.subject)
                if violation is not None:
                    raise violation from error
                if isinstance(error, NoDurable) and clock() - seen > patience:
                    raise
                await asyncio.sleep(RETRY_SECONDS)
                continue
            seen = clock()
            while undone:
                yield codec.decode(undone[0].data, Change)
                await undone[0].ack()
                del undone[0]
    finally:
        with suppress(NatsError, OSError):  # else they come again after a while
            for message in undone:
                await message.nak()
            await puller.close()
