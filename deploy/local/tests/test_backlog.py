from pathlib import Path

from cortex_local.accounts import INSIGHT
from cortex_local.backlog import Backlog, measure_backlog
from cortex_local.broker_user import connect_as
from cortex_local.control import start_stack
from cortex_local.health import wait_for_services
from cortex_local.layout import claim_layout
from cortex_local.state import read_endpoints
from roxabi_contracts import subjects

from .conftest import SECONDS, stand_in_environment


def test_total_is_what_waits_anywhere() -> None:
    assert Backlog(arriving=1, lake=2, crossing=3, memory=4).total == 10


async def test_message_that_nobody_took_is_counted(stack: Path) -> None:
    start_stack(stack, stand_in_environment(), lambda _step: None)
    layout = claim_layout(stack)
    endpoints = read_endpoints(layout)
    await wait_for_services(layout, endpoints, SECONDS)
    assert (await measure_backlog(endpoints, "personal")).total == 0
    async with connect_as(endpoints.broker, endpoints.seeds, INSIGHT) as connection:
        await connection.client.jetstream().publish(subjects.OBSERVATIONS, b"{}")
    assert await measure_backlog(endpoints, "personal") == Backlog(0, 0, 1, 0)
