"""Examines a stack: what it needs of the machine, of its servers and of its services."""

import os
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg
from nats.errors import Error as NatsError
from roxabi_contracts.operations import MemoryStats, SourcesReply

from cortex_local import databases
from cortex_local.binaries import NATS_DISTRIBUTION, POSTGRES_DISTRIBUTION, package_version
from cortex_local.broker_user import require_synchronous_writes, server_figures
from cortex_local.confinement import SystemFolders, check_socket_path, socket_folder
from cortex_local.errors import StackError
from cortex_local.health import ask_services
from cortex_local.layout import StackLayout, find_layout
from cortex_local.locks import is_held
from cortex_local.models import refuse_two_models
from cortex_local.own_predicates import own_predicates
from cortex_local.provision import find_drift
from cortex_local.state import Endpoints, Phase, read_endpoints, read_state

DISK_FLOOR: Final = 2 * 1024**3
BROKER_FLOOR: Final = (2, 12)
POSTGRES_FLOOR: Final = 16


@dataclass(frozen=True)
class Check:
    """One examined thing; `hint` says what to do when it is not well."""

    name: str
    well: bool
    detail: str
    hint: str = ""


async def examine(folder: Path, environment: Mapping[str, str]) -> list[Check]:
    """Every check that can be made: those of the machine always, the others on a running stack."""
    checks = [
        await _guarded("folder", lambda: _folder(folder)),
        await _guarded("socket path", lambda: _socket_path(folder, environment)),
        await _guarded("disk", lambda: _disk(folder)),
        await _guarded("packages", _packages),
        await _guarded("models", lambda: _models(environment)),
        await _guarded("predicates", lambda: _predicates(environment)),
    ]
    layout = find_layout(folder) if checks[0].well else None
    if layout is None or not is_held(layout.supervisor_lock):
        return [*checks, Check("stack", False, "it does not run", "Start it with `cortex up`.")]
    return [*checks, _parts(layout), *await _servers(read_endpoints(layout))]


async def _servers(endpoints: Endpoints) -> list[Check]:
    figures: dict[str, Any] = {}

    async def broker() -> Check:
        figures.update(await server_figures(endpoints.broker, endpoints.seeds))
        return _broker_version(str(figures["version"]))

    async def durability() -> Check:
        require_synchronous_writes(figures)
        return Check("durability", True, "messages are on disk before they are acknowledged")

    async def streams() -> Check:
        return _streams([str(d) for d in await find_drift(endpoints.broker, endpoints.seeds)])

    return [
        await _guarded("broker", broker),
        await _guarded("durability", durability),
        await _guarded("streams", streams),
        await _guarded("postgres", lambda: _postgres(endpoints)),
        await _guarded("pgvector", lambda: _pgvector(endpoints)),
        await _guarded("boundary", lambda: _boundary(endpoints)),
        *await _services(endpoints),
    ]


async def _guarded(name: str, check: Callable[[], Awaitable[Check]]) -> Check:
    try:
        return await check()
    except StackError as error:
        return Check(name, False, error.message, error.hint)
    except (NatsError, OSError, psycopg.Error) as error:
        lines = str(error).strip().splitlines()
        return Check(name, False, lines[0] if lines else repr(error))


async def _folder(folder: Path) -> Check:
    layout = find_layout(folder)
    return Check("folder", True, f"{folder}" if layout else f"{folder} (made at the first start)")


async def _models(environment: Mapping[str, str]) -> Check:
    refuse_two_models(environment)
    return Check("models", True, "at most one reads each source")


async def _predicates(environment: Mapping[str, str]) -> Check:
    catalogues = own_predicates(environment)
    extended = ", ".join(sorted(catalogues.own))
    detail = f"{len(catalogues.common)} in every project"
    return Check("predicates", True, f"{detail}, more in {extended}" if extended else detail)


