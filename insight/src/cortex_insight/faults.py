"""Named steps at which a test can have the process die, as a power cut would have it."""

import os
from enum import StrEnum
from typing import Final

VARIABLE: Final = "CORTEX_FAULT"
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
    """Die here, without any clean-up, if the environment asks for it."""
    if os.environ.get(VARIABLE) == step:
        os._exit(EXIT_CODE)
