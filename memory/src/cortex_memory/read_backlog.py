"""Reads the words of texts that were stored before words were kept: once, after an upgrade."""

import asyncio
from typing import Final

import structlog

from cortex_memory.errors import StoreUnavailable
from cortex_memory.store.db import Pool, connection
from cortex_memory.store.terms import read_some
from cortex_memory.waiting import pause

BATCH: Final = 500
RETRY_SECONDS: Final = 5.0

_log = structlog.get_logger()


async def read_backlog(pool: Pool, stopping: asyncio.Event) -> None:
    """Read until every text is found by its words, or told to stop.

    A store that is down is waited for. Each batch is a transaction of its own, so that others
    hardly wait.
    """
    total = 0
    while not stopping.is_set():
        try:
            async with connection(pool) as transaction:
                read = await read_some(transaction, BATCH)
        except StoreUnavailable as error:
            _log.warning("reading_waits", reason=str(error).strip())
            await pause(stopping, RETRY_SECONDS)
            continue
        if not read:
            break
        total += read
    if total:
        _log.info("texts_read", count=total)
