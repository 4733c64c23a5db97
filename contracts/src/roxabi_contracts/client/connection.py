"""One way to connect to the broker, for clients and services alike."""

import asyncio
import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

import nats
from nats.aio.client import Client
from nats.aio.msg import Msg
from nats.errors import Error as NatsError
from nats.errors import NoServersError

from roxabi_contracts.client.errors import BrokerUnavailable, PermissionViolation

RECONNECT_WAIT: Final = 0.5
"""Seconds between two attempts to reach the broker again."""

_VIOLATION = re.compile(r'permissions violation for (\w+) to "?([^"\s]+)', re.IGNORECASE)


class Violations:
    """What the broker refused, for whoever waits for it or asks later."""

    def __init__(self) -> None:
        self._noted: dict[str, PermissionViolation] = {}
        self._waiting: dict[asyncio.Future[Msg], str] = {}

    def note(self, error: Exception) -> None:
        """Read an error of the connection, which may be about something else."""
        refused = _VIOLATION.search(str(error))
        if refused is None:
            return
        action, subject = refused.groups()
        violation = PermissionViolation(action, subject)
        concerned = [one for one, about in self._waiting.items() if about == subject.lower()]
        for refusal in concerned:
            if not refusal.done():
                refusal.set_exception(violation)
        if not concerned:
            self._noted[subject.lower()] = violation

    def take(self, subject: str) -> PermissionViolation | None:
        """The refusal of a subject, once."""
        return self._noted.pop(subject.lower(), None)

    def awaited(self, subject: str) -> asyncio.Future[Msg]:
        """Fails when the subject is refused, and never ends otherwise: to be cancelled."""
        refusal: asyncio.Future[Msg] = asyncio.get_running_loop().create_future()
        self._waiting[refusal] = subject.lower()
        refusal.add_done_callback(self._waiting.pop)
        return refusal


class Connection:
    """A connection that remembers what the broker refused.

    The broker reports a refused publish or subscribe only beside the request that caused it, which
    would else look like a time-out; `ask` and `violation_on` tell the two apart.
    """

    def __init__(self, client: Client, violations: Violations) -> None:
        self.client = client
        self._violations = violations

    async def ask(
        self, subject: str, data: bytes, deadline: float, headers: Mapping[str, str]
    ) -> Msg:
        """The reply to a request.

        Raises:
            PermissionViolation: the broker refuses the subject; raised as soon as it says so.
            NatsError: as the driver's `request` raises, within `deadline` seconds.
        """
        refusal = self._violations.awaited(subject)
        asking = asyncio.ensure_future(
            self.client.request(subject, data, timeout=deadline, headers=dict(headers))
        )
        try:
            await asyncio.wait({asking, refusal}, return_when=asyncio.FIRST_COMPLETED)
            return await (refusal if refusal.done() else asking)
        finally:
            asking.cancel()
            refusal.cancel()
            await asyncio.gather(asking, refusal, return_exceptions=True)

    def violation_on(self, subject: str) -> PermissionViolation | None:
        """The broker's refusal of this subject, once, if there was one."""
        return self._violations.take(subject)

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
    violations = Violations()

    async def note_error(error: Exception) -> None:
        violations.note(error)
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
