"""What the supervisor tells of the stack: its phase, its parts, and how to reach them."""

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter

from cortex_local.errors import StackNotRunning
from cortex_local.files import write_private
from cortex_local.layout import StackLayout


class Phase(StrEnum):
    """Where the stack stands."""

    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    FAILED = "failed"


@dataclass(frozen=True)
class PartState:
    """One process of the stack; `pid` is None while it waits to be started again."""

    pid: int | None
    restarts: int = 0


@dataclass(frozen=True)
class StackState:
    """The stack as its supervisor last wrote it; `step` says what a start is doing."""

    phase: Phase
    step: str = ""
    message: str = ""
    hint: str = ""
    parts: dict[str, PartState] = field(default_factory=dict[str, PartState])


@dataclass(frozen=True)
class Endpoints:
    """How to reach the servers. Holds passwords: kept in a private file, never printed."""

    superuser: str
    insight: str
    memory: str
    broker: str
    seeds: Path


_STATE: Final = TypeAdapter(StackState)
_ENDPOINTS: Final = TypeAdapter(Endpoints)


def write_state(layout: StackLayout, state: StackState) -> None:
    """Publish the state for the command."""
    write_private(layout.state, _STATE.dump_json(state).decode())


def read_state(layout: StackLayout) -> StackState | None:
    """The state that was last published, or None before the first."""
    try:
        return _STATE.validate_json(layout.state.read_bytes())
    except FileNotFoundError:
        return None


def write_endpoints(layout: StackLayout, endpoints: Endpoints) -> None:
    """Keep the endpoints for the command."""
    write_private(_endpoints_file(layout), _ENDPOINTS.dump_json(endpoints).decode())


def read_endpoints(layout: StackLayout) -> Endpoints:
    """The endpoints of a stack that has been started. Raises StackNotRunning for another."""
    try:
        return _ENDPOINTS.validate_json(_endpoints_file(layout).read_bytes())
    except FileNotFoundError as error:
        raise StackNotRunning(
            f"No stack has been started in {layout.folder}.", "Start it with `cortex up`."
        ) from error


def _endpoints_file(layout: StackLayout) -> Path:
    return layout.secrets / "endpoints.json"
