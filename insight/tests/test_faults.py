"""A fault that a test asks for kills or stops the process at its step, and at no other."""

import json
import os
import signal
import subprocess
import sys

import pytest
from cortex_insight.faults import EXIT_CODE, STOPS_VARIABLE, VARIABLE, Step

PROGRAM = "from cortex_insight.faults import Step, reached; reached(Step.AFTER_STORE)"


@pytest.mark.parametrize(
    ("fault", "code"), [(Step.AFTER_STORE, EXIT_CODE), (Step.AFTER_ACK, 0), ("", 0)]
)
def test_only_the_named_step_kills(fault: str, code: int) -> None:
    environment = os.environ | {VARIABLE: fault}
    assert subprocess.run([sys.executable, "-c", PROGRAM], env=environment).returncode == code


def test_the_named_step_stops_once() -> None:
    program = f"{PROGRAM}; reached(Step.AFTER_STORE)"
    environment = os.environ | {STOPS_VARIABLE: json.dumps([Step.AFTER_STORE])}
    with subprocess.Popen([sys.executable, "-c", program], env=environment) as process:
        _, status = os.waitpid(process.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        process.send_signal(signal.SIGCONT)
        assert process.wait() == 0
