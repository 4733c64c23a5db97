"""One way to connect to the broker, for clients and services alike."""

import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import nats
from nats.aio.client import Client
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from roxabi_contracts.client.errors import BrokerUnavailable, PermissionViolation

RECONNECT_WAIT: Final = 0.5
"""Seconds between two attempts to reach the broker again."""

_VIOLATION = re.compile(r'permissions violation for (\w+) to "?([^"\s]+)', re.IGNORECASE)


class Connection:
    """A connection that remembers what the broker refused.

    The broker reports a refused publish or subscribe only beside the request that caused it, which
    would else look like a time-out; `violation_on` tells the two apart.
    """

    def __init__(self, client: Client, violations: dict[str, PermissionViolation]) -> None:
        self.client = client
        self._violations = violations

    def violation_on(self, subject: str) -> PermissionViolation | None:
        """The broker's refusal of this subject, once, if there was one."""
        return self._violations.pop(subject.lower(), None)

    async def close(self) -> None:
        """Send what is pending if the broker is there, and disconnect.

        The library's own `drain` would wait half a minute for a pull subscription: it never counts
        the messages of a batch as done.
        """
        with suppress(OSError, NatsError):  # a link that has just broken has nothing to send
            await self.client.close()


async def connect(
    url: str,
    *,
    name: str,
    seed_file: Path | None = None,
    inbox_prefix: str | None = None,
    wait: bool = False,
    on_error: Callable[[Exception], Awaitable[None]] | None = None,
) -> Connection:
    """Connect and stay connected: reconnects without end, and notices a dead link in 20 s.

    Args:
        url: Where the broker listens.
        name: Who connects, shown in the broker's own lists.
        seed_file: The file with the nkey seed; null: the broker asks for none.
        inbox_prefix: Where replies go; the account allows this user no other inbox.
        wait: Keep trying until the broker is there, instead of raising.
        on_error: Told of every asynchronous error of the connection.

    Raises:
        BrokerUnavailable: nothing answers at the address, or it refused the credentials.
    """
    violations: dict[str, PermissionViolation] = {}

    async def note_error(error: Exception) -> None:
        refused = _VIOLATION.search(str(error))
        if refused:
            action, subject = refused.groups()
            violations[subject.lower()] = PermissionViolation(action, subject)
        if on_error is not None:
            await on_error(error)

    try:
        client = await nats.connect(
            url,
            name=name,
            nkeys_seed=None if seed_file is None else str(seed_file),
            inbox_prefix=(inbox_prefix or "_INBOX").encode(),
            error_cb=note_error,
            allow_reconnect=True,
            connect_timeout=2,
            max_reconnect_attempts=-1 if wait else 3,
            reconnect_time_wait=RECONNECT_WAIT,
            ping_interval=10,
            max_outstanding_pings=2,
        )
    except (OSError, NoServersError, TimeoutError, NatsError) as error:
        raise BrokerUnavailable(f"no broker answers at {url}: {error}") from error
    client.options["max_reconnect_attempts"] = -1
    return Connection(client, violations)
