"""Traces on their way to the store: written after the reply, bounded while the store is down."""

import asyncio
from collections import Counter, OrderedDict
from typing import Final

import structlog
from roxabi_contracts.context import ContextTrace

from cortex_memory.errors import StoreUnavailable, Unstorable
from cortex_memory.store import traces
from cortex_memory.store.db import Connection, Pool, connection, reading
from cortex_memory.store.traces import Account
from cortex_memory.waiting import pause

CAPACITY: Final = 1_000
TRIMMED_EVERY: Final = 100
"""So many traces of a project beside those that are kept."""
LINGER_SECONDS: Final = 0.005
"""Before a trace is drawn up: who asks again at once has reached the database by then."""
RETRY_SECONDS: Final = 5.0
EXPIRY_SECONDS: Final = 3600.0
"""Between two looks for what is too old to be kept."""

_log = structlog.get_logger()


class TraceLog:
    """Takes traces without making anybody wait, and stores one after the other."""

    def __init__(self, pool: Pool) -> None:
        self._pool = pool
        self._waiting: OrderedDict[tuple[str, str], Account] = OrderedDict()
        self._noted = asyncio.Event()
        self._untrimmed: Counter[str] = Counter()
        self._given_up = 0
        self._expired_at: float | None = None

    def note(self, account: Account) -> None:
        """Keep a trace; the oldest of too many that wait is given up."""
        self._waiting[account.project, account.trace_id] = account
        if len(self._waiting) > CAPACITY:
            self._waiting.popitem(last=False)
            self._given_up += 1
        self._noted.set()

    async def find(self, project: str, trace_id: str) -> ContextTrace | None:
        """A trace, stored or still on its way; null: there is none, or it is forgotten.

        Raises:
            StoreUnavailable: the database is down.
        """
        waiting = self._waiting.get((project, trace_id))
        if waiting is not None:
            return waiting.draw()
        async with connection(self._pool) as transaction:
            return await traces.find(transaction, project, trace_id)

    async def run(self, stopping: asyncio.Event) -> None:
        """Store until told to stop, and then what is left if the store takes it."""
        while not stopping.is_set():
            try:
                stored = await self.store() and await self._expire()
            except Exception:  # noqa: BLE001  (a top loop: answers go on without their traces)
                _log.exception("traces_failed", count=len(self._waiting))
                stored = False
            if stored:
                await self._more(stopping)
            else:
                await pause(stopping, RETRY_SECONDS)
        await self.store()

    async def _more(self, stopping: asyncio.Event) -> None:
        """Wait for another trace, or until it is time to forget some, or told to stop."""
        if self._waiting:  # noted in the meantime: whoever else stores may have taken the notice
            return
        waits = [asyncio.create_task(event.wait()) for event in (self._noted, stopping)]
        await asyncio.wait(waits, timeout=EXPIRY_SECONDS, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()

    async def _expire(self) -> bool:
        """Now and then forget what is too old; false: the store is down."""
        now = asyncio.get_running_loop().time()
        if self._expired_at is not None and now < self._expired_at + EXPIRY_SECONDS:
            return True
        try:
            async with connection(self._pool) as transaction:
                await traces.expire(transaction)
        except StoreUnavailable as error:
            _log.warning("traces_not_expired", reason=str(error).strip())
            return False
        self._expired_at = now
        return True

    async def store(self) -> bool:
        """Store what waits by now; false: the store is down, and it waits on."""
        self._noted.clear()
        if self._given_up:
            _log.warning("traces_given_up", count=self._given_up)
            self._given_up = 0
        for key, account in list(self._waiting.items()):
            await asyncio.sleep(LINGER_SECONDS)
            try:
                async with reading(self._pool) as transaction:
                    await traces.append(transaction, account)
                    await self._trim(transaction, account.project)
            except StoreUnavailable as error:
                _log.warning("traces_wait", count=len(self._waiting), reason=str(error).strip())
                return False
            except Unstorable as error:
                _log.error("trace_not_kept", trace_id=account.trace_id, reason=str(error))
            self._waiting.pop(key, None)
        return True

    async def _trim(self, transaction: Connection, project: str) -> None:
        """Keep to the bound of a project now and then: every time would cost more than storing."""
        self._untrimmed[project] += 1
        if self._untrimmed[project] >= TRIMMED_EVERY:
            await traces.trim(transaction, project)
            del self._untrimmed[project]
