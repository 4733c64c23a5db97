"""The owners' accounts: which keys are one owner's, in a file that a person reads and writes."""

from pathlib import Path
from typing import Annotated

import typer
from roxabi_contracts.identities import LinkAction
from roxabi_contracts.subjects import check_token

from cortex_local.cli.console import JsonOption, ProjectOption, answers, folder, messages
from cortex_local.cli.entities import say, show_said
from cortex_local.errors import StackError
from cortex_local.files import private_folder, write_private
from cortex_local.health import DEFAULT_PROJECT
from cortex_local.owner_accounts import (
    accounts_of,
    check_key,
    read_owners,
    with_keys,
    without_key,
)

app = typer.Typer(
    help=(
        "Say which accounts are yours, or another memory's owner's: these keys are one person, "
        "wherever they turn up.\n\n"
        "The keys stand in a file of your stack's folder, in the form of git's mailmap; a key "
        "that is taken out of it is somebody of its own again.\n\n"
        "Example: cortex owner add you@example.com you.home@gmail.com account:github:4711"
    ),
    no_args_is_help=True,
)


@app.command()
def add(
    keys: Annotated[
        list[str], typer.Argument(help="Keys of one owner; the first stands for them.")
    ],
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Add keys to whichever owner has one of them, else as a new owner.

    Example: cortex owner add you@example.com account:github:4711 phone:+4722334455
    """
    for key in keys:
        check_key(key)
    _take(project, with_keys(_read(project), keys), as_json=as_json)


@app.command()
def remove(
    key: Annotated[str, typer.Argument(help="The key, as it stands in the file.")],
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Take a key out: whatever it joined is two again.

    Example: cortex owner remove account:github:4711
    """
    _take(project, without_key(_read(project), key), as_json=as_json)


@app.command("list")
def list_owners(project: ProjectOption = DEFAULT_PROJECT) -> None:
    """Print the file.

    Example: cortex owner list
    """
    text = _read(project)
    if text:
        answers.print(text, end="", markup=False)
    messages.print(f"These stand in {_file(project)}; after editing it: cortex owner apply")


@app.command()
def apply(
    file: Annotated[
        Path | None,
        typer.Argument(
            help="Take this file instead of the stack's, e.g. a .mailmap.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    project: ProjectOption = DEFAULT_PROJECT,
    as_json: JsonOption = False,
) -> None:
    """Let the file count as it stands now, with what was taken out of it taken back.

    Example: cortex owner apply
    """
    _take(project, _read(project) if file is None else _text(file), as_json=as_json)


def _take(project: str, text: str, *, as_json: bool) -> None:
    """Tell memory, and keep the text only once it has heard."""
    accounts = accounts_of(read_owners(text))
    reply = say(LinkAction.ACCOUNTS, project, {"accounts": accounts}, at=None)
    private_folder(_file(project).parent)
    write_private(_file(project), text)
    show_said(reply, as_json=as_json)


def _file(project: str) -> Path:
    return folder() / "owners" / f"{check_token(project)}.mailmap"


def _read(project: str) -> str:
    file = _file(project)
    return _text(file) if file.exists() else ""


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise StackError(f"{file} cannot be read as text.", "Is it the right file?") from error
