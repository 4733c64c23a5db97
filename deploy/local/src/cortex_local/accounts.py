"""Who may say what on the broker: accounts, users, exports and imports, as plain values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from roxabi_contracts import subjects
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query

from cortex_local.topology import CONSUMERS, STREAMS, Consumer, Stream, change_consumers

SYSTEM_ACCOUNT: Final = "SYS"
DISCOVERY: Final = "$SRV.>"

SOURCE: Final = "source"
INSIGHT: Final = "insight"
INSIGHT_PROVISIONER: Final = "insight-provisioner"
MEMORY: Final = "memory"
MEMORY_PROVISIONER: Final = "memory-provisioner"
AGENT: Final = "agent"
OPERATOR: Final = "operator"
READER: Final = "reader"
"""Serves a memory to an agent as tools that change nothing."""
ASSISTANT: Final = "assistant"
"""Serves a memory to an agent as tools that also remember, correct and forget."""
SYSTEM: Final = "system"

TOLD: Final = "message"
"""The source of what agents remember."""

OBSERVATIONS: Final = (subjects.OBSERVATIONS, subjects.OBSERVATIONS_PARTITIONED)
JETSTREAM_READING: Final = (
    "$JS.API.INFO",
    "$JS.API.STREAM.NAMES",
    "$JS.API.STREAM.LIST",
    "$JS.API.STREAM.INFO.*",
    "$JS.API.CONSUMER.INFO.*.*",
)


@dataclass(frozen=True)
class User:
    """One identity on the broker; `publish` None means that nothing is forbidden."""

    name: str
    account: str
    publish: tuple[str, ...] | None = None
    subscribe: tuple[str, ...] = ()
    answers: bool = False


@dataclass(frozen=True)
class Export:
    """A subject that an account opens to others: a service to call or a stream to follow."""

    account: str
    subject: str
    to: tuple[str, ...]
    kind: str = "service"
    many_replies: bool = False


def inbox_prefix(user: str) -> str:
    """The prefix of the user's reply subjects, which no other user of the account may read."""
    return f"_INBOX_{user.replace('-', '_')}"


EXPORTS: Final = (
    Export(
        subjects.ACCOUNT_INSIGHT,
        subjects.EVENTS_ALL,
        (subjects.ACCOUNT_SOURCES, subjects.ACCOUNT_ADMIN),
    ),
    Export(
        subjects.ACCOUNT_INSIGHT,
        subjects.BODIES_ALL,
        (subjects.ACCOUNT_SOURCES, subjects.ACCOUNT_ADMIN),
    ),
    Export(
        subjects.ACCOUNT_INSIGHT,
        subjects.INSIGHT_COMMANDS_ALL,
        (subjects.ACCOUNT_ADMIN, subjects.ACCOUNT_MEMORY),
    ),
    *(
        Export(subjects.ACCOUNT_MEMORY, subject, (subjects.ACCOUNT_INSIGHT,))
        for subject in OBSERVATIONS
    ),
    Export(
        subjects.ACCOUNT_MEMORY,
        subjects.QUERIES_ALL,
        (subjects.ACCOUNT_CLIENTS, subjects.ACCOUNT_ADMIN),
    ),
    Export(subjects.ACCOUNT_MEMORY, subjects.MEMORY_COMMANDS_ALL, (subjects.ACCOUNT_ADMIN,)),
    Export(subjects.ACCOUNT_MEMORY, subjects.CHANGES_ALL, (subjects.ACCOUNT_ADMIN,), "stream"),
    Export(
        subjects.ACCOUNT_MEMORY,
        f"$JS.API.CONSUMER.MSG.NEXT.{subjects.STREAM_CHANGES}.*",
        (subjects.ACCOUNT_CLIENTS,),
        many_replies=True,
    ),
    Export(
        subjects.ACCOUNT_MEMORY,
        f"$JS.ACK.{subjects.STREAM_CHANGES}.>",
        (subjects.ACCOUNT_CLIENTS,),
    ),
    *(
        Export(account, DISCOVERY, (subjects.ACCOUNT_ADMIN,), many_replies=True)
        for account in (subjects.ACCOUNT_INSIGHT, subjects.ACCOUNT_MEMORY)
    ),
)


