"""The command line says what is wrong with its settings, and leaves no traceback behind."""

import pytest
from cortex_memory.cli import application
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
