"""What the supervisor tells of the stack: its phase, its parts, and how to reach them."""

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path

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
    parts: dict[str, PartState] = field(default_factory=dict)


@dataclass(frozen=True)
class Endpoints:
    """How to reach the servers. Holds passwords: kept in a private file, never printed."""

    superuser: str
    insight: str
    memory: str
    broker: str
    seeds: Path


def write_state(layout: StackLayout, state: StackState) -> None:
    """Publish the state for the command."""
    write_private(layout.state, json.dumps(asdict(state)))


def read_state(layout: StackLayout) -> StackState | None:
    """The state that was last published, or None before the first."""
    try:
        content = json.loads(layout.state.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    parts = {name: PartState(**part) for name, part in content.pop("parts").items()}
    return StackState(**{**content, "phase": Phase(content["phase"]), "parts": parts})


def write_endpoints(layout: StackLayout, endpoints: Endpoints) -> None:
    """Keep the endpoints for the command."""
    content = {**asdict(endpoints), "seeds": str(endpoints.seeds)}
    write_private(_endpoints_file(layout), json.dumps(content))


def read_endpoints(layout: StackLayout) -> Endpoints:
    """The endpoints of a stack that has been started. Raises StackNotRunning for another."""
    try:
        content = json.loads(_endpoints_file(layout).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise StackNotRunning(
            f"No stack has been started in {layout.folder}.", "Start it with `cortex up`."
        ) from error
    return Endpoints(**{**content, "seeds": Path(content["seeds"])})


def _endpoints_file(layout: StackLayout) -> Path:
    return layout.secrets / "endpoints.json"
