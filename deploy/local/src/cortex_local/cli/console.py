"""Where the command writes: answers to stdout, what it is doing and errors to stderr."""

import os
from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.console import Console
from rich.markup import escape
from roxabi_contracts.errors import InvalidToken
from roxabi_contracts.subjects import check_token

from cortex_local.layout import stack_folder

answers: Final = Console(highlight=False, soft_wrap=True)
messages: Final = Console(stderr=True, highlight=False, soft_wrap=True)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]


def _checked(project: str | None) -> str | None:
    try:
        return None if project is None else check_token(project)
    except InvalidToken as error:
        raise typer.BadParameter(str(error)) from error


ProjectOption = Annotated[
    str,
    typer.Option(
        "--project", "-p", help="The tenant that the memory belongs to.", callback=_checked
    ),
]
OnlyProject = Annotated[
    str | None,
    typer.Option("--project", "-p", help="Only this tenant; else all of them.", callback=_checked),
]


@contextmanager
def steps() -> Generator[Callable[[str], None]]:
    """Show the step at work: a spinner on a terminal, a line per step elsewhere."""
    if not messages.is_terminal:
        yield lambda step: messages.print(f"{escape(step)} ...") if step else None
        return
    with messages.status("") as status:
        yield lambda step: status.update(f"{escape(step)} ...")


def environment() -> Mapping[str, str]:
    """The environment of the command."""
    return os.environ


def folder() -> Path:
    """The folder of the user's stack."""
    return stack_folder(os.environ)
