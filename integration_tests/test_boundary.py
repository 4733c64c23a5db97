"""The boundary between lake and warehouse: code, broker and databases keep them apart."""

import subprocess
from collections.abc import Generator
from pathlib import Path

import checkout
import psycopg
import pytest
from checkout import CONTRACTS, LOCAL, PACKAGES, Package
from cortex_local import accounts, databases
from cortex_local.services import INSIGHT, MEMORY, service_environment
from cortex_local.state import Endpoints
from embedded import EmbeddedPostgres
from nats.js.api import StreamConfig
from nats.js.errors import NotFoundError
from polling import NotYet, eventually
from roxabi_contracts import subjects
from roxabi_contracts.client import Connection, MemoryClient, PermissionViolation, ProducerClient
from roxabi_contracts.context import ContextRequest
from roxabi_contracts.subjects import InsightCommand, MemoryCommand, Query
from samples import note
from services import Broker

PROJECT = "personal"
FORBIDDEN = [
    *((CONTRACTS, other) for other in PACKAGES[1:]),
    (checkout.INSIGHT, checkout.MEMORY),
    (checkout.MEMORY, checkout.INSIGHT),
    *((service, LOCAL) for service in checkout.SERVICES),
    *((LOCAL, service) for service in checkout.SERVICES),
]
IMPORT_ALL = """
import importlib, pkgutil, sys
package = importlib.import_module(sys.argv[1])
for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
    if not module.name.endswith(".__main__"):
        importlib.import_module(module.name)
"""


def python(package: Package, code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the code with the package's own interpreter, isolated from folder and environment."""
    return subprocess.run(
        [package.interpreter, "-I", "-c", code, *arguments],
        check=False,
        capture_output=True,
        text=True,
        cwd=checkout.ROOT,
    )


@pytest.mark.parametrize(
    ("package", "other"), FORBIDDEN, ids=[f"{a.module}-{b.module}" for a, b in FORBIDDEN]
)
def test_importing_another_package_fails_in_each_environment(
    package: Package, other: Package
) -> None:
    result = python(package, f"import {other.module}")
    assert result.returncode == 1
    assert f"ModuleNotFoundError: No module named '{other.module}'" in result.stderr


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.module)
def test_every_module_imports_in_its_own_environment(package: Package) -> None:
    result = python(package, IMPORT_ALL, package.module)
    assert (result.returncode, result.stderr) == (0, "")


MAY_NOT_PUBLISH = [
    (accounts.INSIGHT, subjects.query(Query.CONTEXT, PROJECT)),
    (accounts.INSIGHT, subjects.memory_command(MemoryCommand.FORGET, PROJECT)),
    (accounts.INSIGHT, subjects.OBSERVATIONS_REJECTED),
    (accounts.INSIGHT, subjects.changes(PROJECT)),
    (accounts.INSIGHT, subjects.events("message", PROJECT)),
    (accounts.MEMORY, subjects.events("message", PROJECT)),
    (accounts.MEMORY, subjects.EVENTS_REJECTED),
    (accounts.MEMORY, subjects.OBSERVATIONS),
    (accounts.MEMORY, subjects.insight_command(InsightCommand.REPLAY, PROJECT)),
    (accounts.SOURCE, subjects.OBSERVATIONS),
    (accounts.SOURCE, subjects.query(Query.FACTS, PROJECT)),
    (accounts.SOURCE, subjects.insight_command(InsightCommand.SOURCES, PROJECT)),
    (accounts.AGENT, subjects.query(Query.CONTEXT, "another")),
    (accounts.AGENT, subjects.events("message", PROJECT)),
    (accounts.AGENT, subjects.memory_command(MemoryCommand.RESOLVE, PROJECT)),
    (accounts.AGENT, subjects.insight_command(InsightCommand.REPLAY, PROJECT)),
    (accounts.OPERATOR, subjects.OBSERVATIONS),
]
MAY_NOT_SUBSCRIBE = [
    (accounts.INSIGHT, subjects.OBSERVATIONS),
    (accounts.INSIGHT, subjects.QUERIES_ALL),
    (accounts.INSIGHT, subjects.CHANGES_ALL),
    (accounts.INSIGHT, ">"),
    (accounts.MEMORY, subjects.EVENTS_ALL),
    (accounts.MEMORY, subjects.INSIGHT_COMMANDS_ALL),
    (accounts.MEMORY, ">"),
    (accounts.SOURCE, subjects.EVENTS_ALL),
    (accounts.AGENT, subjects.QUERIES_ALL),
    (accounts.AGENT, "_INBOX.>"),
    (accounts.AGENT, f"{accounts.inbox_prefix(accounts.OPERATOR)}.>"),
    (accounts.OPERATOR, subjects.EVENTS_ALL),
]


async def refusal(connection: Connection, subject: str) -> PermissionViolation:
    """Wait for the broker to refuse the subject."""

    async def look() -> PermissionViolation:
        await connection.client.flush()
        violation = connection.violation_on(subject)
        if violation is None:
            raise NotYet("the broker said nothing")
        return violation

    return await eventually(f"the refusal of {subject}", look, seconds=10)


