"""Waiting for what has to become true: generous in time, and clear when it does not."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

PATIENCE_SECONDS: Final = 90.0
PAUSE_SECONDS: Final = 0.1

Seen = TypeVar("Seen")


class NotYet(Exception):
    """The condition does not hold yet; the text says what was seen instead."""


async def eventually(
    what: str, look: Callable[[], Awaitable[Seen]], seconds: float = PATIENCE_SECONDS
) -> Seen:
    """Call `look` until it returns instead of raising NotYet, and return what it returned.

    Raises:
        AssertionError: it still raised after that many seconds; says what was seen last.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            return await look()
        except NotYet as seen:
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} did not happen in {seconds:.0f} s: {seen}") from seen
        await asyncio.sleep(PAUSE_SECONDS)
