"""The help of the command names everything, and teaches by example."""

from typing import cast

import pytest
from cortex_local.cli.app import app
from cortex_local.errors import ExitCode
from typer.core import TyperGroup
from typer.main import get_command

from .conftest import run

GROUP = cast("TyperGroup", get_command(app))
COMMANDS = [name for name, command in GROUP.commands.items() if not command.hidden]
SUBCOMMANDS = [
    f"{name} {part}"
    for name, group in GROUP.commands.items()
    if isinstance(group, TyperGroup)
    for part in group.commands
]


def test_help_names_every_command_and_the_exit_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--help") == ExitCode.OK
    shown = capsys.readouterr().out
    assert all(command in shown for command in COMMANDS)
    assert "Exit codes" in shown
    assert "supervise" not in shown


@pytest.mark.parametrize("command", [*COMMANDS, *SUBCOMMANDS])
def test_help_of_every_command_teaches_by_example(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(*command.split(), "--help") == ExitCode.OK
    usage, *taught = capsys.readouterr().out.strip().splitlines()
    assert usage.split()[:2] == ["Usage:", "cortex"]
    assert f"cortex {command}" in " ".join(" ".join(taught).split())
