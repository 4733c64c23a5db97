"""One NATS server with JetStream under our own supervision: configured, started, awaited."""

import json
import socket
import subprocess
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Final

from cortex_local import accounts
from cortex_local.binaries import nats_server
from cortex_local.errors import StackError
from cortex_local.files import private_folder, write_private
from cortex_local.keys import ensure_keys

MAX_PAYLOAD: Final = 8 * 1024 * 1024
START_SECONDS: Final = 30.0
ANY_PORT: Final = -1
DEFAULT_AGENTS: Final[Mapping[str, str]] = {accounts.AGENT: "personal"}


@dataclass(frozen=True)
class Listening:
    """Where a server listens; `ANY_PORT` lets it choose a free one."""

    client: str = f"127.0.0.1:{ANY_PORT}"
    monitoring: str = f"127.0.0.1:{ANY_PORT}"


def configuration(
    *,
    store: Path,
    listening: Listening,
    public_keys: Mapping[str, str],
    agents: Mapping[str, str] = DEFAULT_AGENTS,
    ports_folder: Path | None = None,
) -> str:
    """The text of the server's configuration (JSON, which its parser reads as its own format)."""
    settings: dict[str, object] = {
        "server_name": "cortex",
        "listen": listening.client,
        "http": listening.monitoring,
        "max_payload": MAX_PAYLOAD,
        "max_pending": 8 * MAX_PAYLOAD,
        "jetstream": {
            "store_dir": str(store),
            "sync_interval": "always",
            "max_file": "64G",
            "max_mem": "256M",
        },
        "accounts": accounts.broker_accounts(public_keys, agents),
        "system_account": accounts.SYSTEM_ACCOUNT,
    }
    if ports_folder is not None:
        settings["ports_file_dir"] = str(ports_folder)
    return json.dumps(settings, indent=2)


def write_configuration(
    path: Path,
    *,
    store: Path,
    seeds: Path,
    listening: Listening,
    agents: Mapping[str, str] = DEFAULT_AGENTS,
    ports_folder: Path | None = None,
) -> None:
    """Write the configuration, generating the keys that are missing in the folder of seeds."""
    names = [user.name for user in accounts.users(agents)]
    text = configuration(
        store=store,
        listening=listening,
        public_keys=ensure_keys(seeds, names),
        agents=agents,
        ports_folder=ports_folder,
    )
    private_folder(path.parent)
    write_private(path, text)


def last_listening(path: Path) -> Listening:
    """Where the server of this configuration listened, so that its clients find it again.

    A port that another program has taken meanwhile is left to it.
    """
    try:
        settings = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return Listening()
    return Listening(_unless_taken(settings["listen"]), _unless_taken(settings["http"]))


def check_configuration(path: Path) -> None:
    """Let the server parse the file. Raises StackError with what it says when it refuses."""
    result = subprocess.run(  # noqa: S603 - the server we ship, our own arguments
        [nats_server(), "-t", "-c", str(path)], check=False, capture_output=True, text=True
    )
    if result.returncode != 0:
        raise StackError(f"The broker refuses its configuration: {result.stderr.strip()}")


def start(path: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the server as a child of this process, writing to the log."""
    return subprocess.Popen(  # noqa: S603 - the server we ship, our own arguments
        [nats_server(), "-c", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )


def wait_until_ready(process: subprocess.Popen[bytes], ports_folder: Path, log: Path) -> Listening:
    """Wait until the server is healthy and say where it listens.

    Raises StackError when it ends or takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            raise StackError("The broker ended while starting.", f"Its log is {log}.")
        listening = _read_ports(ports_folder / f"nats-server_{process.pid}.ports")
        if listening is not None and is_healthy(listening.monitoring):
            return listening
        time.sleep(0.05)
    raise StackError(
        f"The broker was not healthy within {START_SECONDS:.0f} seconds.", f"Its log is {log}."
    )


def is_healthy(monitoring: str) -> bool:
    """Whether the server with this monitoring address says that it is healthy."""
    try:
        with urllib.request.urlopen(f"http://{monitoring}/healthz", timeout=5) as response:
            return bool(json.load(response).get("status") == "ok")
    except (OSError, ValueError):  # not listening yet, or not healthy
        return False


def _unless_taken(address: str) -> str:
    host, _, port = address.rpartition(":")
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server does
        try:
            probe.bind((host, int(port)))
        except (OSError, OverflowError):  # taken, or left open
            return f"{host}:{ANY_PORT}"
    return address


def _read_ports(path: Path) -> Listening | None:
    try:
        ports = json.loads(path.read_text(encoding="utf-8"))
        return Listening(_address(ports["nats"][0]), _address(ports["monitoring"][0]))
    except (FileNotFoundError, ValueError):  # not written yet, or half of it
        return None


def _address(url: str) -> str:
    return url.partition("://")[2]
