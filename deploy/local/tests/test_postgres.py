import os
from pathlib import Path

import psycopg
import pytest
from cortex_local import databases, postgres
from cortex_local.errors import StackError
from hypothesis import given
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from .conftest import AS_ROOT, INSIGHT_PASSWORD, MEMORY_PASSWORD, Cluster

GIGABYTE = 1024**3


def megabytes(setting: str) -> int:
    assert setting.endswith("MB")
    return int(setting.removesuffix("MB"))


@given(st.integers(min_value=GIGABYTE // 2, max_value=1024 * GIGABYTE))
def test_settings_fit_the_machine(memory: int) -> None:
    chosen = postgres.settings(memory)
    total = memory // 1024**2
    assert 128 <= megabytes(chosen["shared_buffers"]) <= min(2048, total // 4 + 128)
    assert 8 <= megabytes(chosen["work_mem"]) <= 64
    assert 64 <= megabytes(chosen["maintenance_work_mem"]) <= 1024


def test_a_quarter_of_the_memory_is_shared() -> None:
    assert postgres.settings(4 * GIGABYTE)["shared_buffers"] == "1024MB"


def test_durable_and_off_the_network(cluster: Cluster) -> None:
    with psycopg.connect(cluster.superuser) as connection:
        shown = {
            name: connection.execute("SELECT current_setting(%s)", [name]).fetchone()
            for name in (
                "fsync",
                "synchronous_commit",
                "listen_addresses",
                "data_checksums",
                "server_encoding",
                "password_encryption",
                "max_locks_per_transaction",
            )
        }
    assert {name: row[0] for name, row in shown.items() if row} == {
        "fsync": "on",
        "synchronous_commit": "on",
        "listen_addresses": "",
        "data_checksums": "on",
        "server_encoding": "UTF8",
        "password_encryption": "scram-sha-256",
        "max_locks_per_transaction": "256",
    }


def test_server_never_runs_as_root(cluster: Cluster) -> None:
    owner = Path(f"/proc/{cluster.process.pid}").stat().st_uid
    assert owner != 0
    assert AS_ROOT or owner == os.geteuid()


def test_socket_is_closed_to_others(cluster: Cluster) -> None:
    assert cluster.home.sockets.stat().st_mode & 0o077 == 0
    assert cluster.home.data.stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("word", ["wrong", ""])
def test_wrong_password_is_refused(cluster: Cluster, word: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(make_conninfo(cluster.insight, password=word))


def test_each_role_reaches_its_own_database(cluster: Cluster) -> None:
    for conninfo, name in ((cluster.insight, "cortex_insight"), (cluster.memory, "cortex_memory")):
        with psycopg.connect(conninfo) as connection:
            row = connection.execute("SELECT current_user, current_database()").fetchone()
            assert row == (name, name)
            connection.execute("CREATE TABLE probe (id int); DROP TABLE probe")


@pytest.mark.parametrize("foreign", ["cortex_memory", "postgres", "template1"])
def test_insight_reaches_no_other_database(cluster: Cluster, foreign: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(make_conninfo(cluster.insight, dbname=foreign))


@pytest.mark.parametrize("foreign", ["cortex_insight", "postgres", "template1"])
def test_memory_reaches_no_other_database(cluster: Cluster, foreign: str) -> None:
    with pytest.raises(psycopg.OperationalError, match="permission denied"):
        psycopg.connect(make_conninfo(cluster.memory, dbname=foreign))


def test_roles_have_no_powers(cluster: Cluster) -> None:
    with psycopg.connect(cluster.superuser) as connection:
        rows = connection.execute(
            "SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls "
            "FROM pg_roles WHERE rolname LIKE 'cortex!_%' ESCAPE '!'"
        ).fetchall()
    assert rows == [(False,), (False,)]


def test_crossing_is_found_when_it_is_there(cluster: Cluster) -> None:
    assert databases.crossing_privileges(cluster.superuser) == []
    with psycopg.connect(cluster.superuser, autocommit=True) as connection:
        connection.execute("GRANT CONNECT ON DATABASE cortex_memory TO cortex_insight")
        found = databases.crossing_privileges(cluster.superuser)
        connection.execute("REVOKE CONNECT ON DATABASE cortex_memory FROM cortex_insight")
    assert found == ["cortex_insight may connect to cortex_memory"]


def test_pgvector_is_recent_enough(cluster: Cluster) -> None:
    version = databases.pgvector_version(cluster.superuser)
    assert version is not None
    assert version >= databases.PGVECTOR_FLOOR
    with psycopg.connect(cluster.memory) as connection:
        connection.execute("SELECT '[1,2]'::halfvec(2) <=> '[2,1]'::halfvec(2)")


def test_preparing_again_keeps_data_and_passwords(cluster: Cluster) -> None:
    with psycopg.connect(cluster.memory) as connection:
        connection.execute("CREATE TABLE kept (id int)")
    words = {databases.INSIGHT: INSIGHT_PASSWORD, databases.MEMORY: MEMORY_PASSWORD}
    databases.prepare_databases(cluster.superuser, words)
    with psycopg.connect(cluster.memory) as connection:
        connection.execute("DROP TABLE kept")


def test_account_without_the_rights_gets_a_clear_message(cluster: Cluster) -> None:
    with pytest.raises(StackError, match="cannot be prepared") as refused:
        databases.prepare_databases(cluster.insight, {"cortex_other": "word"})
    assert "superuser" in refused.value.hint