@pytest.mark.parametrize(("user", "subject"), MAY_NOT_PUBLISH)
async def test_the_broker_refuses_a_message_to_a_subject_of_another_part(
    broker: Broker, user: str, subject: str
) -> None:
    async with broker.connected(user) as connection:
        await connection.client.publish(subject, b"{}")
        await refusal(connection, subject)


@pytest.mark.parametrize(("user", "subject"), MAY_NOT_SUBSCRIBE)
async def test_the_broker_refuses_to_let_a_user_listen_to_another_part(
    broker: Broker, user: str, subject: str
) -> None:
    async with broker.connected(user) as connection:
        await connection.client.subscribe(subject)
        await refusal(connection, subject)


@pytest.mark.parametrize(
    ("user", "own", "foreign"),
    [
        (accounts.INSIGHT, subjects.STREAM_EVENTS, subjects.STREAM_OBSERVATIONS),
        (accounts.MEMORY, subjects.STREAM_OBSERVATIONS, subjects.STREAM_EVENTS),
    ],
)
async def test_a_service_sees_its_own_streams_and_none_of_the_others(
    broker: Broker, user: str, own: str, foreign: str
) -> None:
    async with broker.connected(user) as connection:
        manager = connection.client.jetstream()
        assert (await manager.stream_info(own)).config.name == own
        with pytest.raises(NotFoundError):
            await manager.stream_info(foreign)
        listed = {info.config.name for info in await manager.streams_info()}
        assert own in listed
        assert foreign not in listed


@pytest.mark.parametrize("user", [accounts.INSIGHT, accounts.MEMORY])
async def test_a_service_cannot_make_or_delete_a_stream(broker: Broker, user: str) -> None:
    async with broker.connected(user) as connection:
        manager = connection.client.jetstream(timeout=1)
        with pytest.raises(TimeoutError):
            await manager.add_stream(StreamConfig(name="OF_MY_OWN", subjects=["mine"]))
        with pytest.raises(TimeoutError):
            await manager.delete_stream(subjects.STREAM_EVENTS)


async def test_an_agent_asking_for_another_project_gets_a_typed_violation(
    broker: Broker,
) -> None:
    request = ContextRequest(project="another", subjects=("a@example.org",), query="who?")
    async with broker.connected(accounts.AGENT) as connection:
        with pytest.raises(PermissionViolation, match="another"):
            await MemoryClient(connection).context(request, deadline=1)


async def test_an_agent_publishing_an_event_gets_a_typed_violation(broker: Broker) -> None:
    async with broker.connected(accounts.AGENT) as connection:
        with pytest.raises(PermissionViolation):
            await ProducerClient(connection).publish(note("I live in Oslo."))


@pytest.fixture(scope="module")
def production_databases(tmp_path_factory: pytest.TempPathFactory) -> Generator[Endpoints]:
    """Databases and roles as the local stack makes them."""
    server = EmbeddedPostgres(tmp_path_factory.mktemp("b") / "p")
    try:
        server.start()
        passwords = {databases.INSIGHT: "one", databases.MEMORY: "other"}
        databases.prepare_databases(server.superuser, passwords)
        conninfo = {
            name: databases.role_conninfo(server.superuser, name, password)
            for name, password in passwords.items()
        }
        yield Endpoints(
            superuser=server.superuser,
            insight=conninfo[databases.INSIGHT],
            memory=conninfo[databases.MEMORY],
            broker="nats://127.0.0.1:1",
            seeds=Path("/nowhere"),
        )
    finally:
        server.remove()


def test_neither_role_can_connect_to_the_database_of_the_other(
    production_databases: Endpoints,
) -> None:
    for own, foreign in (
        (production_databases.insight, databases.MEMORY),
        (production_databases.memory, databases.INSIGHT),
    ):
        psycopg.connect(own).close()
        with pytest.raises(psycopg.OperationalError, match="permission denied for database"):
            psycopg.connect(own, dbname=foreign)


def test_the_environment_of_a_service_holds_no_secret_of_the_other(
    production_databases: Endpoints, environment: dict[str, str]
) -> None:
    passwords = {f"CORTEX_{name.upper()}_PASSWORD": f"of-{name}" for name in (INSIGHT, MEMORY)}
    outside = {
        **environment,
        **passwords,
        "CORTEX_POSTGRES_URL": production_databases.superuser,
        "CORTEX_MEMORY_DIGEST_KEY": "of-memory-alone",
    }
    for service, foreign in ((INSIGHT, MEMORY), (MEMORY, INSIGHT)):
        seen = service_environment(service, production_databases, outside)
        assert not set(passwords.values()) & set(seen.values())
        assert ("of-memory-alone" in seen.values()) is (service == MEMORY)
        assert getattr(production_databases, service) in seen.values()
        for secret in (getattr(production_databases, foreign), production_databases.superuser):
            assert secret not in seen.values()
        assert not any(f"{foreign}.seed" in value for value in seen.values())
