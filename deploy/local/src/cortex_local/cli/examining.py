"""The doctor's findings, as people and programs read them."""

import asyncio
import json
from dataclasses import asdict

import typer
from rich.markup import escape

from cortex_local.cli.console import JsonOption, answers, environment, folder
from cortex_local.doctor import examine
from cortex_local.errors import ExitCode


def doctor(as_json: JsonOption = False) -> None:
    """Check everything Cortex needs, and say what to do about what is wrong.

    Exit code 4 when something is wrong. Example: cortex doctor
    """
    checks = asyncio.run(examine(folder(), environment()))
    if as_json:
        answers.print_json(json.dumps([asdict(check) for check in checks]))
    else:
        for check in checks:
            mark = "[green]ok[/]  " if check.well else "[red]bad[/] "
            answers.print(f"{mark} {check.name:<12} {escape(check.detail)}")
            if not check.well and check.hint:
                answers.print(f"     {'':<12} {escape(check.hint)}")
    raise typer.Exit(ExitCode.OK if all(check.well for check in checks) else ExitCode.UNHEALTHY)
