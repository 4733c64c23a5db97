"""The command as a user meets it: help, answers, exit codes."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from cortex_local.errors import ExitCode
from cortex_local.layout import claim_layout
from cortex_local.state import read_endpoints

from .conftest import (
    INSIGHT_PASSWORD,
    MEMORY_PASSWORD,
    Broker,
    Cluster,
    eventually,
    run,
    stand_in_environment,
)


@pytest.fixture(autouse=True)
def surroundings(monkeypatch: pytest.MonkeyPatch, short_folder: Path) -> None:
    """The environment of a user whose stack does not run."""
    for name, text in stand_in_environment().items():
        monkeypatch.setenv(name, text)
    monkeypatch.setenv("CORTEX_HOME", str(short_folder / "stack"))


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["ask"],
        ["ask", "where?"],
        ["import", "message"],
        ["import", "message", "/nonexistent", "--owner", "a@b.c"],
        ["logs", "nonsense"],
        ["ask", "where?", "--subject", "a@b.c", "--as-of", "yesterday"],
        ["ask", "where?", "--subject", "a@b.c", "--as-of", "0001-01-01T00:00+14:00"],
        ["ask", "where?", "--subject", "a@b.c", "--project", "a.b"],
        ["facts", "a@b.c", "--project", "*"],
        ["owner", "list", "--project", "a.b"],
        ["mcp", "--subject", "a@b.c", "--project", "a.b"],
        ["rebuild", "--project", "a.b"],
        ["facts", ""],
        ["conflicts", "resolve", "3f2a91bc"],
        ["conflicts", "list", "--project", "*"],
        ["quarantine", "release", "a@b.c"],
        ["decide", "praise", "a@b.c", "3f2a91bc"],
        ["predicates", "link", "tea"],
        ["predicates", "link", "Not A Name", "tea"],
        ["predicates", "list", "--project", "*"],
        ["forget", "fact", "f1", "--yes"],
        ["forget", "everything", "a@b.c", "--yes"],
        ["forget", "subject", "a@b.c", "--subject", "c@d.e", "--yes"],
        ["ask", "x" * 9000, "--subject", "a@b.c"],
    ],
)
def test_wrong_usage(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run(*arguments) == ExitCode.USAGE
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["ask", "where?", "--subject", "a@b.c"],
        ["facts", "a@b.c"],
        ["conflicts", "list"],
        ["quarantine", "list", "a@b.c"],
        ["decide", "disable", "a@b.c", "3f2a91bc"],
        ["predicates", "list"],
        ["predicates", "unlink", "tea", "cup"],
        ["forget", "subject", "a@b.c", "--yes"],
        ["dump"],
        ["rebuild"],
        ["import", "message", ".", "--owner", "a@b.c"],
    ],
)
def test_without_a_stack_the_user_is_told_how_to_start_one(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*arguments) == ExitCode.NOT_RUNNING
    shown = capsys.readouterr().err
    assert "No stack" in shown
    assert "cortex up" in shown


def test_down_without_a_stack_is_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("down") == ExitCode.OK
    assert "was not up" in capsys.readouterr().err


def test_foreign_folder_is_explained(
    short_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (short_folder / "stack").mkdir()
    (short_folder / "stack" / "photo.jpg").write_text("")
    assert run("up") == ExitCode.FAILED
    shown = capsys.readouterr().err
    assert "not a Cortex stack" in shown
    assert "CORTEX_HOME" in shown


def test_status_as_json_without_a_stack(
    short_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("status", "--json") == ExitCode.NOT_RUNNING
    assert json.loads(capsys.readouterr().out) == {
        "folder": str(short_folder / "stack"),
        "running": False,
    }


def test_doctor_without_a_stack_checks_the_machine(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("doctor", "--json") == ExitCode.UNHEALTHY
    checks = {check["name"]: check["well"] for check in json.loads(capsys.readouterr().out)}
    assert checks == {
        "folder": True,
        "socket path": True,
        "disk": True,
        "packages": True,
        "models": True,
        "predicates": True,
        "stack": False,
    }


def test_broker_config_is_written_and_keys_are_kept(tmp_path: Path) -> None:
    assert run("broker-config", str(tmp_path), "--store", str(tmp_path / "store")) == ExitCode.OK
    first = (tmp_path / "nats.conf").read_text()
    assert run("broker-config", str(tmp_path), "--store", str(tmp_path / "store")) == ExitCode.OK
    assert (tmp_path / "nats.conf").read_text() == first


def test_what_cannot_be_written_is_named(
    tmp_path: Path,
    running: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    file = tmp_path / "file"
    file.touch()
    for arguments in (["broker-config", str(file)], ["export", "a@b.c", "-o", f"{file}/out"]):
        assert run(*arguments) == ExitCode.FAILED
        shown = capsys.readouterr().err
        assert f"Error: {file}" in shown
        assert "Traceback" not in shown


def test_servers_are_provisioned(
    cluster: Cluster,
    broker: Broker,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("provision") == ExitCode.USAGE
    assert "CORTEX_INSIGHT_PASSWORD" in capsys.readouterr().err
    for name, text in {
        "CORTEX_POSTGRES_URL": cluster.superuser,
        "CORTEX_NATS_URL": broker.url,
        "CORTEX_NATS_SEED_DIR": str(broker.seeds),
        "CORTEX_INSIGHT_PASSWORD": INSIGHT_PASSWORD,
        "CORTEX_MEMORY_PASSWORD": MEMORY_PASSWORD,
    }.items():
        monkeypatch.setenv(name, text)
    assert run("provision") == ExitCode.OK
    assert "as they have to be" in capsys.readouterr().err


def test_status_shows_the_parts(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("status", "--json") == ExitCode.OK
    shown = json.loads(capsys.readouterr().out)
    assert (shown["running"], shown["phase"]) == (True, "ready")
    assert set(shown["parts"]) == {"postgres", "nats", "insight", "memory"}
    assert "password" not in json.dumps(shown)
    assert run("status") == ExitCode.OK
    assert "memory" in capsys.readouterr().out


def test_doctor_finds_a_running_stack_well(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("doctor", "--json") == ExitCode.OK
    checks = json.loads(capsys.readouterr().out)
    assert all(check["well"] for check in checks)
    assert [check["name"] for check in checks][4:] == [
        "models",
        "predicates",
        "stack",
        "broker",
        "durability",
        "streams",
        "postgres",
        "pgvector",
        "boundary",
        "insight",
        "memory",
    ]


def test_up_again_shares_the_stack(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("up") == ExitCode.OK
    assert "was up already" in capsys.readouterr().err


def test_question_that_nobody_answers_is_unhealthy(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("ask", "where?", "--subject", "a@b.c") == ExitCode.UNHEALTHY
    shown = capsys.readouterr()
    assert "memory unavailable" in shown.out
    assert "cortex doctor" in shown.err


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("message", ["3 events, 0 known, 2 observations, 1 rejected",
                     "1 x truncated line: chat.jsonl at byte 7",
                     "4 x unknown record type message smell@2"]),
        ("known", ["All 3 events known, nothing new"]),
        ("repeated", ["2 of 3 events known, 1 skipped, nothing new"]),
    ],
)  # fmt: skip
def test_import_shows_counts_and_reasons(
    running: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    source: str,
    said: list[str],
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("import", source, __file__, "--owner", "a@b.c") == ExitCode.OK
    shown = " ".join(capsys.readouterr().err.split())
    assert all(text in shown for text in said)


def test_a_dry_run_sums_up_what_would_come_out_and_needs_no_stack(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run("import", "message", __file__, "--owner", "a@b.c", "--dry-run") == ExitCode.OK
    shown = capsys.readouterr()
    row = next(line for line in shown.out.splitlines() if "Statement" in line)
    assert row.split()[:5] == ["message", "Statement", "2", "1970-01-01", "1970-01-02"]
    assert "I use pnpm" in shown.out
    assert "2 lives_in" in shown.out
    told = shown.err
    assert "3 x unknown record type smell@2" in told
    assert "1 x truncated line: a file" in told
    assert "1 x empty_text: a message has a text" in told


def test_a_dry_run_shows_every_line_or_that_there_is_none(
    capsys: pytest.CaptureFixture[str],
) -> None:
    options = ["--owner", "a@b.c", "--dry-run"]
    assert run("import", "message", __file__, *options, "--json") == ExitCode.OK
    assert len([*map(json.loads, capsys.readouterr().out.splitlines())]) == 5
    assert run("import", "nothing", __file__, *options) == ExitCode.OK
    assert "Nothing would come out" in capsys.readouterr().err
    assert run("import", "unknown", __file__, *options) == ExitCode.USAGE


def test_the_sources_are_listed_without_a_stack(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("sources") == ExitCode.OK
    shown = capsys.readouterr()
    assert "Messages as JSON" in shown.out
    assert "not counted" in shown.err


def test_the_sources_are_listed_with_what_the_lake_holds(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("sources") == ExitCode.OK
    shown = capsys.readouterr()
    rows = [line.split() for line in shown.out.splitlines()]
    assert ["message", "3", "2", "1", "Messages", "as", "JSON"] in rows
    assert ["gone", "1", "0", "0", "nobody", "here", "reads", "it"] in rows
    assert "message: 4 x unknown record type smell@2" in shown.err
    assert run("sources", "--json") == ExitCode.OK
    held = {one["source"]: one for one in map(json.loads, capsys.readouterr().out.splitlines())}
    assert held["message"]["held"]["events"] == 3
    assert held["gone"]["title"] is None


def test_a_broker_that_is_named_is_asked_without_a_stack(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    endpoints = read_endpoints(claim_layout(running))
    monkeypatch.setenv("CORTEX_NATS_URL", endpoints.broker)
    monkeypatch.setenv("CORTEX_NATS_SEED_DIR", str(endpoints.seeds))
    assert run("sources") == ExitCode.OK
    assert "message: 4 x unknown record type smell@2" in capsys.readouterr().err
    assert run("import", "message", __file__, "--owner", "a@b.c") == ExitCode.OK
    assert "3 events, 0 known, 2 observations" in capsys.readouterr().err
    monkeypatch.delenv("CORTEX_NATS_SEED_DIR")
    assert run("sources") == ExitCode.FAILED
    assert "CORTEX_NATS_SEED_DIR is not" in capsys.readouterr().err


def test_import_that_fails_says_why(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("import", "broken", __file__, "--owner", "a@b.c") == ExitCode.FAILED
    assert "Error: the lake is on fire" in capsys.readouterr().err


def test_import_of_an_unknown_source_is_wrong_usage(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("import", "unknown", __file__, "--owner", "a@b.c") == ExitCode.USAGE
    assert "Error: no parser reads 'unknown'" in capsys.readouterr().err


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_import_can_be_interrupted(running: Path, tmp_path: Path, number: int) -> None:
    history = tmp_path / "history"
    history.write_text("")
    environment = {**os.environ, "CORTEX_HOME": str(running)}
    command = [sys.executable, "-m", "cortex_local", "import", "endless", str(history)]
    process = subprocess.Popen(
        [*command, "--owner=a@b.c"], env=environment, stderr=subprocess.PIPE, text=True
    )
    assert eventually(lambda: history.read_text() == "started")
    process.send_signal(number)
    said = process.communicate()[1]
    assert process.returncode == ExitCode.INTERRUPTED
    assert "Repeat the same command" in said


def test_dump_and_rebuild_run_memory(
    running: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("dump", "--now", "2026-03-01", "--project", "work") == ExitCode.OK
    assert json.loads(capfd.readouterr().out) == [
        "dump",
        "--project",
        "work",
        "--now",
        "2026-03-01",
    ]
    assert run("rebuild") == ExitCode.OK
    assert json.loads(capfd.readouterr().out) == ["rebuild"]


def test_logs_show_the_end(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    assert run("logs", "nats", "--lines", "1") == ExitCode.OK
    assert len(capsys.readouterr().out.splitlines()) == 1


def test_forgetting_is_followed_to_its_receipt(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    wanted = ["forget", "fact", "f1", "--subject", "a@b.c", "--yes"]
    assert run(*wanted, "--json") == ExitCode.OK
    receipt = json.loads(capsys.readouterr().out)
    assert (receipt["finished"], receipt["known"]) == (True, False)
    assert (receipt["scope"], receipt["mode"]) == ("fact", "erase")
    assert run(*wanted, "--mode", "disable") == ExitCode.OK
    shown = capsys.readouterr().out
    assert "Disable fact: finished." in shown
    assert "raw events" in shown


def test_forgetting_asks_first(
    running: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CORTEX_HOME", str(running))
    monkeypatch.setattr("sys.stdin", io.StringIO("n\n"))
    assert run("forget", "subject", "a@b.c") == ExitCode.FAILED
    shown = capsys.readouterr()
    assert "whole memory of a@b.c" in shown.err
    assert shown.out.strip() == ""
