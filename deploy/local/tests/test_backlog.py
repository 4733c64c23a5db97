from dataclasses import replace
from pathlib import Path

from cortex_local.accounts import INSIGHT, MEMORY
from cortex_local.backlog import Backlog, measure_backlog
from cortex_local.broker_user import connect_as
from cortex_local.layout import claim_layout
from cortex_local.state import read_endpoints
from roxabi_contracts import subjects


def test_total_is_what_waits_anywhere() -> None:
    assert Backlog(arriving=1, lake=2, crossing=3, memory=4).total == 10


async def test_message_that_nobody_took_is_counted(running: Path) -> None:
    endpoints = read_endpoints(claim_layout(running))
    before = await measure_backlog(endpoints, "personal")
    async with connect_as(endpoints.broker, endpoints.seeds, INSIGHT) as connection:
        await connection.client.jetstream().publish(subjects.OBSERVATIONS, b"{}")
    assert await measure_backlog(endpoints, "personal") == replace(
        before, crossing=before.crossing + 1
    )
    async with connect_as(endpoints.broker, endpoints.seeds, MEMORY) as connection:
        inbox = await connection.client.jetstream().pull_subscribe_bind(
            consumer=subjects.DURABLE_INBOX, stream=subjects.STREAM_OBSERVATIONS
        )
        for message in await inbox.fetch(1, timeout=5):
            await message.ack_sync(timeout=5)
    assert await measure_backlog(endpoints, "personal") == before
