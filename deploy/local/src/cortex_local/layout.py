"""Where a stack keeps its files: one folder per stack, marked as ours."""

import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cortex_local.errors import StackError
from cortex_local.files import private_folder, write_private

MARKER = "stack.json"
FORMAT = 1


@dataclass(frozen=True)
class StackLayout:
    """The paths inside one stack folder; `identity` names what the stack keeps elsewhere."""

    folder: Path
    identity: str

    @property
    def logs(self) -> Path:
        return self.folder / "logs"

    @property
    def secrets(self) -> Path:
        return self.folder / "secrets"

    @property
    def seeds(self) -> Path:
        return self.folder / "seeds"

    @property
    def broker(self) -> Path:
        return self.folder / "nats"

    @property
    def state(self) -> Path:
        return self.folder / "state.json"

    @property
    def supervisor_lock(self) -> Path:
        return self.folder / "supervisor.lock"

    @property
    def start_lock(self) -> Path:
        return self.folder / "start.lock"

    @property
    def pid_file(self) -> Path:
        return self.folder / "supervisor.pid"

    @property
    def children(self) -> Path:
        return self.folder / "children.json"

    def log(self, name: str) -> Path:
        return self.logs / f"{name}.log"


def stack_folder(environment: Mapping[str, str]) -> Path:
    """The folder of the user's stack: CORTEX_HOME, else the state folder of the XDG standard."""
    if chosen := environment.get("CORTEX_HOME"):
        return Path(chosen).expanduser().absolute()
    if state := environment.get("XDG_STATE_HOME"):
        return Path(state) / "cortex"
    return Path.home() / ".local" / "state" / "cortex"


def find_layout(folder: Path) -> StackLayout | None:
    """The layout of an existing stack, or None where the folder is missing or empty.

    Raises StackError for a folder that holds other files or another format.
    """
    marker = folder / MARKER
    if marker.is_file():
        return _read_marker(marker)
    if folder.exists() and not folder.is_dir():
        raise StackError(f"{folder} is a file, not a folder.", _CHOOSE_ANOTHER)
    if folder.is_dir() and any(folder.iterdir()):
        raise StackError(f"{folder} holds files that are not a Cortex stack.", _CHOOSE_ANOTHER)
    return None


def claim_layout(folder: Path) -> StackLayout:
    """Take the folder for a stack, creating and marking it when it is new."""
    if layout := find_layout(folder):
        return layout
    try:
        private_folder(folder)
        identity = secrets.token_hex(4)
        write_private(folder / MARKER, json.dumps({"format": FORMAT, "identity": identity}))
    except OSError as error:
        raise StackError(
            f"The stack folder {folder} cannot be created: {error.strerror}.", _CHOOSE_ANOTHER
        ) from error
    layout = StackLayout(folder, identity)
    for part in (layout.logs, layout.secrets, layout.seeds, layout.broker):
        private_folder(part)
    return layout


def _read_marker(marker: Path) -> StackLayout:
    try:
        content = json.loads(marker.read_text(encoding="utf-8"))
        identity, version = str(content["identity"]), int(content["format"])
    except PermissionError as error:
        raise StackError(f"{marker} belongs to another user.", _CHOOSE_ANOTHER) from error
    except (ValueError, KeyError, TypeError) as error:
        raise StackError(f"{marker} is damaged.", _CHOOSE_ANOTHER) from error
    if version != FORMAT:
        raise StackError(
            f"{marker.parent} was made by another version of Cortex (format {version}).",
            _CHOOSE_ANOTHER,
        )
    if marker.parent.stat().st_uid != os.geteuid():
        raise StackError(f"{marker.parent} belongs to another user.", _CHOOSE_ANOTHER)
    return StackLayout(marker.parent, identity)


_CHOOSE_ANOTHER = "Set CORTEX_HOME to an empty or new folder."
