"""The command line says what is wrong with its settings, and leaves no traceback behind."""

import pytest
from cortex_memory.cli import application
from cortex_memory.settings import Settings, from_environment
from typer.testing import CliRunner, Result

NOBODY = "postgresql://nobody@127.0.0.1:1/none"


def run(*arguments: str, **environment: str) -> Result:
    return CliRunner().invoke(application, arguments, env=environment)


def test_a_missing_setting_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CORTEX_MEMORY_DATABASE_URL", raising=False)
    result = run("migrate")
    assert result.exit_code == 2
    assert "CORTEX_MEMORY_DATABASE_URL: Field required" in result.stderr


@pytest.mark.parametrize(
    ("variable", "said"),
    [
        ("CORTEX_LOG_LEVEL", "should be 'debug', 'info', 'warning' or 'error'"),
        ("CORTEX_MEMORY_PROFILE", "should be 'default' or 'seed'"),
        ("CORTEX_MEMORY_EMBEDDER", "should be 'bundled', 'fastembed', 'openai' or 'none'"),
        ("CORTEX_MEMORY_EXTRACTOR_SOURCES", "Invalid JSON"),
        ("CORTEX_STOPS", "Invalid JSON"),
    ],
)
def test_a_wrong_setting_is_named_with_what_it_should_be_and_without_its_value(
    variable: str, said: str
) -> None:
    needed = {"CORTEX_MEMORY_DATABASE_URL": NOBODY, "CORTEX_NATS_URL": "nats://127.0.0.1:1"}
    result = run("serve", **needed, **{variable: "hunter2"})
    assert result.exit_code == 2
    assert f"{variable}: " in result.stderr
    assert said in result.stderr
    assert "hunter2" not in result.output


def test_only_variables_of_cortex_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CORTEX_MEMORY_DATABASE_URL", NOBODY)
    monkeypatch.setenv("CORTEX_NATS_URL", "nats://127.0.0.1:1")
    for name in Settings.model_fields | {"extractor": None}:
        monkeypatch.setenv(name.upper(), "somebody else's")
    settings = from_environment(Settings)
    assert "somebody" not in repr(settings)
    assert settings.extractor.kind == "claims"
    monkeypatch.setenv("CORTEX_MEMORY_EXTRACTOR", "openai")
    assert from_environment(Settings).extractor.kind == "openai"
