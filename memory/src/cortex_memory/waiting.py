"""Waiting for a while, or for something to happen."""

import asyncio


async def pause(stopping: asyncio.Event, seconds: float) -> None:
    """Wait some seconds, or until told to stop."""
    try:
        await asyncio.wait_for(stopping.wait(), seconds)
    except TimeoutError:
        return


async def arrival(arrived: asyncio.Event, seconds: float) -> None:
    """Wait until something arrives, but no longer than some seconds."""
    try:
        async with asyncio.timeout(seconds):
            await arrived.wait()
    except TimeoutError:
        return
    arrived.clear()
