"""Starting, finding and stopping the stack of a folder from the outside."""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from cortex_local.errors import StackError, StackNotRunning
from cortex_local.files import PRIVATE_FILE
from cortex_local.layout import StackLayout, claim_layout, find_layout
from cortex_local.leftovers import stop_leftovers
from cortex_local.locks import exclusive_lock, is_held, waiting_lock
from cortex_local.models import refuse_two_models
from cortex_local.own_predicates import with_whole_path
from cortex_local.state import Phase, StackState, read_state

START_SECONDS: Final = 180.0
STOP_SECONDS: Final = 120.0
_POLL_SECONDS: Final = 0.05

Progress = Callable[[str], None]


def start_stack(folder: Path, environment: Mapping[str, str], progress: Progress) -> bool:
    """Start the stack unless it runs; returns whether this call started it.

    Returns when its parts are started. Raises StackError when one of them cannot be.
    """
    refuse_two_models(environment)
    environment = with_whole_path(environment)
    layout = claim_layout(folder)
    with waiting_lock(layout.start_lock):
        _wait_until_stopped(layout, progress)
        if is_held(layout.supervisor_lock):
            _wait_until_started(layout, None, progress)
            return False
        layout.state.unlink(missing_ok=True)
        _wait_until_started(layout, _spawn(layout, environment), progress)
        return True


def running_stack(folder: Path) -> StackLayout:
    """The layout of the running stack. Raises StackNotRunning when there is none."""
    layout = find_layout(folder)
    if layout is None or not is_held(layout.supervisor_lock):
        raise StackNotRunning(f"No stack runs in {folder}.", "Start it with `cortex up`.")
    return layout


def stop_stack(folder: Path, progress: Progress) -> bool:
    """Stop the stack and wait until it has ended; returns whether there was one."""
    layout = find_layout(folder)
    if layout is None:
        return False
    deadline = time.monotonic() + STOP_SECONDS
    asked: int | None = None
    while is_held(layout.supervisor_lock):
        pid = _read_pid(layout)
        if pid is not None and pid != asked:
            progress("stopping")
            os.kill(pid, signal.SIGTERM)
            asked = pid
        if time.monotonic() > deadline:
            raise StackError(
                f"The stack in {folder} did not stop within {STOP_SECONDS:.0f} seconds.",
                f"Its supervisor is process {pid}; its log is {layout.log('supervisor')}.",
            )
        time.sleep(_POLL_SECONDS)
    with exclusive_lock(layout.supervisor_lock) as free:
        left = stop_leftovers(layout.children) if free else []
    return asked is not None or bool(left)


def _spawn(layout: StackLayout, environment: Mapping[str, str]) -> int:
    log = str(layout.log("supervisor"))
    append = os.O_WRONLY | os.O_CREAT | os.O_APPEND
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-m", "cortex_local", "supervise"],
        {**environment, "CORTEX_HOME": str(layout.folder)},
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, log, append, PRIVATE_FILE),
            (os.POSIX_SPAWN_DUP2, 1, 2),
        ],
    )


def _wait_until_stopped(layout: StackLayout, progress: Progress) -> None:
    deadline = time.monotonic() + STOP_SECONDS
    if _is_stopping(layout):
        progress("waiting for the last stop to end")
    while _is_stopping(layout) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)


def _is_stopping(layout: StackLayout) -> bool:
    if not is_held(layout.supervisor_lock):
        return False
    state = read_state(layout)
    return state is not None and state.phase is Phase.STOPPING


def _wait_until_started(layout: StackLayout, supervisor: int | None, progress: Progress) -> None:
    deadline = time.monotonic() + START_SECONDS
    step = ""
    while time.monotonic() < deadline:
        ended = (
            os.waitpid(supervisor, os.WNOHANG) != (0, 0)
            if supervisor is not None
            else not is_held(layout.supervisor_lock)
        )
        state = read_state(layout)
        if state is not None and state.phase is Phase.READY:
            return
        if ended:
            raise _failure(layout, state)
        if state is not None and state.step != step:
            step = state.step
            progress(step)
        time.sleep(_POLL_SECONDS)
    raise StackError(
        f"The stack did not start within {START_SECONDS:.0f} seconds.",
        f"Its log is {layout.log('supervisor')}.",
    )


def _failure(layout: StackLayout, state: StackState | None) -> StackError:
    if state is not None and state.phase is Phase.FAILED:
        return StackError(state.message, state.hint)
    return StackError(
        "The supervisor of the stack ended while starting.",
        f"Its log is {layout.log('supervisor')}.",
    )


def _read_pid(layout: StackLayout) -> int | None:
    try:
        return int(layout.pid_file.read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):  # not written yet
        return None
