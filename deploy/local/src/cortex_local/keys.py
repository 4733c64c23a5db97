"""The nkey of each broker user: a seed in a file its owner alone may read."""

import os
from collections.abc import Iterable
from pathlib import Path

import nkeys

from cortex_local.errors import StackError
from cortex_local.files import private_folder, write_private


def seed_file(folder: Path, user: str) -> Path:
    """Where the seed of a user is kept."""
    return folder / f"{user}.seed"


def ensure_keys(folder: Path, users: Iterable[str]) -> dict[str, str]:
    """The public key of each user; a user without a seed gets a new one."""
    private_folder(folder)
    return {user: _public_key(seed_file(folder, user)) for user in users}


def existing_seed(folder: Path, user: str) -> Path:
    """The file with the seed of a user. Raises StackError where it cannot be read."""
    path = seed_file(folder, user)
    if not os.access(path, os.R_OK):
        raise StackError(
            f"The key file {path} is missing or cannot be read.",
            "With a broker of your own, set CORTEX_NATS_SEED_DIR to the folder of its seeds.",
        )
    return path


def _public_key(path: Path) -> str:
    if not path.exists():
        seed = nkeys.encode_seed(os.urandom(32), nkeys.PREFIX_BYTE_USER)
        write_private(path, bytes(seed).decode("ascii"))
    try:
        pair = nkeys.from_seed(bytearray(path.read_bytes().strip()))
    except nkeys.NkeysError as error:
        raise StackError(f"{path} holds no nkey seed.", "Remove it to get a new one.") from error
    return bytes(pair.public_key).decode("ascii")
