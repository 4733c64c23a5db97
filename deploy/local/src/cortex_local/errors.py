"""Every error the stack reports: one sentence of what is wrong, one of what to do.

StackError
|-- WrongUsage        the command was given something it cannot use
|-- StackNotRunning   nothing runs in the stack folder
`-- StackUnhealthy    something runs, and not as it has to
"""

from enum import IntEnum


class ExitCode(IntEnum):
    """Exit codes of the cortex command."""

    OK = 0
    FAILED = 1
    USAGE = 2
    NOT_RUNNING = 3
    UNHEALTHY = 4
    INTERRUPTED = 130


class StackError(Exception):
    """The stack cannot do what was asked."""

    exit_code = ExitCode.FAILED

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class WrongUsage(StackError):
    """The command was given something it cannot use."""

    exit_code = ExitCode.USAGE


class StackNotRunning(StackError):
    """No stack runs in this folder."""

    exit_code = ExitCode.NOT_RUNNING


class StackUnhealthy(StackError):
    """The stack runs, but a check failed."""

    exit_code = ExitCode.UNHEALTHY
