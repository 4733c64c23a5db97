"""Looking into the stores and making them anew, by the services' own programs."""

import asyncio
import subprocess
from pathlib import Path
from typing import Annotated

import typer

from cortex_local import control, databases, nats
from cortex_local.broker_user import require_synchronous_writes, server_figures
from cortex_local.cli.console import OnlyProject, environment, folder, messages, steps
from cortex_local.errors import StackError
from cortex_local.provision import Drift, provision
from cortex_local.services import MEMORY, service_command, service_environment
from cortex_local.state import read_endpoints


def dump(
    project: OnlyProject = None,
    now: Annotated[
        str | None,
        typer.Option(help="Compute it anew from the journal, as of this time (ISO 8601)."),
    ] = None,
) -> None:
    """Print what memory holds, as sorted lines of JSON.

    The order in which a memory learned shows nowhere. Ids are its own: another
    memory gives the same facts other ids.

    Example: cortex dump > before.jsonl
    """
    _run_memory("dump", *_given("--project", project), *_given("--now", now))


def rebuild(project: OnlyProject = None) -> None:
    """Make memory's state anew from its journal, while it answers and learns on.

    What is right stays as it is. One that was interrupted has only to be repeated.
    It applies a changed catalogue of predicates (CORTEX_PREDICATES) to what is
    remembered already; start the services with it first.

    Example: cortex rebuild
    """
    with steps() as progress:
        progress("rebuilding memory from its journal")
        _run_memory("rebuild", *_given("--project", project))


def broker_config(
    target: Annotated[Path, typer.Argument(help="The folder to write into.")],
    listen: Annotated[str, typer.Option(help="Where clients connect.")] = "0.0.0.0:4222",
    monitoring: Annotated[str, typer.Option(help="Where figures are read.")] = "127.0.0.1:8222",
    store: Annotated[Path, typer.Option(help="Where the broker keeps its streams.")] = Path(
        "/data"
    ),
) -> None:
    """Write the configuration and the keys for a NATS server of your own.

    Run that server with nats.conf, then set CORTEX_NATS_URL and
    CORTEX_NATS_SEED_DIR. Keys that exist are kept.

    Example: cortex broker-config ./broker --store /var/lib/nats
    """
    seeds = target / "seeds"
    listening = nats.Listening(listen, monitoring)
    try:
        nats.write_configuration(
            target / "nats.conf", store=store, seeds=seeds, listening=listening
        )
    except OSError as error:
        raise StackError(
            f"{target} cannot be written into: {error.strerror}.", "Name another folder."
        ) from error
    messages.print(f"Wrote {target / 'nats.conf'} and the keys in {seeds}.")


def provision_servers() -> None:
    """Make the databases, roles, streams and durables on servers of your own.

    Reads CORTEX_POSTGRES_URL, CORTEX_NATS_URL, CORTEX_NATS_SEED_DIR, and the
    passwords that the roles get: CORTEX_INSIGHT_PASSWORD and
    CORTEX_MEMORY_PASSWORD. `cortex up` does all this by itself.

    Example: cortex provision
    """
    passwords = {
        databases.INSIGHT: _required("CORTEX_INSIGHT_PASSWORD"),
        databases.MEMORY: _required("CORTEX_MEMORY_PASSWORD"),
    }
    broker, seeds = _required("CORTEX_NATS_URL"), Path(_required("CORTEX_NATS_SEED_DIR"))
    databases.prepare_databases(_required("CORTEX_POSTGRES_URL"), passwords)
    for drift in asyncio.run(_provision(broker, seeds)):
        messages.print(f"Settled {drift}.")
    messages.print("The databases and streams are as they have to be.")


async def _provision(broker: str, seeds: Path) -> list[Drift]:
    require_synchronous_writes(await server_figures(broker, seeds))
    return await provision(broker, seeds)


def _required(variable: str) -> str:
    if value := environment().get(variable):
        return value
    raise typer.BadParameter(f"{variable} is not set.")


def _given(option: str, value: str | None) -> tuple[str, ...]:
    return () if value is None else (option, value)


def _run_memory(*arguments: str) -> None:
    endpoints = read_endpoints(control.running_stack(folder()))
    command = service_command(MEMORY, environment(), *arguments)
    variables = service_environment(MEMORY, endpoints, environment())
    ended = subprocess.run(command, env=variables, check=False)  # noqa: S603 - its own program
    raise typer.Exit(ended.returncode)
