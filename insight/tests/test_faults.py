"""A fault that a test asks for kills the process at its step, and at no other."""

import os
import subprocess
import sys

import pytest
from cortex_insight.faults import EXIT_CODE, VARIABLE, Step

PROGRAM = "from cortex_insight.faults import Step, reached; reached(Step.AFTER_STORE)"


@pytest.mark.parametrize(
    ("fault", "code"), [(Step.AFTER_STORE, EXIT_CODE), (Step.AFTER_ACK, 0), ("", 0)]
)
def test_only_the_named_step_kills(fault: str, code: int) -> None:
    environment = os.environ | {VARIABLE: fault}
    assert subprocess.run([sys.executable, "-c", PROGRAM], env=environment).returncode == code
