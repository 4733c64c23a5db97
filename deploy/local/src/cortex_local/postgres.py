"""One Postgres cluster under our own supervision: created, started, awaited, stopped."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import psycopg
from psycopg.conninfo import make_conninfo

from cortex_local.confinement import PostgresHome
from cortex_local.errors import StackError

SUPERUSER = "cortex"
START_SECONDS = 60.0
STOP_SECONDS = 30.0
_MEGABYTE = 1024 * 1024


def settings(memory_bytes: int) -> dict[str, str]:
    """The server's settings for a machine with that much memory (sizes in megabytes)."""
    memory = memory_bytes // _MEGABYTE
    return {
        "listen_addresses": "",
        "unix_socket_permissions": "0700",
        "password_encryption": "scram-sha-256",
        "shared_buffers": f"{_between(memory // 4, 128, 2048)}MB",
        "effective_cache_size": f"{_between(memory // 2, 256, 16384)}MB",
        "maintenance_work_mem": f"{_between(memory // 16, 64, 1024)}MB",
        "work_mem": f"{_between(memory // 256, 8, 64)}MB",
        "max_connections": "100",
        "max_locks_per_transaction": "256",
        "max_wal_size": "4GB",
        "wal_compression": "on",
        "checkpoint_timeout": "15min",
        "jit": "off",
        "synchronous_commit": "on",
        "shared_preload_libraries": "pg_stat_statements",
        "autovacuum_vacuum_scale_factor": "0.02",
        "autovacuum_vacuum_insert_scale_factor": "0.02",
        "log_min_duration_statement": "1s",
        "log_parameter_max_length": "0",
        "log_parameter_max_length_on_error": "0",
        "timezone": "UTC",
    }


def machine_memory() -> int:
    """The physical memory of this machine, in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def initialise(home: PostgresHome, password: str) -> None:
    """Create the cluster unless it is there. Raises StackError for one of another major version."""
    version_file = home.data / "PG_VERSION"
    if version_file.exists():
        _check_version(version_file, home)
        return
    if any(home.data.iterdir()):
        raise StackError(
            f"{home.data} holds files that are not a Postgres cluster.",
            "Move them away, or set CORTEX_HOME to another folder.",
        )
    with _password_file(home, password) as password_file:
        result = subprocess.run(  # noqa: S603 - our own binaries, our own arguments
            home.command(
                "initdb",
                f"--pgdata={home.data}",
                f"--username={SUPERUSER}",
                f"--pwfile={password_file}",
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--locale-provider=builtin",
                "--locale=C.UTF-8",
                "--data-checksums",
            ),
            check=False,
            capture_output=True,
            text=True,
            cwd="/",
            **home.identity,
        )
    if result.returncode != 0:
        raise StackError(f"Postgres could not create its cluster: {_last_line(result.stderr)}")


def start(home: PostgresHome, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start the server as a child of this process, writing to the log."""
    options = [
        argument
        for name, value in settings(machine_memory()).items()
        for argument in ("-c", f"{name}={value}")
    ]
    return subprocess.Popen(  # noqa: S603 - our own binaries, our own arguments
        home.command("postgres", "-D", str(home.data), "-k", str(home.sockets), *options),
        stdin=subprocess.DEVNULL,
        stdout=log,
        stderr=subprocess.STDOUT,
        cwd="/",
        start_new_session=True,
        **home.identity,
    )


def wait_until_ready(process: subprocess.Popen[bytes], conninfo: str, log: Path) -> None:
    """Wait until the server takes connections. Raises StackError when it ends or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            psycopg.connect(conninfo, connect_timeout=5).close()
        except psycopg.OperationalError as error:
            if process.poll() is not None:
                said = _last_line(log.read_text("utf-8", "replace"))
                raise StackError(
                    f"Postgres ended while starting: {said}", f"Its log is {log}."
                ) from error
            if time.monotonic() > deadline:
                raise StackError(
                    f"Postgres did not answer within {START_SECONDS:.0f} seconds.",
                    f"Its log is {log}.",
                ) from error
            time.sleep(0.05)
        else:
            return


def stop(process: subprocess.Popen[bytes]) -> None:
    """Stop the server in its fast mode: sessions are ended, everything committed is kept."""
    if process.poll() is None:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGQUIT)
            process.wait()


def superuser_conninfo(home: PostgresHome, password: str) -> str:
    """The connection string of the cluster's superuser over its private socket."""
    return make_conninfo(
        host=str(home.sockets), user=SUPERUSER, password=password, dbname="postgres"
    )


def _check_version(version_file: Path, home: PostgresHome) -> None:
    found = version_file.read_text(encoding="ascii").strip()
    if found != str(home.binaries.major):
        raise StackError(
            f"{home.data} was made by Postgres {found}, and this is {home.binaries.version}.",
            "Dump it with the old version (pg_dumpall) and restore it into a new CORTEX_HOME, "
            "or run pg_upgrade.",
        )


@contextmanager
def _password_file(home: PostgresHome, password: str) -> Generator[str]:
    with tempfile.NamedTemporaryFile("w", dir=home.sockets, encoding="utf-8") as stream:
        stream.write(password)
        stream.flush()
        if home.account is not None:
            os.fchown(stream.fileno(), home.account.uid, home.account.gid)
        yield stream.name


def _between(value: int, lowest: int, highest: int) -> int:
    return max(lowest, min(value, highest))


def _last_line(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else "it said nothing"
