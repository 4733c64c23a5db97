"""Real servers for the tests, and folders for stacks that are gone afterwards."""

import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path

import pytest
from cortex_local import databases, nats, postgres
from cortex_local.__main__ import main
from cortex_local.binaries import installed_postgres
from cortex_local.confinement import PostgresHome, SystemFolders, forget_home, plan_home
from cortex_local.control import start_stack, stop_stack
from cortex_local.files import secret
from cortex_local.health import wait_for_services
from cortex_local.layout import claim_layout, find_layout
from cortex_local.parts import terminate
from cortex_local.provision import provision
from cortex_local.state import read_endpoints

STAND_IN = Path(__file__).with_name("stand_in_service.py")
SECONDS = 60.0
INSIGHT_PASSWORD, MEMORY_PASSWORD = "one", "two"
AS_ROOT = os.geteuid() == 0


@dataclass(frozen=True)
class Cluster:
    """A running Postgres with the databases of the product."""

    home: PostgresHome
    process: subprocess.Popen[bytes]
    superuser: str
    insight: str
    memory: str


@dataclass(frozen=True)
class Broker:
    """A running NATS with the accounts and streams of the product."""

    url: str
    monitoring: str
    seeds: Path


def stand_in_environment() -> dict[str, str]:
    """The environment of a command whose services are stand-ins."""
    inherited = {key: text for key, text in os.environ.items() if not key.startswith("CORTEX_")}
    commands = {
        f"CORTEX_{service.upper()}_COMMAND": f"{sys.executable} {STAND_IN} {service}"
        for service in ("insight", "memory")
    }
    return {**inherited, **commands}


def run(*arguments: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    return int(ended.value.code or 0)


def remove_stack(folder: Path) -> None:
    """Stop the stack of the folder and remove all it kept."""
    layout = find_layout(folder) if (folder / "stack.json").exists() else None
    if layout is not None:
        stop_stack(folder, lambda _step: None)
        forget_home(layout, SystemFolders())
    shutil.rmtree(folder, ignore_errors=True)


def eventually(condition: Callable[[], bool]) -> bool:
    """Whether the condition becomes true before patience ends."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.05)
    return False


def make_short_folder() -> Path:
    """A new folder with a path short enough for a socket."""
    return Path(tempfile.mkdtemp(prefix="cx-"))


@pytest.fixture
def short_folder() -> Generator[Path]:
    """A folder of this test, with a path short enough for a socket."""
    folder = make_short_folder()
    yield folder
    for stack in list(folder.glob("**/stack.json")):
        remove_stack(stack.parent)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def stack(short_folder: Path) -> Path:
    """The folder of a stack that does not exist yet."""
    return short_folder / "stack"


@pytest.fixture(scope="session")
def cluster() -> Generator[Cluster]:
    folder = make_short_folder()
    layout = claim_layout(folder / "stack")
    system = SystemFolders()
    home = plan_home(layout, installed_postgres(), root=AS_ROOT, system=system)
    password = secret(layout.secrets / "postgres")
    postgres.initialise(home, password)
    with layout.log("postgres").open("ab") as log:
        process = postgres.start(home, log)
    superuser = postgres.superuser_conninfo(home, password)
    postgres.wait_until_ready(process, superuser, layout.log("postgres"))
    passwords = {databases.INSIGHT: INSIGHT_PASSWORD, databases.MEMORY: MEMORY_PASSWORD}
    databases.prepare_databases(superuser, passwords)
    databases.close_maintenance_databases(superuser)
    yield Cluster(
        home,
        process,
        superuser,
        *(databases.role_conninfo(superuser, name, word) for name, word in passwords.items()),
    )
    postgres.stop(process)
    forget_home(layout, system)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def broker() -> Generator[Broker]:
    folder = make_short_folder()
    configuration, log = folder / "nats.conf", folder / "nats.log"
    nats.write_configuration(
        configuration,
        store=folder / "store",
        seeds=folder / "seeds",
        listening=nats.Listening(),
        ports_folder=folder,
    )
    with log.open("ab") as output:
        process = nats.start(configuration, output)
    listening = nats.wait_until_ready(process, folder, log)
    url = f"nats://{listening.client}"
    asyncio.run(provision(url, folder / "seeds"))
    yield Broker(url, listening.monitoring, folder / "seeds")
    terminate(process)
    shutil.rmtree(folder)


@pytest.fixture(scope="session")
def running() -> Generator[Path]:
    """The folder of a stack that runs, its services stood in for."""
    parent = make_short_folder()
    start_stack(parent / "stack", stand_in_environment(), lambda _step: None)
    layout = claim_layout(parent / "stack")
    asyncio.run(wait_for_services(layout, read_endpoints(layout), SECONDS))
    yield parent / "stack"
    remove_stack(parent / "stack")
    parent.rmdir()
