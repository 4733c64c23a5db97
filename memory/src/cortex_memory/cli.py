"""The command line of the warehouse: serve, migrate, dump, rebuild."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Annotated

import typer
from pydantic import ValidationError
from roxabi_contracts.base import epoch_ms
from roxabi_contracts.errors import CatalogueInvalid

from cortex_memory import app, maintain
from cortex_memory.embed.port import EmbeddingFailed
from cortex_memory.errors import StoreUnavailable, WarehouseError

application = typer.Typer(
    name="cortex-memory",
    help="The warehouse of Cortex. Its settings come from the environment.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

ProjectOption = Annotated[
    str | None, typer.Option("--project", help="Only this project; else all of them.")
]


@application.command()
def serve() -> None:
    """Take observations, retain them, and answer, until told to stop."""
    with _explained():
        asyncio.run(app.serve())


@application.command()
def migrate() -> None:
    """Bring the database to the schema of this version."""
    with _explained():
        for name in asyncio.run(maintain.migrate_store()):
            typer.echo(name)


@application.command()
def dump(
    project: ProjectOption = None,
    now: Annotated[
        str | None,
        typer.Option("--now", help="Compute from the journal as of this moment (ISO 8601)."),
    ] = None,
) -> None:
    """Print what is remembered as sorted JSON lines, without recorded times."""
    with _explained():
        moment = None if now is None else _moment(now)
        for line in asyncio.run(maintain.dump_lines(project, moment)):
            sys.stdout.buffer.write(line + b"\n")
        sys.stdout.flush()


@application.command()
def rebuild(project: ProjectOption = None) -> None:
    """Compute everything once more from the journal.

    After a change of CORTEX_PREDICATES it applies the changed catalogue to what is remembered.
    """
    with _explained():
        try:
            asyncio.run(maintain.rebuild_store(project))
        except StoreUnavailable as error:
            reason = str(error).strip().splitlines()[0]
            raise StoreUnavailable(
                f"the database went away ({reason}); what was rebuilt is kept, so repeat this"
            ) from error
        except EmbeddingFailed as error:
            raise EmbeddingFailed(
                f"names wait for the verdict of the embedding model ({error}); what was rebuilt is "
                "kept, so repeat this once it answers"
            ) from error


@contextmanager
def _explained() -> Iterator[None]:
    """Say in one line what is wrong with the settings or the store, and never their values."""
    try:
        yield
    except ValidationError as error:
        wrong = {
            f"{'.'.join(map(str, each['loc']))}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False, include_context=False)
        }
        typer.echo(f"cortex-memory: check the environment: {'; '.join(sorted(wrong))}", err=True)
        raise typer.Exit(2) from error
    except (WarehouseError, CatalogueInvalid) as error:
        typer.echo(f"cortex-memory: {error}", err=True)
        raise typer.Exit(1) from error


def _moment(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise typer.BadParameter("not a moment in ISO 8601", param_hint="--now") from error
    return epoch_ms(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
