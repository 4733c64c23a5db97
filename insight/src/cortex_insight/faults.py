"""Named steps at which a test can have the process die, as a power cut would have it, or stop."""

import json
import os
import signal
from enum import StrEnum
from typing import Final

VARIABLE: Final = "CORTEX_FAULT"
STOPS_VARIABLE: Final = "CORTEX_STOPS"
"""Steps as a JSON list: at each the process stops until SIGCONT, once for each time it is named."""
EXIT_CODE: Final = 137


class Step(StrEnum):
    """A step that was just done."""

    AFTER_FETCH = "after_fetch"
    BEFORE_COMMIT = "before_commit"
    AFTER_STORE = "after_store"
    AFTER_ACK = "after_ack"
    AFTER_CLAIM = "after_claim"
    AFTER_PUBLISH_BEFORE_MARK = "after_publish_before_mark"
    AFTER_MARK = "after_mark"
    BEFORE_ERASE_COMMIT = "before_erase_commit"
    AFTER_ERASE_COMMIT = "after_erase_commit"
    AFTER_ERASE_SWEEP = "after_erase_sweep"


def reached(step: Step) -> None:
    """Die here, without any clean-up, or stop here, if the environment asks for it."""
    if os.environ.get(VARIABLE) == step:
        os._exit(EXIT_CODE)
    stops = json.loads(os.environ.get(STOPS_VARIABLE, "[]"))
    if step in stops:
        stops.remove(step)
        os.environ[STOPS_VARIABLE] = json.dumps(stops)
        os.kill(os.getpid(), signal.SIGSTOP)
