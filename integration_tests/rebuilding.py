"""A stack on which every fact says something wrong, and rebuilds of it that come to grief."""

import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import psycopg
from cortex_local.services import MEMORY, service_command
from roxabi_contracts.event import RawEvent
from samples import PROJECT, note, notes
from stack import Stack

PEOPLE: Final = [f"person{number}@example.org" for number in range(5)]
SAID: Final[list[RawEvent]] = [
    event
    for email in PEOPLE
    for event in notes("I live in Paris.", "I use npm.", "I moved to Rome.", email=email)
]
WRONG: Final = "Nowhere"
_DAMAGE: Final = (
    b'UPDATE fact SET value = \'{"value": "Nowhere"}\'',
    b"DELETE FROM assertion",
)


def later(email: str) -> RawEvent:
    """What a person says while a rebuild runs."""
    return note("I moved to Oslo.", name="later", day=9, email=email)


async def calm_dump(stack: Stack) -> str:
    """The dump when all was said and nothing was damaged or killed."""
    await stack.publish([*SAID, *map(later, PEOPLE)])
    await stack.drained()
    dump = stack.dump()
    stack.stop()  # the tests take its place on the broker
    return dump


def damage(stack: Stack) -> None:
    """Let every fact say something wrong, and rest on nothing."""
    with psycopg.connect(stack.endpoints.memory) as connection:
        for statement in _DAMAGE:
            connection.execute(statement)


@contextmanager
def rebuilding(stack: Stack, **settings: str) -> Generator[subprocess.Popen[str]]:
    """The command that rebuilds, as a process that may be killed; `settings` go to it alone."""
    environment = {**stack.memory.environment(), **settings}
    with subprocess.Popen(
        service_command(MEMORY, environment, "rebuild", "--project", PROJECT),
        env=environment,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


async def rebuilt(stack: Stack) -> str:
    """The dump after everything arrived and a rebuild came to its end."""
    await stack.drained()
    stack.memory.run("rebuild", "--project", PROJECT)
    return stack.dump()