async def _socket_path(folder: Path, environment: Mapping[str, str]) -> Check:
    if environment.get("CORTEX_POSTGRES_URL"):
        return Check("socket path", True, "not needed, Postgres is an existing server")
    root = os.geteuid() == 0
    check_socket_path(socket_folder(folder, "0" * 8, root=root, system=SystemFolders()))
    return Check("socket path", True, "short enough")


async def _disk(folder: Path) -> Check:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    detail = f"{free / 1024**3:.1f} GB free"
    return Check("disk", free >= DISK_FLOOR, detail, "Free some space, or move CORTEX_HOME.")


async def _packages() -> Check:
    names = (POSTGRES_DISTRIBUTION, NATS_DISTRIBUTION)
    return Check("packages", True, ", ".join(f"{name} {package_version(name)}" for name in names))


def _parts(layout: StackLayout) -> Check:
    state = read_state(layout)
    parts = state.parts if state else {}
    down = [name for name, part in parts.items() if part.pid is None]
    if state is None or state.phase is not Phase.READY:
        return Check(
            "stack", False, f"it is {state.phase if state else 'starting'}", "Wait for it."
        )
    if down:
        return Check("stack", False, f"{', '.join(down)} down", f"See `cortex logs {down[0]}`.")
    restarts = sum(part.restarts for part in parts.values())
    return Check("stack", True, f"{', '.join(parts)} up, {restarts} restarts")


def _broker_version(version: str) -> Check:
    recent = tuple(int(part) for part in version.split("-")[0].split(".")[:2]) >= BROKER_FLOOR
    return Check("broker", recent, f"NATS {version}", "Cortex needs NATS 2.12 or later.")


def _streams(drifts: list[str]) -> Check:
    if not drifts:
        return Check("streams", True, "all streams and durables as they have to be")
    return Check("streams", False, "; ".join(drifts), "`cortex down && cortex up` settles them.")


async def _postgres(endpoints: Endpoints) -> Check:
    with psycopg.connect(endpoints.superuser, connect_timeout=5) as connection:
        version = connection.info.server_version
    detail = f"PostgreSQL {version // 10000}.{version % 10000}"
    hint = f"Cortex needs PostgreSQL {POSTGRES_FLOOR} or later."
    return Check("postgres", version // 10000 >= POSTGRES_FLOOR, detail, hint)


async def _pgvector(endpoints: Endpoints) -> Check:
    version = databases.pgvector_version(endpoints.superuser)
    shown = ".".join(map(str, version)) if version else "missing"
    well = version is not None and version >= databases.PGVECTOR_FLOOR
    return Check("pgvector", well, shown, "Cortex needs pgvector 0.8.4 or later.")


async def _boundary(endpoints: Endpoints) -> Check:
    crossing = databases.crossing_privileges(endpoints.superuser)
    if not crossing:
        return Check("boundary", True, "each role may connect to its own database alone")
    return Check("boundary", False, "; ".join(crossing), "`cortex down && cortex up` settles it.")


async def _services(endpoints: Endpoints) -> list[Check]:
    try:
        answers = await ask_services(endpoints)
    except StackError as error:
        return [Check("services", False, error.message, error.hint)]
    return [_service(name, answer) for name, answer in answers.items()]


def _service(name: str, answer: MemoryStats | SourcesReply | str) -> Check:
    if isinstance(answer, str):
        return Check(name, False, answer, f"See `cortex logs {name}`.")
    if isinstance(answer, SourcesReply):
        events = sum(source.events for source in answer.sources)
        return Check(name, True, f"answers, {events} events")
    return check_memory(name, answer)


def check_memory(name: str, figures: MemoryStats) -> Check:
    """Whether the facts that memory serves are those that it would compute now."""
    if figures.catalogue_changed:
        detail = f"answers, but facts of {figures.project} follow from another catalogue"
        hint = f"`cortex rebuild --project {figures.project}` applies the one that holds now."
        return Check(name, False, detail, hint)
    embedder = figures.embedder or "no embedder"
    return Check(name, True, f"answers, {figures.observations} observations, {embedder}")
