"""Fault points: places where a test may have the process killed."""

import os
from collections.abc import Callable
from enum import StrEnum
from typing import Final

KILLED: Final = 137
"""The exit code of a process that SIGKILL has ended."""


class Step(StrEnum):
    """The steps between which a crash must lose nothing and double nothing."""

    BEFORE_INBOX_COMMIT = "before_inbox_commit"
    AFTER_INBOX_COMMIT = "after_inbox_commit"
    AFTER_LEASE = "after_lease"
    BEFORE_APPLY_COMMIT = "before_apply_commit"
    AFTER_APPLY_COMMIT = "after_apply_commit"
    AFTER_CHANGES_PUBLISHED = "after_changes_published"
    AFTER_REJECTED_PUBLISHED = "after_rejected_published"
    BEFORE_FORGET_COMMIT = "before_forget_commit"
    AFTER_FORGET_COMMIT = "after_forget_commit"
    AFTER_LAKE_FORGOT = "after_lake_forgot"
    AFTER_FORGET_SWEEP = "after_forget_sweep"


FaultPoint = Callable[[Step], None]
"""Told of every step as it is reached."""


def no_fault(step: Step) -> None:
    """Let every step pass."""


def kill_at(fatal: Step) -> FaultPoint:
    """A fault point that ends this process at once, without any cleaning up, at one step."""

    def reach(step: Step) -> None:
        if step is fatal:
            os._exit(KILLED)

    return reach
