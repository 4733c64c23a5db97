"""A loop goes on whatever a step does, says what went wrong, and stops when told to."""

import asyncio

from cortex_insight.errors import StoreUnavailable
from cortex_insight.loop import repeat
from structlog.testing import capture_logs


class Steps:
    """Raises each of some errors in turn, then asks to stop."""

    def __init__(self, *errors: Exception | None) -> None:
        self.stopping = asyncio.Event()
        self._errors = [*errors]

    async def __call__(self) -> None:
        if not self._errors:
            self.stopping.set()
            return
        error = self._errors.pop(0)
        if error is not None:
            raise error


async def test_faults_are_counted_until_a_step_succeeds() -> None:
    steps = Steps(StoreUnavailable("away"), KeyError("a secret"), None, StoreUnavailable("away"))
    with capture_logs() as logs:
        await asyncio.wait_for(repeat("ingest", steps, steps.stopping), 5)
    assert [(entry["event"], entry["failures"]) for entry in logs] == [
        ("step_failed", 1),
        ("step_crashed", 2),
        ("step_failed", 1),
    ]
    assert "in __call__" in logs[1]["place"]
    assert "secret" not in repr(logs)


async def test_a_pause_ends_when_the_loop_shall_stop() -> None:
    stopping = asyncio.Event()

    async def fail() -> None:
        stopping.set()
        raise StoreUnavailable("away")

    await asyncio.wait_for(repeat("ingest", fail, stopping), 0.15)
