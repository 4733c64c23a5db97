import dataclasses
import os
import stat
from pathlib import Path

import psycopg
import pytest
from cortex_local import postgres
from cortex_local.binaries import PostgresBinaries, copy_to_cache, installed_postgres
from cortex_local.confinement import (
    LONGEST_SOCKET_PATH,
    PostgresHome,
    SystemFolders,
    check_socket_path,
    forget_home,
    plan_home,
    user_namespaces_work,
)
from cortex_local.errors import StackError
from cortex_local.layout import StackLayout, claim_layout

from .conftest import AS_ROOT


def answer_of(home: PostgresHome, layout: StackLayout) -> tuple[object, int]:
    """Run a cluster for one query; what it answered, and the uid it ran as."""
    postgres.initialise(home, "word")
    with layout.log("postgres").open("ab") as log:
        process = postgres.start(home, log)
    try:
        conninfo = postgres.superuser_conninfo(home, "word")
        postgres.wait_until_ready(process, conninfo, layout.log("postgres"))
        with psycopg.connect(conninfo) as connection:
            answer = connection.execute("SELECT 1").fetchone()
        return answer, Path(f"/proc/{process.pid}").stat().st_uid
    finally:
        postgres.stop(process)


def modes(*folders: Path) -> list[int]:
    return [stat.S_IMODE(folder.stat().st_mode) for folder in folders]


def test_cluster_starts_below_a_closed_home_and_opens_nothing(short_folder: Path) -> None:
    closed = short_folder / "home"
    closed.mkdir(mode=0o700)
    environment = Path(str(installed_postgres().root))
    watched = (short_folder, closed, environment, *environment.parents)
    before = modes(*watched)
    layout = claim_layout(closed / "stack")
    system = SystemFolders()
    home = plan_home(layout, installed_postgres(), root=AS_ROOT, system=system)
    answer, uid = answer_of(home, layout)
    forget_home(layout, system)
    assert answer == (1,)
    assert (uid != 0) or not AS_ROOT
    assert modes(*watched) == before


def test_ordinary_user_keeps_everything_in_the_stack_folder(stack: Path) -> None:
    layout = claim_layout(stack)
    home = plan_home(layout, installed_postgres(), root=False, system=SystemFolders())
    assert home.data.is_relative_to(stack)
    assert home.sockets.is_relative_to(stack)
    assert home.prefix == ()
    assert modes(home.data, home.sockets) == [0o700, 0o700]


@pytest.fixture
def nowhere(short_folder: Path) -> SystemFolders:
    """System folders that cannot be made."""
    file = short_folder / "file"
    file.write_text("")
    return SystemFolders(file / "cache", file / "state", file / "run")


def test_root_without_system_folders_uses_a_user_namespace(
    stack: Path, nowhere: SystemFolders
) -> None:
    layout = claim_layout(stack)
    if user_namespaces_work():
        home = plan_home(layout, installed_postgres(), root=True, system=nowhere)
        assert home.data.is_relative_to(stack)
        assert answer_of(home, layout)[0] == (1,)
    else:
        with pytest.raises(StackError, match="does not run as root") as refused:
            plan_home(layout, installed_postgres(), root=True, system=nowhere)
        assert "CORTEX_POSTGRES_URL" in refused.value.hint


def test_long_path_is_refused_with_its_length_before_anything_is_made(stack: Path) -> None:
    deep = stack / ("d" * 100)
    with pytest.raises(StackError, match=rf"allows {LONGEST_SOCKET_PATH}") as refused:
        plan_home(
            StackLayout(deep, "identity"), installed_postgres(), root=False, system=SystemFolders()
        )
    assert "shorter" in refused.value.hint
    assert not deep.exists()


def test_longest_path_that_fits_is_taken() -> None:
    fitting = Path("/" + "d" * (LONGEST_SOCKET_PATH - len("/.s.PGSQL.5432") - 1))
    check_socket_path(fitting)
    with pytest.raises(StackError):
        check_socket_path(Path(f"{fitting}d"))


def test_path_is_measured_in_bytes() -> None:
    with pytest.raises(StackError):
        check_socket_path(Path("/" + "é" * 50))


def test_binaries_are_copied_once_and_readable_by_all(short_folder: Path) -> None:
    binaries = installed_postgres()
    copy = copy_to_cache(binaries, short_folder / "cache")
    server = Path(copy.tool("postgres"))
    assert os.access(server, os.X_OK)
    assert stat.S_IMODE(server.stat().st_mode) == 0o755
    written = server.stat().st_mtime_ns, server.stat().st_ino
    again = copy_to_cache(binaries, short_folder / "cache")
    assert again == copy
    assert (server.stat().st_mtime_ns, server.stat().st_ino) == written
    assert [entry.name for entry in (short_folder / "cache").iterdir()] == [copy.root.name]


def test_cluster_of_another_major_version_is_refused(stack: Path) -> None:
    layout = claim_layout(stack)
    home = plan_home(layout, installed_postgres(), root=False, system=SystemFolders())
    (home.data / "PG_VERSION").write_text("15\n")
    with pytest.raises(StackError, match="made by Postgres 15") as refused:
        postgres.initialise(home, "word")
    assert "pg_upgrade" in refused.value.hint


def test_data_folder_with_other_files_is_refused(stack: Path) -> None:
    layout = claim_layout(stack)
    home = plan_home(layout, installed_postgres(), root=False, system=SystemFolders())
    (home.data / "photo.jpg").write_text("")
    with pytest.raises(StackError, match="not a Postgres cluster"):
        postgres.initialise(home, "word")


def test_server_that_ends_while_starting_is_reported_with_what_it_said(stack: Path) -> None:
    layout = claim_layout(stack)
    home = plan_home(layout, installed_postgres(), root=AS_ROOT, system=SystemFolders())
    with layout.log("postgres").open("ab") as log:
        process = postgres.start(home, log)
    with pytest.raises(StackError, match="ended while starting"):
        postgres.wait_until_ready(process, "host=/nonexistent", layout.log("postgres"))


def test_version_of_the_binaries_is_read() -> None:
    assert PostgresBinaries(Path("/"), "18.6.3").major == 18
    assert dataclasses.replace(installed_postgres()).major >= 18
