"""A real broker for the tests of the clients."""

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

CONFIGURATION = """
listen: 127.0.0.1:-1
jetstream {{ store_dir: "{folder}/store", sync_interval: always }}
max_payload: 8MB
authorization {{
  users: [
    {{ user: all, password: all }}
    {{ user: one, password: one, permissions: {{
        publish: ["roxabi.*.*.context.mine", "roxabi.insight.events.publish.message.mine"],
        subscribe: "_INBOX.>" }} }}
  ]
}}
"""


@contextmanager
def running_broker(folder: Path) -> Iterator[str]:
    """Start a broker with two users, `all` and `one`; yields host and port."""
    executable = shutil.which("nats-server", path=str(Path(sys.executable).parent))
    assert executable is not None
    configuration = folder / "nats.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder))
    command = [executable, "-c", str(configuration), "--ports_file_dir", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    try:
        yield _address(folder)
    finally:
        process.terminate()
        process.wait()


def _address(folder: Path) -> str:
    for _ in range(500):
        for ports in folder.glob("*.ports"):
            address: str = ports.read_text().split('"nats://')[1].split('"')[0]
            return address
        time.sleep(0.02)
    raise AssertionError("the broker did not say where it listens")
