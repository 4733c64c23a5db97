"""The cortex command: every error is one sentence and what to do, and an exit code of its own."""

import signal
import sys
from collections.abc import Sequence

from rich.markup import escape
from roxabi_contracts.errors import ContractError

from cortex_local.cli.app import app
from cortex_local.cli.console import messages
from cortex_local.errors import ExitCode, StackError


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command and exit with its code."""
    _end_as_if_interrupted()
    try:
        app(args=None if arguments is None else list(arguments), prog_name="cortex")
    except StackError as error:
        messages.print(f"[red]Error:[/] {escape(error.message)}")
        if error.hint:
            messages.print(f"  {escape(error.hint)}")
        sys.exit(error.exit_code)
    except ContractError as error:
        messages.print(f"[red]Error:[/] {escape(str(error))}")
        sys.exit(ExitCode.FAILED)


def _end_as_if_interrupted() -> None:
    """Clean up after a polite end as after Ctrl-C: nothing that was started is left behind."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)


if __name__ == "__main__":
    main()
