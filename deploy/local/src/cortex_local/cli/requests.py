"""Requests built from what the user typed, with what is wrong said as wrong usage."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any, TypeVar

import typer
from pydantic import ValidationError
from roxabi_contracts.base import Contract
from roxabi_contracts.client import Connection

from cortex_local import accounts, control
from cortex_local.broker_user import connect_as
from cortex_local.cli.console import environment, folder
from cortex_local.state import Endpoints, read_endpoints
from cortex_local.supervisor import own_broker

Request = TypeVar("Request", bound=Contract)
Answer = TypeVar("Answer")


def build(kind: type[Request], **fields: Any) -> Request:
    """The request, or a usage error that names the wrong field."""
    try:
        return kind(**fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise typer.BadParameter(f"{name}: {first['msg']}") from error


def moment(text: str) -> datetime:
    """A time in ISO 8601; one without a zone, or a bare date, is in UTC."""
    try:
        parsed = datetime.fromisoformat(text)
        return parsed.astimezone(UTC) if parsed.tzinfo else parsed.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as error:
        raise typer.BadParameter(
            f"{text!r} is no date or time in ISO 8601, such as 2026-03-01 or 2026-03-01T12:00Z."
        ) from error


def broker_endpoints() -> Endpoints:
    """How to reach the broker: the one named in the environment, else that of the running stack.

    Raises StackNotRunning without either.
    """
    named = own_broker(environment())
    if named is None:
        return read_endpoints(control.running_stack(folder()))
    url, seeds = named
    return Endpoints(superuser="", insight="", memory="", broker=url, seeds=seeds)


def as_operator(question: Callable[[Connection], Awaitable[Answer]]) -> Answer:
    """Ask over a connection of the operator. Raises StackNotRunning where none can be had."""
    reached = broker_endpoints()

    async def ask() -> Answer:
        async with connect_as(reached.broker, reached.seeds, accounts.OPERATOR) as connection:
            return await question(connection)

    return asyncio.run(ask())
