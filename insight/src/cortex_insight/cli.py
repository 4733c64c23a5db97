"""The command line: runs the lake, and brings files into it."""

import asyncio
import json
import sys
from collections.abc import Coroutine, Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Final, NoReturn, TypeVar

import typer
from pydantic import ValidationError
from roxabi_contracts import ActorKind, ActorRef, ActorRole, ContractError, Identifier
from roxabi_contracts.subjects import check_project

from cortex_insight import app
from cortex_insight.collect import Job
from cortex_insight.errors import InsightError
from cortex_insight.log import configure_logging
from cortex_insight.parser import Parser
from cortex_insight.parsers import load_parsers
from cortex_insight.parsers.git.splitting import SOURCE as GIT
from cortex_insight.progress import Progress
from cortex_insight.repository import GIT_FOLDER

USAGE: Final = 2
INTERRUPTED: Final = 130

Result = TypeVar("Result")

application = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

What = Annotated[
    list[str],
    typer.Argument(help="A source, if it is to be named, then files, archives and folders."),
]
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
    what: What,
    owner: OwnerText,
    owner_account: OwnerAccounts = None,
    project: ProjectName = "personal",
    watch: Annotated[bool, typer.Option(help="Go on with what is added to the files.")] = False,
) -> None:
    """Import files; progress goes to stdout as JSON lines. Repeating it imports nothing twice."""
    job = _job(what, project, _owner(owner, owner_account or []))
    progress = _complete(app.run_import(job, _print_progress, follow=watch))
    _explain(progress)
    if not progress.done:
        raise typer.Exit(INTERRUPTED)


@application.command("parse")
def parse_files(
    what: What,
    owner: OwnerText = "owner@example.org",
    owner_account: OwnerAccounts = None,
    project: ProjectName = "personal",
) -> None:
    """Show what files say, one JSON line per observation; nothing is stored or sent."""
    job = _job(what, project, _owner(owner, owner_account or []))
    with _plain_errors():
        for line in app.parse_lines(job):
            sys.stdout.write(line + "\n")


@application.command("sources")
def list_sources() -> None:
    """List the sources that can be read, one JSON line each."""
    with _plain_errors():
        for source, parser in sorted(load_parsers().items()):
            line = {"source": source, "title": parser.title, "version": parser.version}
            sys.stdout.write(json.dumps(line) + "\n")


def _complete(work: Coroutine[Any, Any, Result]) -> Result:
    with _plain_errors():
        return asyncio.run(work)


@contextmanager
def _plain_errors() -> Generator[None]:
    """Tell what a person can mend without a traceback, and without the values of settings."""
    try:
        yield
    except ValidationError as error:
        wrong = {
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        }
        _fail(f"check the environment: {'; '.join(sorted(wrong))}", USAGE)
    except (InsightError, ContractError, OSError) as error:
        _fail(str(error))


def _job(what: list[str], project: str, owner: ActorRef) -> Job:
    with _plain_errors():
        parsers = load_parsers()
    named = what[0] in parsers
    paths = [Path(name) for name in (what[1:] if named else what)]
    if not paths:
        _fail(f"name a file or folder of {what[0]} too", USAGE)
    for path in paths:
        if not path.exists():
            _fail(_absent(path, parsers if path is paths[0] and not named else None), USAGE)
    if named and what[0] == GIT:
        paths = [path / GIT_FOLDER if (path / GIT_FOLDER).exists() else path for path in paths]
    chosen = {what[0]: parsers[what[0]]} if named else parsers
    return Job(chosen, paths, _project(project), owner, named)


def _absent(path: Path, parsers: Mapping[str, Parser] | None) -> str:
    if parsers is None or len(path.parts) != 1:
        return f"{str(path)!r} does not exist"
    return (
        f"no parser reads {str(path)!r}, and no such file exists; "
        f"the sources are: {', '.join(sorted(parsers))}"
    )


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
        sys.stderr.write(f"  {count} x {reason}, e.g. {progress.places[reason][0]}\n")
    for kind, count in progress.unknown_types.most_common():
        sys.stderr.write(f"  {count} x unknown record type {kind}\n")


def _fail(message: str, code: int = 1) -> NoReturn:
    sys.stderr.write(f"cortex-insight: {message}\n")
    raise typer.Exit(code)
