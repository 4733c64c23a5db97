"""The one home of every subject, stream, durable and account name."""

import re
from enum import StrEnum
from typing import Annotated, Final

from pydantic import AfterValidator

from roxabi_contracts.errors import InvalidToken, ReservedProject

_TOKEN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")

EVENTS_ALL: Final = "roxabi.insight.events.publish.>"
BODIES_ALL: Final = "roxabi.insight.bodies.publish.>"
EVENTS_REJECTED: Final = "roxabi.insight.events.rejected"
OBSERVATIONS: Final = "roxabi.memory.observations.publish"
OBSERVATIONS_PARTITIONED: Final = "roxabi.memory.observations.publish.*.*"
OBSERVATIONS_REJECTED: Final = "roxabi.memory.observations.rejected"
CHANGES_ALL: Final = "roxabi.memory.changes.>"
QUERIES: Final = "roxabi.memory.query"
QUERIES_ALL: Final = "roxabi.memory.query.>"
MEMORY_COMMANDS: Final = "roxabi.memory.command"
MEMORY_COMMANDS_ALL: Final = "roxabi.memory.command.>"
INSIGHT_COMMANDS: Final = "roxabi.insight.command"
INSIGHT_COMMANDS_ALL: Final = "roxabi.insight.command.>"

STREAM_EVENTS: Final = "INSIGHT_EVENTS"
STREAM_BODIES: Final = "INSIGHT_BODIES"
STREAM_EVENTS_REJECTED: Final = "INSIGHT_REJECTED"
STREAM_OBSERVATIONS: Final = "MEMORY_OBSERVATIONS"
STREAM_OBSERVATIONS_REJECTED: Final = "MEMORY_REJECTED"
STREAM_CHANGES: Final = "MEMORY_CHANGES"

DURABLE_INGEST: Final = "insight-ingest"
DURABLE_INBOX: Final = "memory-inbox"

ACCOUNT_SOURCES: Final = "SOURCES"
ACCOUNT_INSIGHT: Final = "INSIGHT"
ACCOUNT_MEMORY: Final = "MEMORY"
ACCOUNT_CLIENTS: Final = "CLIENTS"
ACCOUNT_ADMIN: Final = "ADMIN"

UNASSIGNED: Final = "unassigned"
"""The project under which operators find messages that name none; no event may be of it."""


class Query(StrEnum):
    """What can be asked of memory."""

    CONTEXT = "context"
    TRACE = "trace"
    FACTS = "facts"
    ENTITIES = "entities"
    COMPILED = "compiled"
    CONFLICTS = "conflicts"
    PREDICATES = "predicates"
    GOALS = "goals"
    PROPOSALS = "proposals"
    DEAD_LETTERS = "dead_letters"
    STATS = "stats"


class MemoryCommand(StrEnum):
    """What memory can be told to do."""

    RETAIN = "retain"
    RESOLVE = "resolve"
    LINK = "link"
    JUDGE = "judge"
    """Whether two names of predicates are one."""
    FORGET = "forget"
    FEEDBACK = "feedback"
    GOAL = "goal"
    PROPOSE = "propose"
    COMPILE = "compile"
    EXPORT = "export"


class InsightCommand(StrEnum):
    """What insight can be told to do."""

    REPLAY = "replay"
    FORGET = "forget"
    SOURCES = "sources"
    DEAD_LETTERS = "dead_letters"


def check_token(token: str) -> str:
    """Return the token unchanged.

    Raises:
        InvalidToken: it holds anything but letters, digits, `_` and `-`, or is empty or too long.
    """
    if not _TOKEN.fullmatch(token):
        raise InvalidToken(f"{token[:80]!r} cannot be a subject token: {InvalidToken.rule}")
    return token


def check_project(name: str) -> str:
    """Return the name unchanged if something can be of that project.

    Raises:
        InvalidToken: it is no token.
        ReservedProject: it stands for messages that name no project.
    """
    if check_token(name) == UNASSIGNED:
        raise ReservedProject(f"no project can be called {name!r}: {ReservedProject.rule}")
    return name


Token = Annotated[str, AfterValidator(check_token)]
"""A name that may stand in a subject: no `.`, `*`, `>`, no white space."""

Project = Annotated[str, AfterValidator(check_project)]
"""The project that something is of."""


def events(source: str, project: str) -> str:
    """Where a producer publishes raw events of a source for a project."""
    return f"roxabi.insight.events.publish.{check_token(source)}.{check_project(project)}"


def bodies(source: str, project: str, digest: str) -> str:
    """Where a producer puts an event that is too large for a message, in parts."""
    scope = f"{check_token(source)}.{check_project(project)}"
    return f"{BODIES_ALL.removesuffix('>')}{scope}.{check_token(digest)}"


def events_of(project: str) -> str:
    """All that producers publish for a project, of whatever source."""
    return f"roxabi.insight.events.publish.*.{check_token(project)}"


def query(what: Query, project: str) -> str:
    """Where memory answers a query for a project."""
    return f"{QUERIES}.{what}.{check_token(project)}"


def memory_command(what: MemoryCommand, project: str) -> str:
    """Where memory obeys a command for a project."""
    return f"{MEMORY_COMMANDS}.{what}.{check_token(project)}"


def insight_command(what: InsightCommand, project: str) -> str:
    """Where insight obeys a command for a project."""
    return f"{INSIGHT_COMMANDS}.{what}.{check_token(project)}"


def changes(project: str) -> str:
    """Where memory announces what changed in a project."""
    return f"roxabi.memory.changes.{check_token(project)}"


def changes_durable(client: str) -> str:
    """The durable through which a client follows the changes of its project."""
    return f"changes-{check_token(client)}"


def event_tokens(subject: str) -> tuple[str, str]:
    """The source and the project that a subject of `events` names.

    Raises:
        InvalidToken: the subject is not of that form, or of a project that nobody may have.
    """
    prefix = EVENTS_ALL.removesuffix(">")
    tokens = subject.removeprefix(prefix).split(".")
    if not subject.startswith(prefix) or len(tokens) != 2:
        raise InvalidToken(f"{subject[:200]!r} does not name a source and a project")
    return check_token(tokens[0]), check_project(tokens[1])


def project_token(subject: str) -> str:
    """The project, always the last token of a request's subject.

    Raises:
        InvalidToken: the last token is none.
    """
    return check_token(subject.rsplit(".", 1)[-1])
