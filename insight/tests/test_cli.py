"""The command line says what is wrong, and leaves no traceback behind."""

import json
import logging
from collections.abc import Generator
from pathlib import Path

import pytest
import structlog
from cortex_insight.cli import application
from typer.testing import CliRunner, Result

MESSAGE = {"id": "1", "text": "I moved to Lyon", "author": "owner", "at": "2026-03-01T09:30:00Z"}


@pytest.fixture(autouse=True)
def logging_as_before() -> Generator[None]:
    """Each command logs to the stream of its own run, which is closed after it."""
    before = logging.getLogger().handlers[:]
    yield
    logging.getLogger().handlers[:] = before
    structlog.reset_defaults()


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(application, arguments, env=environment)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "chat.jsonl"
    path.write_text(json.dumps(MESSAGE) + "\nnull\n")
    return path


def test_parse_shows_what_a_file_says(file: Path) -> None:
    result = run("parse", "message", str(file), "--owner", "ada@example.org")
    said, rejected = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 0
    assert said["payload_typed"]["text"] == "I moved to Lyon"
    assert said["actors"][said["subject"]]["identifiers"][0]["value"] == "ada@example.org"
    assert rejected["rejected"] == "not_an_object"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nonesuch", "FILE"], "no parser reads 'nonesuch'"),
        (["message", "FILE", "--owner", "nobody"], "neither an e-mail address nor"),
        (["message", "FILE", "--project", "a.b"], "cannot be a subject token"),
        (["message", "FILE", "--project", "unassigned"], "no project can be called"),
        (["message", "/nonexistent"], "does not exist"),
        (["message"], "name a file or folder of message too"),
        (["nonesuch"], "no parser reads 'nonesuch', and no such file exists"),
    ],
)
def test_a_wrong_argument_is_a_usage_error(file: Path, arguments: list[str], told: str) -> None:
    result = run("parse", *(str(file) if part == "FILE" else part for part in arguments))
    assert result.exit_code == 2
    assert told in " ".join(result.stderr.split())


def test_a_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CORTEX_INSIGHT_DATABASE_URL", raising=False)
    result = run("migrate")
    assert result.exit_code == 2
    assert "CORTEX_INSIGHT_DATABASE_URL: Field required" in result.stderr


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("CORTEX_LOG_LEVEL", "should be 'debug', 'info', 'warning' or 'error'"),
        ("CORTEX_INSIGHT_ENRICHER", "should be 'rules', 'openai' or 'none'"),
        ("CORTEX_INSIGHT_ENRICHERS", "Invalid JSON"),
        ("CORTEX_INSIGHT_ORIGINS", "Invalid JSON"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_should_be_and_without_its_value(
    file: Path, variable: str, said: str
) -> None:
    result = run("parse", "message", str(file), **{variable: "hunter2"})
    assert result.exit_code == 2
    assert f"{variable}: " in result.stderr
    assert said in result.stderr
    assert "hunter2" not in result.output


@pytest.mark.parametrize(
    ("origins", "origin"),
    [
        ("", "trusted"),
        ('{"message": "untrusted"}', "untrusted"),
        ('{"mail": "trusted"}', "semi_trusted"),
    ],
)
def test_a_source_is_trusted_as_far_as_the_settings_say(
    file: Path, origins: str, origin: str
) -> None:
    result = run("parse", "message", str(file), CORTEX_INSIGHT_ORIGINS=origins)
    assert json.loads(result.stdout.splitlines()[0])["origin"] == origin


@pytest.mark.parametrize("level", ["", "WARNING"])
def test_a_level_is_read_in_any_case_and_an_empty_one_is_none(file: Path, level: str) -> None:
    assert run("parse", "message", str(file), CORTEX_LOG_LEVEL=level).exit_code == 0


def test_an_import_without_a_broker_says_so(file: Path) -> None:
    result = run(
        "import", "message", str(file), "--owner", "a@b.c", CORTEX_NATS_URL="nats://127.0.0.1:1"
    )
    assert result.exit_code == 1
    assert "no broker answers" in result.stderr
