"""Postgres and NATS as containers, where a Docker engine answers."""

import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cortex_local import nats
from cortex_local.binaries import NATS_DISTRIBUTION
from cortex_local.files import private_folder
from docker.errors import DockerException

if TYPE_CHECKING:
    from testcontainers.core.container import DockerContainer

PROBE_SECONDS: Final = 2
POSTGRES_IMAGE: Final = "pgvector/pgvector:pg18"
CLIENT_PORT: Final = 4222
MONITORING_PORT: Final = 8222
CONFIGURATION: Final = "/etc/nats/nats.conf"


class NoContainers(Exception):
    """The Docker engine could not start a container."""


def docker_answers() -> bool:
    """Whether a Docker engine answers here; a `docker` program on the path proves nothing.

    Asked in a process of its own, because the client leaves the socket open that did not connect.
    """
    probe = f"import docker; docker.from_env(timeout={PROBE_SECONDS}).ping()"
    return subprocess.run([sys.executable, "-c", probe], capture_output=True).returncode == 0


@contextmanager
def postgres_container() -> Generator[str]:
    """The superuser's connection string of a new container. Raises NoContainers."""
    # Half a second to import, and of no use without an engine.
    from testcontainers.community.postgres import PostgresContainer

    container = PostgresContainer(POSTGRES_IMAGE, driver=None)
    container.with_command("postgres -c max_connections=200")
    with _started(container):
        yield container.get_connection_url()


@contextmanager
def broker_container(folder: Path) -> Generator[tuple[str, Path]]:
    """The address of a new container and the seeds of its users. Raises NoContainers."""
    from testcontainers.core.container import DockerContainer
    from testcontainers.core.wait_strategies import LogMessageWaitStrategy

    seeds, configuration = private_folder(folder / "seeds"), folder / "nats.conf"
    nats.write_configuration(
        configuration,
        store=Path("/data"),
        seeds=seeds,
        listening=nats.Listening(f"0.0.0.0:{CLIENT_PORT}", f"0.0.0.0:{MONITORING_PORT}"),
    )
    container = DockerContainer(f"nats:{metadata.version(NATS_DISTRIBUTION)}")
    container.with_exposed_ports(CLIENT_PORT, MONITORING_PORT)
    container.with_volume_mapping(str(configuration), CONFIGURATION)
    container.with_command(["--config", CONFIGURATION])
    container.waiting_for(LogMessageWaitStrategy("Server is ready"))
    with _started(container):
        address, port = container.get_container_host_ip(), container.get_exposed_port(CLIENT_PORT)
        yield f"nats://{address}:{port}", seeds


@contextmanager
def _started(container: "DockerContainer") -> Generator[None]:
    from testcontainers.core.exceptions import ContainerStartException

    try:
        container.start()
    except (DockerException, ContainerStartException, OSError) as error:
        raise NoContainers(f"{container.image}: {error}") from error
    try:
        yield
    finally:
        container.stop()
