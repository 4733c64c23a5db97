"""Postgres and NATS from the Python packages, under the hand of a test: start, stop, kill."""

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

from cortex_local import nats, parts, postgres
from cortex_local.binaries import installed_postgres
from cortex_local.confinement import SystemFolders, forget_home, plan_home
from cortex_local.errors import StackError
from cortex_local.files import secret
from cortex_local.layout import claim_layout

RESTART_SECONDS: Final = 60.0


class EmbeddedPostgres:
    """One cluster of its own below the folder; it keeps its address over a restart."""

    def __init__(self, folder: Path) -> None:
        self._layout = claim_layout(folder)
        self._system = SystemFolders()
        self._home = plan_home(
            self._layout, installed_postgres(), root=os.geteuid() == 0, system=self._system
        )
        password = secret(self._layout.secrets / "postgres")
        postgres.initialise(self._home, password)
        self.superuser = postgres.superuser_conninfo(self._home, password)
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start the server, again and again while the one that was killed still lets go."""
        deadline = time.monotonic() + RESTART_SECONDS
        log = self._layout.log("postgres")
        while True:
            with log.open("ab") as output:
                self._process = postgres.start(self._home, output)
            try:
                postgres.wait_until_ready(self._process, self.superuser, log)
            except StackError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.2)
            else:
                return

    def kill(self) -> None:
        """End the server at once, as a power cut does to the process."""
        _kill(self._process)

    def stop(self) -> None:
        """Stop the server in good order."""
        if self._process is not None:
            postgres.stop(self._process)

    def remove(self) -> None:
        """End the server without a last checkpoint, and remove everything it kept."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        forget_home(self._layout, self._system)
        shutil.rmtree(self._layout.folder)


class EmbeddedBroker:
    """One NATS server with the accounts of the product; it keeps its port over a restart."""

    def __init__(self, folder: Path) -> None:
        self._layout = claim_layout(folder)
        self.seeds = self._layout.seeds
        self._listening = nats.Listening()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where clients connect."""
        return f"nats://{self._listening.client}"

    def start(self) -> None:
        """Start the server and wait until it is healthy."""
        folder, log = self._layout.broker, self._layout.log("nats")
        nats.write_configuration(
            folder / "nats.conf",
            store=folder / "store",
            seeds=self.seeds,
            listening=self._listening,
            ports_folder=folder,
        )
        with log.open("ab") as output:
            self._process = nats.start(folder / "nats.conf", output)
        self._listening = nats.wait_until_ready(self._process, folder, log)

    def kill(self) -> None:
        """End the server at once, as a power cut does to the process."""
        _kill(self._process)

    def stop(self) -> None:
        """Stop the server in good order."""
        if self._process is not None:
            parts.terminate(self._process)

    def files_with(self, word: str) -> set[str]:
        """The files of the store in which the word stands."""
        store = self._layout.broker / "store"
        return {
            str(path.relative_to(store))
            for path in store.rglob("*")
            if path.is_file() and word.encode() in path.read_bytes()
        }

    def remove(self) -> None:
        """Stop the server and remove everything it kept."""
        self.stop()
        shutil.rmtree(self._layout.folder)


def _kill(process: subprocess.Popen[bytes] | None) -> None:
    assert process is not None, "only a server that was started can be killed"
    process.kill()
    process.wait()
