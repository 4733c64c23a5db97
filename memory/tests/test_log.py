"""What the logs say, and what they keep to themselves."""

import json
import logging
from collections.abc import Iterator

import pytest
import structlog
from cortex_memory.log import configure_logging


@pytest.fixture(autouse=True)
def unconfigured() -> Iterator[None]:
    """Leave logging as it was."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    structlog.reset_defaults()
    root.handlers[:] = handlers
    root.setLevel(level)


def test_a_fault_is_logged_with_its_place_and_without_its_message(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging("INFO")
    said = "what Ann said"
    try:
        int(said)
    except ValueError:
        structlog.get_logger().exception("ours_failed")
        logging.getLogger("library").exception("theirs failed")

    written = capsys.readouterr().err
    lines = [json.loads(line) for line in written.splitlines()]

    assert [line["event"] for line in lines] == ["ours_failed", "theirs failed"]
    assert all("ValueError" in line["exception"] for line in lines)
    assert all("int(said)" in line["exception"] for line in lines)
    assert said not in written
