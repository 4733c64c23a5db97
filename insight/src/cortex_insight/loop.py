"""The top loops: they go on whatever happens, and log and count what did."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from cortex_insight.errors import InsightError
from cortex_insight.log import place_of

FIRST_PAUSE: Final = 0.2
LONGEST_PAUSE: Final = 5.0


async def repeat(name: str, step: Callable[[], Awaitable[None]], stopping: asyncio.Event) -> None:
    """Take one step after the other until `stopping` is set; pause ever longer while they fail.

    A step that is under way is finished first.
    """
    log = structlog.get_logger().bind(loop=name)
    failures = 0
    while not stopping.is_set():
        try:
            await step()
        except InsightError as error:
            failures += 1
            log.warning(
                "step_failed", fault=type(error).__name__, detail=str(error), failures=failures
            )
        except Exception as error:  # noqa: BLE001 - a top loop: a bug stops one step, not the line
            failures += 1
            fault, place = type(error).__name__, place_of(error)
            log.error("step_crashed", fault=fault, place=place, failures=failures)
        else:
            failures = 0
            continue
        await _pause(min(FIRST_PAUSE * 2 ** min(failures - 1, 10), LONGEST_PAUSE), stopping)


async def _pause(seconds: float, stopping: asyncio.Event) -> None:
    try:
        await asyncio.wait_for(stopping.wait(), seconds)
    except TimeoutError:
        return
