"""The command line: runs the lake, and brings files into it."""

import asyncio
import sys
from collections.abc import Coroutine, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from roxabi_contracts import ActorKind, ActorRef, ActorRole, ContractError, Identifier
from roxabi_contracts.subjects import check_project

from cortex_insight import app
from cortex_insight.errors import InsightError
from cortex_insight.importer import Job, Progress
from cortex_insight.log import configure_logging
from cortex_insight.parser import Parser
from cortex_insight.parsers import load_parsers

USAGE: Final = 2
INTERRUPTED: Final = 130

Result = TypeVar("Result")

application = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

SourceName = Annotated[str, typer.Argument(help="The source, e.g. claude-code-jsonl.")]
OwnerText = Annotated[str, typer.Option("--owner", help="E-mail of whom the memory belongs to.")]
OwnerAccounts = Annotated[
    list[str] | None,
    typer.Option("--owner-account", help="More identifiers: scheme:value; may be repeated."),
]
ProjectName = Annotated[str, typer.Option("--project", help="The project to import into.")]


@application.callback()
def prepare() -> None:
    """The lake of Cortex: stores raw events and turns them into typed observations."""
    with _plain_errors():
        configure_logging()


@application.command()
def serve() -> None:
    """Run the service until it is told to stop."""
    _complete(app.serve())


@application.command()
def migrate() -> None:
    """Bring the database to the schema of this version."""
    _complete(app.migrate_when_up())


@application.command("import")
def import_files(
    source: SourceName,
    paths: Annotated[list[Path], typer.Argument(help="Files, and folders to search.", exists=True)],
    owner: OwnerText,
    owner_account: OwnerAccounts = None,
    project: ProjectName = "personal",
) -> None:
    """Import files; progress goes to stdout as JSON lines. Repeating it imports nothing twice."""
    job = Job(_parser(source), paths, _project(project), _owner(owner, owner_account or []))
    progress = _complete(app.run_import(job, _print_progress))
    _explain(progress)
    if not progress.done:
        raise typer.Exit(INTERRUPTED)


@application.command("parse")
def parse_file(
    source: SourceName,
    path: Annotated[Path, typer.Argument(help="The file to read.", exists=True)],
    owner: OwnerText = "owner@example.org",
    project: ProjectName = "personal",
) -> None:
    """Show what a file says, one JSON line per observation; nothing is stored or sent."""
    job = Job(_parser(source), [path], _project(project), _owner(owner, []))
    with _plain_errors():
        for line in app.parse_lines(job):
            sys.stdout.write(line + "\n")


def _complete(work: Coroutine[Any, Any, Result]) -> Result:
    with _plain_errors():
        return asyncio.run(work)


@contextmanager
def _plain_errors() -> Generator[None]:
    """Tell what a person can mend without a traceback, and without the values of settings."""
    try:
        yield
    except ValidationError as error:
        names = {".".join(map(str, item["loc"])) for item in error.errors(include_input=False)}
        _fail(f"settings missing or invalid: {', '.join(sorted(names))}", USAGE)
    except (InsightError, ContractError, OSError) as error:
        _fail(str(error))


def _parser(source: str) -> Parser:
    parsers = load_parsers()
    if source not in parsers:
        _fail(
            f"no parser reads {source!r}; there are: {', '.join(sorted(parsers)) or 'none'}", USAGE
        )
    return parsers[source]


def _project(name: str) -> str:
    try:
        return check_project(name)
    except ContractError as error:
        _fail(str(error), USAGE)


def _owner(owner: str, accounts: list[str]) -> ActorRef:
    try:
        identifiers = tuple(map(Identifier.parse, [owner, *accounts]))
    except ValueError as error:
        _fail(str(error), USAGE)
    return ActorRef(kind=ActorKind.PERSON, role=ActorRole.OWNER, identifiers=identifiers)


def _print_progress(progress: Progress) -> None:
    sys.stdout.write(progress.as_json() + "\n")
    sys.stdout.flush()


def _explain(progress: Progress) -> None:
    if not progress.done:
        sys.stderr.write("interrupted; run it again to go on\n")
    sys.stderr.write(
        f"{progress.files} files: {progress.events} events, {progress.known} known, "
        f"{progress.published} published, {progress.observations} observations, "
        f"{progress.rejected} rejected, {progress.skipped} skipped\n"
    )
    for reason, count in progress.reasons.most_common():
        sys.stderr.write(f"  {count} x {reason}\n")


def _fail(message: str, code: int = 1) -> NoReturn:
    sys.stderr.write(f"cortex-insight: {message}\n")
    raise typer.Exit(code)
