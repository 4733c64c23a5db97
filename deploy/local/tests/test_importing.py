import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cortex_local.errors import ExitCode

from .conftest import eventually, stand_in_environment

IN_THE_BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
"""As a shell starts what stands before `&`: deaf to interrupts."""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_import_in_the_background_can_be_ended(
    running: Path, tmp_path: Path, number: signal.Signals
) -> None:
    history = tmp_path / "history"
    history.write_text("")
    command = [sys.executable, "-m", "cortex_local", "import", "endless", str(history)]
    process = subprocess.Popen(
        [*IN_THE_BACKGROUND, *command, "--owner=a@b.c"],
        env={**os.environ, **stand_in_environment(), "CORTEX_HOME": str(running)},
        stderr=subprocess.PIPE,
        text=True,
    )
    assert eventually(lambda: history.read_text() == "started")
    process.send_signal(number)
    said = process.communicate()[1]
    assert process.returncode == ExitCode.INTERRUPTED
    assert "Repeat the same command" in said