def users(agents: Mapping[str, str]) -> tuple[User, ...]:
    """Every user of the broker; `agents` maps the name of a client to its project.

    Raises:
        InvalidToken: a client may not be of such a project.
    """
    return (
        User(SOURCE, subjects.ACCOUNT_SOURCES, (subjects.EVENTS_ALL, subjects.BODIES_ALL)),
        User(
            INSIGHT,
            subjects.ACCOUNT_INSIGHT,
            (
                *_worker(subjects.ACCOUNT_INSIGHT),
                f"$JS.API.STREAM.PURGE.{subjects.STREAM_BODIES}",
                subjects.EVENTS_REJECTED,
                *OBSERVATIONS,
            ),
            (subjects.INSIGHT_COMMANDS_ALL, DISCOVERY),
            answers=True,
        ),
        User(INSIGHT_PROVISIONER, subjects.ACCOUNT_INSIGHT, ("$JS.API.>",)),
        User(
            MEMORY,
            subjects.ACCOUNT_MEMORY,
            (
                *_worker(subjects.ACCOUNT_MEMORY),
                subjects.OBSERVATIONS_REJECTED,
                subjects.CHANGES_ALL,
                f"{subjects.INSIGHT_COMMANDS}.{InsightCommand.FORGET}.*",
            ),
            (subjects.QUERIES_ALL, subjects.MEMORY_COMMANDS_ALL, DISCOVERY),
            answers=True,
        ),
        User(MEMORY_PROVISIONER, subjects.ACCOUNT_MEMORY, ("$JS.API.>",)),
        *(_client(name, project) for name, project in agents.items()),
        User(
            OPERATOR,
            subjects.ACCOUNT_ADMIN,
            (
                subjects.EVENTS_ALL,
                subjects.BODIES_ALL,
                subjects.QUERIES_ALL,
                subjects.MEMORY_COMMANDS_ALL,
                subjects.INSIGHT_COMMANDS_ALL,
                DISCOVERY,
            ),
            (subjects.CHANGES_ALL,),
        ),
        User(READER, subjects.ACCOUNT_ADMIN, _recalling()),
        User(
            ASSISTANT,
            subjects.ACCOUNT_ADMIN,
            (
                *_recalling(),
                f"{subjects.EVENTS_ALL.removesuffix('>')}{TOLD}.*",
                f"{subjects.MEMORY_COMMANDS}.{MemoryCommand.RESOLVE}.*",
                f"{subjects.MEMORY_COMMANDS}.{MemoryCommand.FORGET}.*",
            ),
        ),
        User(SYSTEM, SYSTEM_ACCOUNT),
    )


def _client(name: str, project: str) -> User:
    """Who asks about one project, and follows its changes through a durable of its own."""
    asking = f"{subjects.QUERIES}.*.{subjects.check_project(project)}"
    (following,) = change_consumers({name: project})
    return User(name, subjects.ACCOUNT_CLIENTS, (asking, *_pull(following)))


def _recalling() -> tuple[str, ...]:
    return tuple(
        f"{subjects.QUERIES}.{what}.*" for what in (Query.CONTEXT, Query.TRACE, Query.FACTS)
    )


def _worker(account: str) -> tuple[str, ...]:
    """What a service needs of JetStream: to look, to pull from its durables, to acknowledge, and
    to find and overwrite single messages of its own streams, so that what is forgotten is in none.
    """
    return (
        *JETSTREAM_READING,
        *(s for c in CONSUMERS if c.account == account for s in _pull(c)),
        *(s for stream in STREAMS if stream.account == account for s in _erase(stream)),
    )


def _erase(stream: Stream) -> tuple[str, str]:
    return f"$JS.API.DIRECT.GET.{stream.name}", f"$JS.API.STREAM.MSG.DELETE.{stream.name}"


def _pull(consumer: Consumer) -> tuple[str, str]:
    path = f"{consumer.stream}.{consumer.name}"
    return f"$JS.API.CONSUMER.MSG.NEXT.{path}", f"$JS.ACK.{path}.>"


def broker_accounts(public_keys: Mapping[str, str], agents: Mapping[str, str]) -> dict[str, object]:
    """The `accounts` section of the server's configuration; `public_keys` maps user to nkey."""
    everyone = users(agents)
    return {
        account: {
            **({"jetstream": "enabled"} if account in _STORING else {}),
            "users": [
                _user_section(user, public_keys[user.name])
                for user in everyone
                if user.account == account
            ],
            "exports": [_export_section(export) for export in EXPORTS if export.account == account],
            "imports": [
                {export.kind: {"account": export.account, "subject": export.subject}}
                for export in EXPORTS
                if account in export.to
            ],
        }
        for account in _ACCOUNTS
    }


_STORING: Final = (subjects.ACCOUNT_INSIGHT, subjects.ACCOUNT_MEMORY)
_ACCOUNTS: Final = (
    subjects.ACCOUNT_SOURCES,
    *_STORING,
    subjects.ACCOUNT_CLIENTS,
    subjects.ACCOUNT_ADMIN,
    SYSTEM_ACCOUNT,
)


def _user_section(user: User, public_key: str) -> dict[str, object]:
    if user.publish is None:
        return {"nkey": public_key}
    permissions: dict[str, object] = {
        "publish": {"allow": list(user.publish)},
        "subscribe": {"allow": [f"{inbox_prefix(user.name)}.>", *user.subscribe]},
    }
    if user.answers:
        permissions["allow_responses"] = True
    return {"nkey": public_key, "permissions": permissions}


def _export_section(export: Export) -> dict[str, object]:
    section: dict[str, object] = {export.kind: export.subject, "accounts": list(export.to)}
    if export.many_replies:
        section["response_type"] = "stream"
    return section
