"""A client follows what memory announces, over the death of the broker."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from cortex_local import accounts
from mortal import BROKER, MortalServers
from roxabi_contracts.changes import Change
from roxabi_contracts.client import follow_changes
from samples import note
from stack import Stack


async def until(changes: AsyncGenerator[Change], status: str) -> list[Change]:
    """What is announced up to the first fact of that status."""
    found: list[Change] = []
    async for change in changes:
        found.append(change)
        if change.status == status:
            return found
    raise AssertionError("the changes ended")


async def test_a_client_learns_what_holds_and_nothing_that_is_contested(
    mortal: Stack, mortal_servers: MortalServers
) -> None:
    await mortal.start()
    async with mortal.connected(accounts.AGENT) as agent:
        changes = follow_changes(agent, accounts.AGENT)
        async with aclosing(changes), asyncio.timeout(90):
            await mortal.publish([note("My name is Ada.", name="1", day=1)])
            *_, created = await until(changes, "active")
            await mortal_servers.replace(BROKER)
            await mortal.publish([note("My name is Grace.", name="2", day=2)])
            later = await until(changes, "candidate")
    assert (created.change, created.value) == ("created", {"value": "Ada"})
    contested = [change for change in later if change != created]  # that may come twice
    assert contested
    assert [change.value for change in contested] == [None] * len(contested)
