"""Files and folders only their owner may read, written so that no reader sees half of one."""

import os
import secrets
from pathlib import Path

PRIVATE_FOLDER = 0o700
PRIVATE_FILE = 0o600


def private_folder(path: Path) -> Path:
    """Create the folder for its owner alone; the mode of one that exists is left as it is."""
    path.mkdir(mode=PRIVATE_FOLDER, parents=True, exist_ok=True)
    return path


def write_private(path: Path, text: str) -> None:
    """Replace the file in one step, readable by its owner alone."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(text)
        stream.flush()
        os.fsync(stream.fileno())
    temporary.replace(path)


def secret(path: Path) -> str:
    """Read the secret kept in the file, generating it at the first call."""
    if not path.exists():
        private_folder(path.parent)
        write_private(path, secrets.token_urlsafe(32))
    return path.read_text(encoding="utf-8").strip()
