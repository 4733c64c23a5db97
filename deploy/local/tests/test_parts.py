import subprocess
import sys
from pathlib import Path
from typing import IO

from cortex_local.parts import (
    LONGEST_PAUSE,
    SHORTEST_PAUSE,
    Part,
    Process,
    pause_before_restart,
    terminate,
)
from hypothesis import given
from hypothesis import strategies as st


@given(st.integers(min_value=1, max_value=10_000))
def test_pause_grows_up_to_a_bound(failures: int) -> None:
    pause = pause_before_restart(failures)
    assert SHORTEST_PAUSE <= pause <= LONGEST_PAUSE
    assert pause <= pause_before_restart(failures + 1)


def part_running(code: str, folder: Path) -> Part:
    def launch(output: IO[bytes]) -> Process:
        return subprocess.Popen([sys.executable, "-c", code], stdout=output)

    return Part("trial", folder / "trial.log", launch, lambda process: terminate(process, 0.2))


def test_ended_process_is_reported_once_and_waits_for_its_pause(tmp_path: Path) -> None:
    part = part_running("print('hello'); raise SystemExit(7)", tmp_path)
    part.start().wait()
    assert part.watch() == 7
    assert part.watch() is None
    assert part.state().pid is None
    assert (tmp_path / "trial.log").read_text() == "hello\n"


def test_running_process_is_left_alone(tmp_path: Path) -> None:
    part = part_running("import time; time.sleep(60)", tmp_path)
    process = part.start()
    assert part.watch() is None
    assert part.state().pid == process.pid
    part.stop()
    assert process.poll() is not None
    part.stop()


def test_process_that_does_not_listen_is_ended(tmp_path: Path) -> None:
    stubborn = "import signal, time; signal.signal(15, signal.SIG_IGN); print(1, flush=True); "
    part = part_running(stubborn + "time.sleep(60)", tmp_path)
    process = part.start()
    while not (tmp_path / "trial.log").read_text():
        pass
    part.stop()
    assert process.returncode == -9
