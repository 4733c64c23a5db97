import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest
from cortex_local import backlog
from cortex_local.accounts import INSIGHT, MEMORY
from cortex_local.backlog import Backlog, measure_backlog, measure_patiently
from cortex_local.broker_user import connect_as
from cortex_local.errors import StackUnhealthy
from cortex_local.layout import claim_layout
from cortex_local.state import read_endpoints, read_state
from roxabi_contracts import subjects


def test_total_is_what_waits_anywhere_but_for_a_vector() -> None:
    assert Backlog(arriving=1, lake=2, crossing=3, memory=4, vectors=5).total == 10


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


async def test_restart_of_a_service_is_waited_for(running: Path) -> None:
    layout = claim_layout(running)
    endpoints = read_endpoints(layout)
    before = await measure_backlog(endpoints, "personal")
    state = read_state(layout)
    assert state is not None
    insight = state.parts["insight"].pid
    assert insight is not None
    os.kill(insight, signal.SIGKILL)
    assert await measure_patiently(endpoints, "personal") == before


async def test_stack_that_stays_away_is_unhealthy(
    running: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backlog, "RESTART_SECONDS", 0.0)
    gone = replace(read_endpoints(claim_layout(running)), broker="nats://127.0.0.1:1")
    with pytest.raises(StackUnhealthy, match="does not answer"):
        await measure_patiently(gone, "personal")
