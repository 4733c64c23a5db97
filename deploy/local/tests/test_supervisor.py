"""Whole stacks, with stand-ins for the two services."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
from cortex_local.control import running_stack, start_stack, stop_stack
from cortex_local.errors import StackError, StackNotRunning
from cortex_local.layout import claim_layout
from cortex_local.leftovers import recognise, stop_leftovers, write_children
from cortex_local.locks import is_held
from cortex_local.log_files import LARGEST
from cortex_local.state import Phase, StackState, read_endpoints, read_state
from psycopg.conninfo import make_conninfo

from .conftest import Broker, Cluster, eventually, stand_in_environment


def silent(_step: str) -> None:
    """Progress that nobody watches."""


def state_of(stack: Path) -> StackState:
    state = read_state(claim_layout(stack))
    assert state is not None
    return state


def pids_of(stack: Path) -> dict[str, int | None]:
    return {name: part.pid for name, part in state_of(stack).parts.items()}


def is_alive(pid: int | None) -> bool:
    stat = Path(f"/proc/{pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] != "Z"


def answers(conninfo: str) -> bool:
    """Whether the database takes a connection now."""
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError:
        return False
    return True


def test_stack_starts_is_shared_stops_and_starts_again_with_its_data(stack: Path) -> None:
    steps: list[str] = []
    assert start_stack(stack, stand_in_environment(), steps.append)
    assert "starting Postgres" in steps
    state = state_of(stack)
    assert state.phase is Phase.READY
    assert list(state.parts) == ["postgres", "nats", "insight", "memory"]
    assert running_stack(stack).folder == stack
    with psycopg.connect(read_endpoints(claim_layout(stack)).memory) as connection:
        connection.execute("CREATE TABLE remembered AS SELECT 1 AS one")

    assert not start_stack(stack, stand_in_environment(), silent)
    assert state_of(stack) == state

    pids, broker = pids_of(stack), read_endpoints(claim_layout(stack)).broker
    assert stop_stack(stack, silent)
    assert not any(is_alive(pid) for pid in pids.values())
    assert not (stack / "supervisor.pid").exists()
    with pytest.raises(StackNotRunning):
        running_stack(stack)
    assert not stop_stack(stack, silent)

    start_stack(stack, stand_in_environment(), silent)
    assert read_endpoints(claim_layout(stack)).broker == broker
    with psycopg.connect(read_endpoints(claim_layout(stack)).memory) as connection:
        assert connection.execute("SELECT one FROM remembered").fetchone() == (1,)


def test_two_starts_at_once_share_one_stack(stack: Path) -> None:
    command = [sys.executable, "-m", "cortex_local", "up"]
    environment = {**stand_in_environment(), "CORTEX_HOME": str(stack)}
    both = [
        subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    said = [process.communicate()[1] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sum("Cortex is up." in text for text in said) == 1
    assert sum("was up already" in text for text in said) == 1


@pytest.mark.parametrize("content", ["", "nonsense", "1", str(2**22 - 1)])
def test_stale_pid_file_is_of_no_consequence(stack: Path, content: str) -> None:
    layout = claim_layout(stack)
    layout.pid_file.write_text(content)
    assert not stop_stack(stack, silent)
    with pytest.raises(StackNotRunning):
        running_stack(stack)


def kill_supervisor(stack: Path) -> list[int | None]:
    """Kill the supervisor alone; what it leaves behind."""
    left = [*pids_of(stack).values()]
    layout = claim_layout(stack)
    os.kill(int(layout.pid_file.read_text()), signal.SIGKILL)
    assert eventually(lambda: not is_held(layout.supervisor_lock))
    return left


def test_what_a_killed_supervisor_left_is_stopped_by_the_next_start_or_stop(stack: Path) -> None:
    start_stack(stack, stand_in_environment(), silent)
    left = kill_supervisor(stack)
    assert start_stack(stack, stand_in_environment(), silent)
    assert not any(is_alive(pid) for pid in left)
    assert all(is_alive(pid) for pid in pids_of(stack).values())

    left = kill_supervisor(stack)
    assert stop_stack(stack, silent)
    assert not any(is_alive(pid) for pid in left)


def test_process_with_a_recycled_pid_is_left_alone(tmp_path: Path) -> None:
    record = tmp_path / "children.json"
    stranger = subprocess.Popen(["sleep", "60"])
    write_children(record, [recognise("postgres", stranger.pid)])
    children = json.loads(record.read_text())
    children[0]["started"] = "1"
    record.write_text(json.dumps(children))
    assert stop_leftovers(record) == []
    assert stranger.poll() is None
    stranger.kill()
    stranger.wait()


def test_part_that_was_killed_is_started_again_where_it_was(stack: Path) -> None:
    start_stack(stack, stand_in_environment(), silent)
    address = read_endpoints(claim_layout(stack)).broker
    killed = pids_of(stack)
    for pid in killed.values():
        assert pid is not None
        os.kill(pid, signal.SIGKILL)
    assert eventually(
        lambda: all(p not in (None, *killed.values()) for p in pids_of(stack).values())
    )
    assert all(part.restarts >= 1 for part in state_of(stack).parts.values())
    endpoints = read_endpoints(claim_layout(stack))
    assert endpoints.broker == address
    assert eventually(lambda: answers(endpoints.memory))


def test_service_that_is_not_set_up_is_named(stack: Path, cluster: Cluster) -> None:
    environment = {**stand_in_environment(), "CORTEX_POSTGRES_URL": cluster.superuser}
    del environment["CORTEX_MEMORY_COMMAND"]
    environment["CORTEX_INSIGHT_COMMAND"] = "/nonexistent/insight"
    with pytest.raises(StackError) as refused:
        start_stack(stack, environment, silent)
    assert "/nonexistent/insight" in refused.value.message + refused.value.hint
    assert not is_held(claim_layout(stack).supervisor_lock)
    assert state_of(stack).phase is Phase.FAILED


def test_foreign_folder_is_refused(stack: Path) -> None:
    stack.mkdir()
    (stack / "photo.jpg").write_text("")
    with pytest.raises(StackError, match="not a Cortex stack"):
        start_stack(stack, stand_in_environment(), silent)


def test_existing_servers_are_used_and_left_running(
    stack: Path, cluster: Cluster, broker: Broker
) -> None:
    environment = {
        **stand_in_environment(),
        "CORTEX_POSTGRES_URL": cluster.superuser,
        "CORTEX_NATS_URL": broker.url,
        "CORTEX_NATS_SEED_DIR": str(broker.seeds),
    }
    with psycopg.connect(cluster.superuser) as connection:
        before = connection.execute("SELECT pg_postmaster_start_time()").fetchone()
    start_stack(stack, environment, silent)
    assert list(state_of(stack).parts) == ["insight", "memory"]
    endpoints = read_endpoints(claim_layout(stack))
    assert (endpoints.broker, endpoints.seeds) == (broker.url, broker.seeds)
    with psycopg.connect(endpoints.memory) as connection:
        assert connection.info.dbname == "cortex_memory"
    stop_stack(stack, silent)
    with psycopg.connect(cluster.superuser) as connection:
        assert connection.execute("SELECT pg_postmaster_start_time()").fetchone() == before


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"CORTEX_POSTGRES_URL": "postgresql://nobody@127.0.0.1:1/x"}, "databases cannot be"),
        ({"CORTEX_NATS_URL": "nats://127.0.0.1:1"}, "CORTEX_NATS_SEED_DIR is not"),
        (
            {"CORTEX_NATS_URL": "nats://127.0.0.1:1", "CORTEX_NATS_SEED_DIR": "/nonexistent"},
            "missing or cannot be read",
        ),
    ],
)
def test_servers_that_cannot_be_used_are_said(
    stack: Path, cluster: Cluster, variables: dict[str, str], reason: str
) -> None:
    environment = {**stand_in_environment(), "CORTEX_POSTGRES_URL": cluster.superuser, **variables}
    with pytest.raises(StackError, match=reason):
        start_stack(stack, environment, silent)


def test_services_are_kept_apart_and_logs_hold_no_secret(stack: Path) -> None:
    start_stack(stack, stand_in_environment(), silent)
    endpoints = read_endpoints(claim_layout(stack))
    for service, other in (("insight", "memory"), ("memory", "insight")):
        variables = Path(f"/proc/{pids_of(stack)[service]}/environ").read_bytes().decode()
        assert f"CORTEX_{service.upper()}_DATABASE_URL" in variables
        assert f"CORTEX_{other.upper()}_DATABASE_URL" not in variables
        assert endpoints.superuser not in variables
    for conninfo, foreign in (
        (endpoints.insight, "cortex_memory"),
        (endpoints.memory, "cortex_insight"),
        (endpoints.memory, "postgres"),
    ):
        with pytest.raises(psycopg.OperationalError, match="permission denied"):
            psycopg.connect(make_conninfo(conninfo, dbname=foreign))
    stop_stack(stack, silent)
    secrets = [path.read_text() for path in (stack / "seeds").iterdir()]
    secrets += [path.read_text() for path in (stack / "secrets").iterdir()]
    for log in (stack / "logs").iterdir():
        text = log.read_text()
        assert not [secret for secret in secrets if secret in text]


def test_log_that_has_grown_is_set_aside(stack: Path) -> None:
    log = claim_layout(stack).log("memory")
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as grown:
        grown.truncate(LARGEST + 1)
    start_stack(stack, stand_in_environment(), silent)
    assert eventually(lambda: log.stat().st_size <= LARGEST)
    assert log.with_name("memory.log.1").stat().st_size > LARGEST
