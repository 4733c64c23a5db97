"""Fault points: places where a test may have the process killed, or stopped for a while."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterable
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
    BEFORE_REBUILT_IDENTITIES_COMMIT = "before_rebuilt_identities_commit"
    AFTER_REBUILT_IDENTITIES_COMMIT = "after_rebuilt_identities_commit"
    BEFORE_REBUILT_MEMORY_COMMIT = "before_rebuilt_memory_commit"
    AFTER_REBUILT_MEMORY_COMMIT = "after_rebuilt_memory_commit"


FaultPoint = Callable[[Step], None]
"""Told of every step as it is reached."""


def no_fault(step: Step) -> None:
    """Let every step pass."""


def faults(fatal: Step | None, stops: Iterable[Step]) -> FaultPoint:
    """A fault point for steps that come from outside.

    Args:
        fatal: Where this process ends, at once and without any cleaning up.
        stops: Where it stops until it gets SIGCONT, once for each time that a step is named.
    """
    waiting = Counter(stops)

    def reach(step: Step) -> None:
        if step is fatal:
            os._exit(KILLED)
        if waiting[step]:
            waiting[step] -= 1
            os.kill(os.getpid(), signal.SIGSTOP)

    return reach
